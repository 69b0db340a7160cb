import type { ServerResponse } from "node:http";
import { type TokenUsage, tokenCount } from "../../core/model/token-usage.ts";
import type { RepairOutput } from "../../core/repair/index.ts";
import {
  type AskableApi,
  type Attempt,
  AttemptGate,
  type CallableTool,
  compareAttempts,
  endedNormally,
  FORMATS,
  type HopelessCall,
  hopelessCall,
  hopelessCalls,
  type JoinedAttempt,
  type SecondChanceReason,
  type SecondChanceResult,
  secondChanceTools,
} from "../../core/second-chance/index.ts";
import { type Frame, parseFrame } from "../../core/wire/event-framer.ts";
import { isObject, text } from "../../core/wire/json.ts";
import { usageOf } from "../../core/wire/usage.ts";
import type { BodyText } from "../body/body-text.ts";
import { decodeStrict } from "../body/decode-strict.ts";
import type { ReadBody } from "../exchange/request-reader.ts";
import type { ResponseProgress } from "../forward/forwarded-exchange.ts";
import type { SecondChanceControl } from "./second-chance-control.ts";
import { type ReadSecond, type SecondResponse, sendAgain } from "./send-again.ts";

export interface ExchangeSecondChanceOptions {
  readonly control: SecondChanceControl;
  readonly now: () => number;
  /** Reports exceptions; the first response is then sent. */
  readonly onFailure?: (error: unknown) => void;
}

export interface SecondChanceTarget {
  readonly api: AskableApi;
  readonly upstream: string;
  readonly session: (
    body: unknown,
    restore: BodyText["restore"],
  ) => { readonly project: string; readonly session_id: string } | undefined;
}

/** What was asked for again, and the results. */
export interface SecondChanceReport {
  readonly reason: SecondChanceReason;
  readonly result: SecondChanceResult;
  /** The calls of the first response, which the client saw only if the result is not `healed` or `text`. */
  readonly calls: readonly HopelessCall[];
  /** The calls that took their place. */
  readonly healedBy: readonly string[];
  readonly durationMs: number;
  /** What each response cost, as far as it was reported. */
  readonly firstUsage: TokenUsage;
  readonly usage: TokenUsage;
  readonly status?: number;
}

/** What a request says about second chances. */
interface Prepared {
  readonly model: string;
  readonly session: string | undefined;
  readonly tools: ReadonlyMap<string, CallableTool>;
}

/** The exchange while its response is sent. */
export interface AskContext {
  readonly response: ServerResponse;
  readonly progress: ResponseProgress;
  /** Repairs the second response like the first one. */
  readonly read: ReadSecond;
}

/** Holds calls of a stream until they are judged. */
export interface StreamGate {
  readonly isHolding: boolean;
  /** Returns what can be sent now. */
  push(output: RepairOutput): RepairOutput;
  /** Calls back once, with the rest of the stream. */
  end(output: RepairOutput, context: AskContext, done: (rest: RepairOutput) => void): void;
  /** Gives up, with everything that is held. */
  release(output: RepairOutput): RepairOutput;
  keepAlive(): Uint8Array;
}

/** When no usage is reported: about this many bytes of a request are a token. */
const BYTES_PER_TOKEN = 4;

/** Asks the upstream again if no call of its response can work, before the client sees them. */
export class ExchangeSecondChance {
  readonly #target: SecondChanceTarget;
  readonly #options: ExchangeSecondChanceOptions;
  #prepared: Prepared | undefined;
  #report: SecondChanceReport | undefined;

  constructor(target: SecondChanceTarget, options: ExchangeSecondChanceOptions) {
    this.#target = target;
    this.#options = options;
  }

  get api(): AskableApi {
    return this.#target.api;
  }

  /** Set when the response has ended. */
  get report(): SecondChanceReport | undefined {
    return this.#report;
  }

  /** Whether the response may be asked for again. Known after {@link prepare}. */
  get isArmed(): boolean {
    return this.#prepared !== undefined;
  }

  /** Whether the client received the second response. */
  get isReplaced(): boolean {
    return this.#report?.result === "healed" || this.#report?.result === "text";
  }

