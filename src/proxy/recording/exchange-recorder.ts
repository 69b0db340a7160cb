import { sameName } from "../../core/detect/call/validate-call.ts";
import { chooseClientProfile, type DeclaredTool } from "../../core/detect/index.ts";
import type {
  CallObservation,
  LeakedCall,
  LeakObservation,
  Observation,
  RequestObservation,
  Seen,
  StoredResponseRef,
} from "../../core/model/observation.ts";
import { DecodedTool } from "../../core/repair/client-tools.ts";
import type { LeakReport } from "../../core/repair/index.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type HeaderLookup,
  type HistoryCall,
  readIdentity,
  turnId,
} from "../../core/wire/index.ts";
import { INCOMPLETE } from "../../ingest/idle-sessions.ts";
import { argumentText } from "../../ingest/observe/argument-facts.ts";
import type { CallObserver, RawCallObservation } from "../../ingest/observe/observe-call.ts";
import type { BodyText } from "../body/body-text.ts";
import type { ExchangeRepair, Repaired } from "../repair/exchange-repair.ts";
import { REFUSED, type RepairWatch } from "../repair/repair-watch.ts";
import type { ExchangeFigures, ExchangeListener } from "./exchange-reader.ts";
import { type Thread, ThreadFinder } from "./exchange-thread.ts";
import type { ObservationBatcher } from "./observation-batcher.ts";
import type { PromptCache, PromptRef } from "./prompt-cache.ts";
import { callCacheKey, type RecordedCallCache } from "./recorded-call-cache.ts";
import { type PromptPosition, RequestPrompts } from "./request-prompts.ts";
import { continueCall, type ResponseCache } from "./response-cache.ts";
import type { StoredConversations } from "./stored-conversations.ts";

/** What all exchanges of one proxy share. */
export interface RecordingContext {
  readonly observer: CallObserver;
  readonly seen: RecordedCallCache;
  readonly memory: ResponseCache;
  /** Answers that only the store knows. */
  readonly held?: StoredConversations;
  readonly prompts: PromptCache;
  readonly told: ObservationBatcher;
  readonly now: () => number;
  readonly onUnreadable: (reason: string) => void;
  readonly onLeak?: (leak: LeakObservation) => void;
  /** Calls that were mended have been handed over. */
  readonly onMended?: () => void;
  /** Told of the calls that were mended, and of requests that an upstream would not take. */
  readonly watch?: Pick<RepairWatch, "made" | "refused">;
}

export interface ExchangeStart {
  readonly api: Api;
  readonly provider: string;
  readonly request_id: string;
  readonly head: HeaderLookup;
  readonly repair?: ExchangeRepair;
}

interface ReadRequest {
  readonly size: number;
  readonly project: string;
  readonly model: string | undefined;
  readonly finder: ThreadFinder;
  /** How often each id stands in the history; known once the request is recorded. */
  ids: Map<string, number>;
  /** What the answer will work on; known once the request is recorded. */
  asked: PromptPosition;
  /** How many calls the history has. */
  historyCalls: number;
  /** The whole request, until it is recorded: texts are not kept while the answer takes its time. */
  unrecorded: { readonly decoded: DecodedRequest; readonly restore: BodyText["restore"] } | undefined;
}

/** Turns what one exchange said into observations. */
export class ExchangeRecorder implements ExchangeListener {
  readonly #context: RecordingContext;
  readonly #start: ExchangeStart;
  readonly #startedAt: number;
  readonly #client: string;
  #request: ReadRequest | undefined;
  #thread: Thread | undefined;

  constructor(context: RecordingContext, start: ExchangeStart) {
    this.#context = context;
    this.#start = start;
    this.#startedAt = context.now();
    this.#client = clientNamed(start.head("user-agent") ?? "");
  }

