import type { IncomingMessage } from "node:http";
import {
  ByteRepairer,
  type CallReport,
  createDeferredRepairer,
  createStreamRepairer,
  type JsonRepairResult,
  type LeakReport,
  observeCalls,
  observeText,
  type RepairedCall,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
  type StoredCall,
  type StreamRepairer,
} from "../../core/repair/index.ts";
import { FORMATS } from "../../core/second-chance/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { type Framing, framingOf, isRepairable } from "../../core/wire/framing.ts";
import type { Api, DecodedResponse } from "../../core/wire/index.ts";
import { isObject, parseJsonBody, text } from "../../core/wire/json.ts";
import { canDecodeZstd } from "../body/body-decoder.ts";
import type { BodyText } from "../body/body-text.ts";
import type { ReadBody } from "../exchange/request-reader.ts";
import type { ResponseHandler } from "../forward/forwarded-exchange.ts";
import type { ExchangeSecondChance } from "../second-chance/exchange-second-chance.ts";
import type { ReadSecond } from "../second-chance/send-again.ts";
import type { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { type RepairBodyOptions, type RepairedBody, sendRepairedBody } from "./repair-body.ts";
import type { RepairControl } from "./repair-control.ts";
import { createRepairIdSuffix } from "./repair-ids.ts";
import { sendRepairedStream } from "./repair-stream.ts";

const ENCODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", ...(canDecodeZstd ? ["zstd"] : [])]);
const BODY_LIMIT = 16 << 20;
const KEEP_ALIVE_MS = 5000;

export interface ExchangeRepairOptions {
  readonly control: RepairControl;
  readonly keepAliveMs?: number;
  readonly pendingCalls: PendingRepairedCalls;
  /** Reports exceptions in repair; the response is then forwarded unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** The exchange whose response may be repaired. */
export interface RepairTarget {
  readonly api: Api;
  readonly upstream: string;
  /** Whether the upstream is Anthropic, or a cloud that serves its models. */
  readonly isAnthropic: boolean;
  /** A stream comes as one JSON array if it does not come as events. */
  readonly isArrayStream?: boolean;
  /** The response is a binary stream and cannot be changed. */
  readonly isBinary?: boolean;
  /** The response comes over a WebSocket and cannot be changed. */
  readonly isWebSocket?: boolean;
  /** Resolved lazily: needed only while repair is suspended somewhere. */
  readonly session: (
    body: unknown,
    restore: BodyText["restore"],
  ) => { readonly project: string; readonly session_id: string } | undefined;
  /**
   * Keeps repaired calls of stored conversations until their results are sent. Absent if the client is not recorded.
   */
  readonly storage?: {
    readonly canStore: (argumentsText: string) => boolean;
    readonly keep: (id: string, call: StoredCall) => void;
  };
}

/** Leaks, repaired calls, and native calls that do not fit, of one response. */
export interface Repaired {
  readonly leaks: readonly LeakReport[];
  readonly calls: readonly RepairedCall[];
  readonly callReports: readonly CallReport[];
}

const NOTHING: Repaired = { leaks: [], calls: [], callReports: [] };

/** Whether the response may be changed at all. */
function canChange({ blocked, ignoresLeaks, calls }: RepairOptions): boolean {
  return (blocked === undefined && ignoresLeaks !== true) || (calls !== undefined && calls.blocked === undefined);
}

/** Decides whether the response of one exchange may be rewritten, and keeps the result. */
export class ExchangeRepair {
  readonly #api: Api;
  readonly #options: ExchangeRepairOptions;
  readonly #target: RepairTarget;
  #isPrepared = false;
  #repairOptions: RepairOptions | undefined;
  #repaired: Repaired | undefined;
  readonly #secondChance: ExchangeSecondChance | undefined;

  constructor(target: RepairTarget, options: ExchangeRepairOptions, secondChance?: ExchangeSecondChance) {
    this.#api = target.api;
    this.#target = target;
    this.#options = options;
    this.#secondChance = secondChance;
  }

  /**
   * Whether leaks are detected for any model of the upstream. The model of this exchange is known only from the body.
   */
  get canObserve(): boolean {
    return this.#options.control.couldObserve(this.#target.upstream) || this.#secondChance !== undefined;
  }

  /** Whether responses are rewritten for any model of the upstream, so that the proxy requests them uncompressed. */
  get canRewrite(): boolean {
    if (this.#target.isBinary === true) return false;
    return this.#options.control.couldRewrite(this.#target.upstream) || this.#secondChance !== undefined;
  }

  /** Whether the request may be sent again. */
  get mayResend(): boolean {
    return this.#secondChance !== undefined;
  }

  /** Reads from the request what may be repaired. Must run before any repairable part of the response is sent. */
  prepare(read: ReadBody): void {
    this.#isPrepared = true;
    try {
      this.#repairOptions = this.#readOptions(read);
      this.#secondChance?.prepare(read);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }

  #readOptions({ body, restore, reread }: ReadBody): RepairOptions | undefined {
    const { control, onFailure } = this.#options;
    const { upstream, isAnthropic, isWebSocket, session, storage } = this.#target;
    const model = restore((isObject(body) ? text(body.model) : undefined) ?? "");
    const options = readRepairOptions(this.#api, body, {
      settings: control.settingsFor(upstream, model),
      randomAlphanumeric: createRepairIdSuffix,
      decodeUtf8: restore,
      enforcesThinking: isAnthropic,
      ...(storage !== undefined && { canStoreCall: storage.canStore }),
      ...(isWebSocket === true && { blocked: "websocket" }),
      ...(control.isSuspended(upstream, model, () => session(body, restore)) && { blocked: "suspended" }),
      reread,
    });
    return options && { ...options, ...(onFailure !== undefined && { onFailure }) };
  }

  /** Returns undefined if the response must be forwarded unchanged. */
  handlerFor(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    try {
      return this.#handlerFor(upstreamResponse);
    } catch (error) {
      this.#options.onFailure?.(error);
      this.#repairOptions = undefined;
      return undefined;
    }
  }

  #handlerFor(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    const options = this.#changeable;
    if ((options === undefined && this.#secondChance?.isArmed !== true) || !isSuccess(upstreamResponse))
      return undefined;
    const { headers } = upstreamResponse;
    if (!ENCODINGS.has((headers["content-encoding"] ?? "").trim().toLowerCase())) return undefined;
    const type = headers["content-type"] ?? "";
    const framing = framingOf(this.#api, type);
    if (framing === "amazon") return undefined;
    if (framing !== undefined) return this.#streamHandler(this.#repairerFor(options, framing), framing);
    if (!/^application\/json\b/i.test(type)) return undefined;
    if (this.#target.isArrayStream !== true) return this.#bodyHandler(options);
    return this.#streamHandler(this.#repairerFor(options, "array"), "array");
  }

  /** The options by which the response may be changed. */
  get #changeable(): RepairOptions | undefined {
    return this.#repairOptions !== undefined && canChange(this.#repairOptions) ? this.#repairOptions : undefined;
  }

  /**
   * Returns the leaks of a finished response. If it was forwarded unchanged, detects them now; without `response` it
   * does not.
   */
  finish(response: DecodedResponse | undefined): Repaired | undefined {
    const options = this.#repairOptions;
    // The connection references this object until its next request. Drop the texts of this request now.
    this.#repairOptions = undefined;
    this.#secondChance?.finish();
    if (this.#repaired !== undefined || options === undefined || response === undefined) return this.#repaired;
    try {
      this.#repaired = this.#observe(response, options);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
    return this.#repaired;
  }

  /** Finds leaks, and native calls that do not fit, in a response that was not read while it was sent. */
  #observe({ text, calls: made }: DecodedResponse, options: RepairOptions): Repaired | undefined {
    const { calls, ignoresLeaks, blocked = "passed-through" } = options;
    const leaks = ignoresLeaks === true || text === "" ? [] : observeText(this.#api, text, { ...options, blocked });
    const callReports =
      calls === undefined || made.length === 0
        ? []
        : observeCalls(this.#api, made, options, { ...calls, blocked: calls.blocked ?? "passed-through" });
    return { leaks, calls: [], callReports };
  }

  #repairerFor(options: RepairOptions | undefined, framing: Framing): StreamRepairer {
    return options === undefined ? createPassingRepairer() : this.#createRepairer(options, framing);
  }

  #createRepairer(options: RepairOptions, framing: Framing): StreamRepairer {
    this.#repaired = NOTHING;
    return createStreamRepairer(this.#api, options, framing);
  }

  /**
   * Like {@link handlerFor}, but {@link prepare} runs when the first repairable event arrives, through `prepareNow`.
   */
  deferredStreamHandler({ headers }: IncomingMessage, prepareNow: () => void): ResponseHandler {
    const framing = framingOf(this.#api, headers["content-type"]) ?? "events";
    const make = (): StreamRepairer | undefined => {
      prepareNow();
      const options = this.#changeable;
      return options === undefined ? undefined : this.#createRepairer(options, framing);
    };
    const { onFailure } = this.#options;
    const deferred = { isReady: () => this.#isPrepared, make, ...(onFailure !== undefined && { onFailure }) };
    return this.#streamHandler(createDeferredRepairer(this.#api, deferred), framing);
  }

  #streamHandler(repairer: StreamRepairer, framing: Framing): ResponseHandler {
    const onEnd = (): void => {
      const options = this.#repairOptions;
      // Repair was not active. `finish` detects leaks when the exchange is recorded.
      if (this.#repaired === undefined || options === undefined) return;
      const { leaks, calls, callReports } = (this.#secondChance?.isReplaced === true ? second : undefined) ?? repairer;
      this.#repaired = { leaks, calls, callReports };
      this.#repairOptions = undefined;
      this.#addPendingCalls(options, calls);
    };
    let second: Repaired | undefined;
    const secondChance = this.#secondChance && {
      gate: this.#secondChance.createGate(),
      read: this.#secondReader(this.#secondChance, (repaired) => {
        second = repaired;
      }),
    };
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedStream(upstreamResponse, response, tap, progress, {
        ...{ repairer, framing, keepAliveMs, onEnd, secondChance },
      });
  }

  /** Must run before the client can send results: the provider's stored conversation does not contain these calls. */
  #addPendingCalls({ canStoreCall }: RepairOptions, calls: readonly RepairedCall[]): void {
    if (canStoreCall !== undefined) for (const call of calls) this.#target.storage?.keep(call.id, call);
  }

  /** Repairs and reads a second response. It replaces what repair found in the first one only if the client gets it. */
  #secondReader({ api }: ExchangeSecondChance, onRepaired: (repaired: Repaired) => void): ReadSecond {
    const format = FORMATS[api];
    return (body, contentType) => {
      const options = this.#changeable;
      if (framingOf(api, contentType) === undefined) {
        const text = body.toString("utf8");
        const repaired = options && repairJsonResponse(this.#api, text, options);
        if (repaired !== undefined && repaired.kind !== "unchanged")
          onRepaired({ leaks: repaired.leaks, calls: callsOf(repaired), callReports: repaired.callReports });
        return format.readBody(repaired?.kind === "repaired" ? repaired.text : text);
      }
      const repairer = options && createStreamRepairer(this.#api, options);
      const stream = new ByteRepairer(repairer ?? createPassingRepairer());
      const reader = format.createReader();
      for (const { events } of [stream.push(body), stream.end()]) for (const frame of events) reader.push(frame);
      if (repairer !== undefined) onRepaired(repairer);
      return reader.end();
    };
  }

  #askAgain(secondChance: ExchangeSecondChance): NonNullable<RepairBodyOptions["askAgain"]> {
    return (text, context, done) => {
      let second: Repaired | undefined;
      const read = this.#secondReader(secondChance, (repaired) => {
        second = repaired;
      });
      secondChance.askForBody(text, { ...context, read }, (joined) => {
        if (joined !== undefined && this.#repaired !== undefined) this.#repaired = second ?? NOTHING;
        done(joined);
      });
    };
  }

  #bodyHandler(options: RepairOptions | undefined): ResponseHandler {
    const repair = (text: string): RepairedBody => {
      try {
        return options === undefined ? { kind: "unchanged", json: parseJsonBody(text) } : repairText(text, options);
      } catch (error) {
        this.#options.onFailure?.(error);
        return { kind: "unchanged", json: undefined };
      }
    };
    const repairText = (text: string, options: RepairOptions): RepairedBody => {
      this.#repaired = NOTHING;
      const json = parseJsonBody(text);
      const repaired = repairJsonResponse(this.#api, text, options, json);
      if (repaired.kind === "repaired") this.#addPendingCalls(options, repaired.calls);
      if (repaired.kind !== "unchanged") {
        const { leaks, callReports } = repaired;
        this.#repaired = { leaks, calls: repaired.kind === "repaired" ? repaired.calls : [], callReports };
      }
      if (repaired.kind !== "repaired") return { kind: "unchanged", json };
      return { kind: "repaired", text: repaired.text, calls: changedCalls(repaired.leaks, repaired.callReports) };
    };
    const askAgain = this.#secondChance && this.#askAgain(this.#secondChance);
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedBody(upstreamResponse, response, tap, progress, { repair, limit: BODY_LIMIT, askAgain });
  }
}

function callsOf(repaired: JsonRepairResult): readonly RepairedCall[] {
  return repaired.kind === "repaired" ? repaired.calls : [];
}

/** Lets all events pass, where nothing may be repaired. */
function createPassingRepairer(): StreamRepairer {
  return {
    push: ({ raw }) => [raw],
    end: () => [],
    isBuffering: false,
    keepAlive: () => undefined,
    ...NOTHING,
  };
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Whether a stream has the same headers with and without repair. */
export function isPlainStream(api: Api, upstreamResponse: IncomingMessage): boolean {
  const { headers } = upstreamResponse;
  if (!isSuccess(upstreamResponse) || !isRepairable(framingOf(api, headers["content-type"]))) return false;
  for (const name of BODY_DEPENDENT_HEADERS) if (headers[name] !== undefined) return false;
  return true;
}

/** Counts repaired calls, leaked and native. */
function changedCalls(leaks: readonly LeakReport[], reports: readonly CallReport[]): number {
  const recovered = leaks.filter(({ result }) => result === "recovered");
  const repaired = reports.filter(({ result }) => result === "repaired").length;
  return recovered.reduce((sum, { tool_call_ids: ids }) => sum + ids.length, repaired);
}