  prepare({ body, restore }: ReadBody): void {
    const { api, upstream, session } = this.#target;
    const model = restore((isObject(body) ? text(body.model) : undefined) ?? "");
    if (this.#options.control.modeFor(upstream, model) !== "on") return;
    const tools = secondChanceTools(api, body, restore);
    if (tools === undefined) return;
    const own = session(body, restore);
    const name = own === undefined ? undefined : `${own.project}\u0000${own.session_id}`;
    this.#prepared = { model, tools, session: name };
  }

  /** Releases the texts of the request. */
  finish(): void {
    this.#prepared = undefined;
  }

  createGate(): StreamGate {
    const { api } = this.#target;
    const gate = new AttemptGate<Frame>(api, {
      isArmed: () => this.isArmed,
      isHopeless: (call) => hopelessCall(call, this.#prepared?.tools ?? new Map()) !== undefined,
    });
    const pass = ({ events, bytes }: RepairOutput): RepairOutput => {
      const out = events.flatMap((frame) => gate.push(frame));
      // Bytes that are no event: the rest of the stream is not read.
      return bytes.length === 0 ? { events: out, bytes } : { events: [...out, ...gate.release()], bytes };
    };
    const guarded = (output: RepairOutput): RepairOutput => {
      try {
        return pass(output);
      } catch (error) {
        this.#options.onFailure?.(error);
        return { events: [...gate.release(), ...output.events], bytes: output.bytes };
      }
    };
    return {
      get isHolding() {
        return gate.isHolding;
      },
      push: guarded,
      end: (output, context, done) => {
        const last = guarded(output);
        const ended = gate.end();
        if (ended === undefined) {
          done(last);
          return;
        }
        const { held, readAttempt } = ended;
        const attempt = this.#attempt(readAttempt);
        const render = (joined: JoinedAttempt): readonly Frame[] =>
          FORMATS[api].joinStream(held, joined).map((raw) => parseFrame(raw));
        this.#ask(attempt, context, render, (joined) =>
          done({ events: [...last.events, ...(joined ?? held)], bytes: last.bytes }),
        );
      },
      release: ({ events, bytes }) => ({ events: [...gate.release(), ...events], bytes }),
      keepAlive: () => KEEP_ALIVE[api],
    };
  }

  /** Calls back once with the body that replaces `source`, or undefined to keep it. */
  askForBody(source: string, context: AskContext, done: (joined: string | undefined) => void): void {
    const format = FORMATS[this.#target.api];
    const first = this.isArmed ? this.#attempt(() => format.readBody(source)) : undefined;
    this.#ask(first, context, (joined) => format.joinBody(source, joined), done);
  }

  /** Calls back once, with what replaces the first response or its end, or undefined to send it unchanged. */
  #ask<T>(
    first: Attempt | undefined,
    context: AskContext,
    render: (joined: JoinedAttempt) => T,
    onDone: (joined: T | undefined) => void,
  ): void {
    const done = context.progress.bind(onDone);
    const { control, now, onFailure } = this.#options;
    const { api, upstream } = this.#target;
    const prepared = this.#prepared;
    const hopeless = this.#attempt(() =>
      prepared === undefined || first === undefined || first.hasOther || !endedNormally(first)
        ? undefined
        : hopelessCalls(first, prepared.tools),
    );
    const { resend } = context.progress;
    const [worst] = hopeless ?? [];
    if (prepared === undefined || first === undefined || hopeless === undefined || !worst || !resend) {
      done(undefined);
      return;
    }
    const firstUsage = usageOf(api, first.usage);
    const startedAt = now();
    const conclude = (second: SecondResponse): void => {
      const { result, joined, rendered } = this.#compare(first, second, prepared.tools, render);
      this.#report = {
        reason: worst.reason,
        result,
        calls: hopeless,
        healedBy: joined?.added.flatMap((part) => (part.kind === "call" ? [part.call.id] : [])) ?? [],
        durationMs: Math.max(0, now() - startedAt),
        firstUsage,
        usage: second.kind === "response" ? usageOf(api, second.attempt.usage) : {},
        ...(second.kind === "rejected" && { status: second.status }),
      };
      control.record(upstream, prepared.model, result);
      if (second.kind === "rejected" && second.retryAfterMs !== undefined) control.pause(upstream, second.retryAfterMs);
      done(rendered);
    };
    const edit = (plain: Buffer): Buffer | undefined => {
      const source = decodeStrict(plain);
      const tokens = uncachedTokens(firstUsage) ?? plain.length / BYTES_PER_TOKEN;
      const again = source === undefined ? undefined : FORMATS[api].appendTurn(source, first, hopeless);
      if (again === undefined || !control.take(upstream, prepared.model, prepared.session, tokens)) return undefined;
      return Buffer.from(again);
    };
    const isSent = sendAgain(() => resend(edit), { ...context, timeoutMs: control.timeoutMs, onFailure }, conclude);
    if (!isSent) done(undefined);
  }

  /** A defect here must not break the response: it is sent unchanged. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#options.onFailure?.(error);
      return undefined;
    }
  }

  #compare<T>(
    first: Attempt,
    second: SecondResponse,
    tools: Prepared["tools"],
    render: (joined: JoinedAttempt) => T,
  ): { readonly result: SecondChanceResult; readonly joined?: JoinedAttempt; readonly rendered?: T } {
    if (second.kind !== "response") return { result: second.kind === "rejected" ? "rejected" : second.reason };
    try {
      const compared = compareAttempts(first, second.attempt, tools);
      return "joined" in compared ? { ...compared, rendered: render(compared.joined) } : compared;
    } catch (error) {
      // The first response is sent unchanged.
      this.#options.onFailure?.(error);
      return { result: "failed" };
    }
  }
}

/** Input that the provider did not read from its cache; undefined if it reported none. */
function uncachedTokens({ input_tokens, cached_tokens }: TokenUsage): number | undefined {
  return input_tokens === undefined ? undefined : Math.max(0, input_tokens - (tokenCount(cached_tokens) ?? 0));
}

const encoder = new TextEncoder();
const COMMENT = encoder.encode(": toolmend asks the model again\n\n");

/** Keep-alive messages while calls are buffered. Clients skip comments; those of the Messages API expect pings. */
const KEEP_ALIVE: Readonly<Record<AskableApi, Uint8Array>> = {
  anthropic: encoder.encode('event: ping\ndata: {"type": "ping"}\n\n'),
  chat: COMMENT,
  responses: COMMENT,
};