  onRequest(raw: DecodedRequest, body: unknown, size: number, restore: BodyText["restore"]): void {
    // Calls are restored when they are recorded: nearly all of them were before.
    const { calls, model: name, firstUserText, firstTurn } = raw;
    const decoded: DecodedRequest = {
      ...raw,
      ...(name !== undefined && { model: restore(name) }),
      firstUserText: restore(firstUserText),
      ...(firstTurn !== undefined && { firstTurn: restore(firstTurn) }),
    };
    const { observer, memory, held, now } = this.#context;
    const { head, provider } = this.#start;
    const identity = readIdentity(head, body);
    const results = () => calls.flatMap(({ id, name }) => (name === undefined ? [restore(id)] : []));
    const finding = { head, provider, memory, held, hash: observer.hash, now };
    const finder = new ThreadFinder(finding, decoded, identity, results);
    const { project } = identity;
    const unrecorded = { decoded, restore };
    const { model } = decoded;
    const asked = { count: 0 };
    this.#request = { size, project, model, finder, ids: new Map(), asked, historyCalls: 0, unrecorded };
    this.#thread = finder.atRequest();
    if (this.#thread !== undefined) this.#recordRequest(this.#request, this.#thread);
  }

  onEnd(answer: DecodedResponse | undefined, figures: ExchangeFigures): void {
    const request = this.#request;
    if (request === undefined) return;
    // The first answer names the session of a client that does not.
    this.#thread ??= request.finder.atEnd(answer);
    if (this.#thread !== undefined) this.#recordEnd(request, this.#thread, answer, figures);
    else {
      const isUrgent = (this.#start.repair?.repaired(answer)?.calls.length ?? 0) > 0;
      const tell = (thread: Thread): void => this.#recordLater(request, thread, answer, figures);
      request.finder.ask(answer, { size: request.size, isUrgent }, tell);
    }
  }

  /** When the store has told whose it is: nobody but us would notice what goes wrong now. */
  #recordLater(
    request: ReadRequest,
    thread: Thread,
    answer: DecodedResponse | undefined,
    figures: ExchangeFigures,
  ): void {
    this.#thread = thread;
    try {
      this.#recordEnd(request, thread, answer, figures);
    } catch (error) {
      this.onUnreadable(`response: ${(error as Error).message}`);
    }
  }

  #recordEnd(
    request: ReadRequest,
    thread: Thread,
    answer: DecodedResponse | undefined,
    figures: ExchangeFigures,
  ): void {
    this.#recordRequest(request, thread);
    const repaired = figures.status < 300 ? this.#start.repair?.repaired(answer) : undefined;
    const calls = answer === undefined ? [] : this.#madeCalls(answer, request, thread, figures.endedAt, repaired);
    const held =
      answer !== undefined && this.#start.api === "responses"
        ? request.finder.remember(thread, answer, request.ids, request.asked, figures.endedAt)
        : undefined;
    const response = this.#response(answer, figures, calls, held);
    const leaks = (repaired?.leaks ?? []).map((leak) => this.#leak(leak, answer, figures.endedAt));
    for (const leak of leaks) this.#context.onLeak?.(leak);
    const { told, observer } = this.#context;
    told.add(() => [response, ...calls.map((call) => observer.observe(call)), ...leaks]);
    if ((repaired?.calls.length ?? 0) > 0) this.#context.onMended?.();
    this.#watchRepair(request, answer, figures, repaired);
  }

  #watchRepair(
    { model, ids }: ReadRequest,
    answer: DecodedResponse | undefined,
    { status, endedAt }: ExchangeFigures,
    repaired: Repaired | undefined,
  ): void {
    const { watch } = this.#context;
    watch?.made(repaired?.calls.map(({ id }) => id) ?? []);
    if (!REFUSED.has(status)) return;
    const seen = { ...this.#about(endedAt, model), request_id: this.#start.request_id };
    watch?.refused({ seen, status, ids: [...ids.keys()], message: answer?.error });
  }

  onUnreadable(reason: string): void {
    this.#context.onUnreadable(reason);
  }

  /** Once: as soon as its thread is known. */
  #recordRequest(request: ReadRequest, thread: Thread): void {
    if (request.unrecorded === undefined) return;
    const { size, project } = request;
    const { session_id, agent_id, conversation, before } = thread;
    const { decoded, restore } = request.unrecorded;
    request.unrecorded = undefined;
    const about = this.#about(this.#startedAt, decoded.model);
    const told: RequestObservation = {
      ...about,
      kind: "request",
      request_id: this.#start.request_id,
      conversation,
      streaming: decoded.streaming,
      size_bytes: size,
      message_count: decoded.messageCount,
      tool_count: decoded.tools.length,
    };
    const calls: NewCall[] = [];
    const fresh: (readonly [key: string, size: number])[] = [];
    const threadName = [project, session_id, agent_id, conversation].join("\u0000");
    const seen = this.#context.seen.of(threadName);
    const ids = new Map(before?.counts);
    request.ids = ids;
    const prompts = new RequestPrompts(decoded.prompts, restore, this.#context.prompts, before?.asked);
    request.asked = prompts.last();
    for (const [at, sent] of decoded.calls.entries()) {
      const call = before === undefined ? sent : continueCall(restore(sent), before);
      const id = before === undefined ? restore(call.id) : call.id;
      ids.set(id, Math.max(ids.get(id) ?? 0, call.n + 1));
      const key = callCacheKey(call.id, call.n);
      const callSize = sizeOf(call);
      if (seen.get(key) === callSize) continue;
      fresh.push([key, callSize]);
      const whole = before === undefined ? restore(call) : call;
      const tools = judgedBy(whole.name, decoded.tools, restore);
      calls.push({ call: whole, tools, order: at, asked: prompts.ofCall(at) });
    }
    request.historyCalls = decoded.calls.length;
    const observe = (call: NewCall) => this.#historyCall(call, about, conversation);
    // What was acknowledged need not be told again.
    this.#context.told.add(
      () => [told, ...calls.map(observe)],
      () => this.#context.seen.add(threadName, fresh),
    );
  }

  #historyCall({ call, tools, order, asked }: NewCall, about: Seen, conversation: string): CallObservation {
    const observation = this.#context.observer.observe({
      ...about,
      tool_call_id: call.id,
      place: { kind: "history", conversation, n: call.n },
      ...asked,
      order,
      tools: tools as readonly DeclaredTool[],
      ...(call.name !== undefined && { name: call.name }),
      ...(call.arguments !== undefined && { arguments: call.arguments }),
      ...(call.result !== undefined && { result: call.result }),
      ...(call.turn !== undefined && { turn: call.turn, turn_index: call.turnIndex ?? 0 }),
    });
    return call.unanswered === true ? { ...observation, result: INCOMPLETE } : observation;
  }

  #madeCalls(
    answer: DecodedResponse,
    { ids, asked, historyCalls }: ReadRequest,
    { conversation }: Thread,
    at: number,
    repaired: Repaired | undefined,
  ): readonly RawCallObservation[] {
    const mended = new Map<string, Recovery>(
      repaired?.calls.map(({ id, format, repairs }) => [id, { origin: "recovered", format, repairs }]),
    );
    // What is told as recovered and was not made here was made by the model, and changed.
    for (const { result, format, repairs, tool_call_ids: changed } of repaired?.leaks ?? [])
      for (const id of result === "recovered" ? changed : [])
        if (!mended.has(id)) mended.set(id, { origin: "native", format, repairs });
    const made = answer.calls.filter(({ id }) => id !== "");
    const first = made[0]?.id ?? "";
    const turn = turnId(first, ids.get(first) ?? 0);
    return made.map((call, index) => {
      const n = ids.get(call.id) ?? 0;
      ids.set(call.id, n + 1);
      return {
        ...this.#about(at, answer.model),
        tool_call_id: call.id,
        place: { kind: "response", conversation, n, response_id: answer.id ?? this.#start.request_id },
        ...asked.last,
        name: call.name,
        arguments: call.arguments,
        turn,
        turn_index: index,
        order: historyCalls + index,
        ...(mended.get(call.id) ?? { origin: "native" }),
      };
    });
  }

  #leak(leak: LeakReport, answer: DecodedResponse | undefined, at: number): LeakObservation {
    const { names, before: written, ...rest } = leak;
    const { observer } = this.#context;
    const before = written === undefined ? undefined : observer.captureText(written, "result");
    return {
      ...this.#about(at, answer?.model),
      kind: "leak",
      request_id: this.#start.request_id,
      ...rest,
      // The model may have written anything in the place of a name.
      tool_names: names.slice(0, 20).map((name) => observer.safeName(name, 128)),
      ...(before !== undefined && { before, after: this.#after(leak, answer) }),
    };
  }

  /** The calls that a leak became, as the client got them. */
  #after({ result, tool_call_ids: ids }: LeakReport, answer: DecodedResponse | undefined): readonly LeakedCall[] {
    const made = new Map(answer?.calls.map((call) => [call.id, call]));
    return (result === "recovered" ? ids.slice(0, 20) : []).flatMap((id) => {
      const call = made.get(id);
      if (call === undefined) return [];
      const args = this.#context.observer.captureText(argumentText(call.arguments), "arguments") ?? "";
      return [{ tool_name: this.#context.observer.safeName(call.name, 128), arguments: args }];
    });
  }

  #response(
    answer: DecodedResponse | undefined,
    figures: ExchangeFigures,
    calls: readonly RawCallObservation[],
    held: StoredResponseRef | undefined,
  ): Observation {
    const { firstByteAt, endedAt } = figures;
    return {
      ...this.#about(endedAt, answer?.model),
      kind: "response",
      request_id: this.#start.request_id,
      http_status: figures.status,
      ended: figures.ended,
      size_bytes: figures.size,
      duration_ms: this.#sinceStart(endedAt),
      ...(firstByteAt !== undefined && { first_byte_ms: this.#sinceStart(firstByteAt) }),
      ...(answer?.stopReason !== undefined && { stop_reason: this.#context.observer.safeName(answer.stopReason) }),
      ...answer?.usage,
      tool_call_ids: calls.map((call) => call.tool_call_id),
      ...(held !== undefined && { held }),
    };
  }

  /** The clock may have been set back meanwhile. */
  #sinceStart(at: number): number {
    return Math.max(0, at - this.#startedAt);
  }

  #about(occurredAt: number, model: string | undefined): Seen {
    return {
      v: 1,
      project: this.#request?.project ?? "default",
      session_id: this.#thread?.session_id ?? "",
      agent_id: this.#thread?.agent_id ?? "",
      source: "proxy",
      occurred_at: occurredAt,
      seen_at: this.#context.now(),
      live: true,
      request_id: this.#start.request_id,
      ...(model !== undefined && { model: this.#context.observer.safeName(model) }),
      provider: this.#start.provider,
      client: this.#client,
      api: this.#start.api,
    };
  }
}

/** A call of the history that was not told before. */
interface NewCall {
  readonly call: HistoryCall;
  readonly tools: DecodedRequest["tools"];
  readonly order: number;
  readonly asked: PromptRef | undefined;
}

type Recovery = Pick<CallObservation, "origin" | "format" | "repairs">;

const MAX_AGENTS = 1000;
const clients = new Map<string, string>();

/** The same few programs ask again and again. */
function clientNamed(userAgent: string): string {
  const known = clients.get(userAgent);
  if (known !== undefined) return known;
  const client = chooseClientProfile({ userAgent });
  if (clients.size >= MAX_AGENTS) clients.clear();
  // Whatever is longer is no name that comes again.
  if (userAgent.length <= 200) clients.set(userAgent, client);
  return client;
}

/** What a call is held against: its own tool, or any other when it has none. The whole list is most of a request, and would be held until it is judged. */
function judgedBy(
  called: string | undefined,
  tools: DecodedRequest["tools"],
  restore: BodyText["restore"],
): DecodedRequest["tools"] {
  const own = called === undefined ? undefined : tools.find(({ name }) => sameName(restore(name), called));
  if (own === undefined) return tools.slice(0, 1).map(({ name }) => ({ name: restore(name) }));
  return [new DecodedTool(own, restore)];
}

/** Tells a call from the same call with its result, and a result from a replaced one, without reading texts again. */
function sizeOf({ result, unanswered }: HistoryCall): number {
  if (result === undefined) return unanswered === true ? -2 : -1;
  if (typeof result.content === "string") return result.content.length;
  try {
    return JSON.stringify(result.content ?? "").length;
  } catch {
    // Nested deeper than can be written.
    return 0;
  }
}
