import { messageOf } from "../../core/model/errors.ts";
import type {
  GuardFact,
  LeakObservation,
  Observation,
  ObservationBase,
  PromptObservation,
  RequestObservation,
  StoredResponseRef,
} from "../../core/model/observation.ts";
import { folderName } from "../../core/model/session-name.ts";
import { hasTokens } from "../../core/model/token-usage.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type HeaderLookup,
  readIdentity,
  turnId,
} from "../../core/wire/index.ts";
import { workingDirectory } from "../../core/wire/working-directory.ts";
import type { CallObserver, RawCallObservation } from "../../ingest/observe/observe-call.ts";
import type { BodyText } from "../body/body-text.ts";
import type { ExchangeSink, ExchangeStats } from "../exchange/exchange.ts";
import type { ReadBody } from "../exchange/request-reader.ts";
import type { Repaired } from "../repair/exchange-repair.ts";
import { REJECTION_STATUSES, type RepairWatch } from "../repair/repair-watch.ts";
import type { SecondChanceReport } from "../second-chance/exchange-second-chance.ts";
import { CallCounts } from "./call-counts.ts";
import { type Client, clientOf } from "./client-of.ts";
import { type Thread, ThreadFinder } from "./exchange-thread.ts";
import { type NewCall, observeHistoryCall, toolsFor } from "./history-call.ts";
import type { ObservationBatcher } from "./observation-batcher.ts";
import { type PromptCache, type PromptPosition, type PromptRef, RequestPrompts } from "./prompt-cache.ts";
import { callCacheKey, type RecordedCallCache, resultSize } from "./recorded-call-cache.ts";
import { continueCall, type ResponseCache } from "./response-cache.ts";
import { callRepairFacts, leakFacts, MAX_REPORTED_CALLS, recoveriesOf, secondChanceFacts } from "./response-facts.ts";
import type { StoredConversations } from "./stored-conversations.ts";

/** In the cache of recorded calls: how many requests were searched for the folder. No id of a call is like it. */
const FOLDER = "\u0000folder";
/** The first requests of a session may be side requests, which do not name its folder. */
const MAX_FOLDER_SEARCHES = 8;
/** The calls of a long history are handed over in parts, between which the batcher may pause. */
const CALLS_PER_ENTRY = 16;

/** Dependencies shared by all exchanges of a proxy. */
export interface RecordingContext {
  readonly observer: CallObserver;
  readonly recordedCalls: RecordedCallCache;
  readonly responses: ResponseCache;
  /** Looks up responses that are not cached. */
  readonly storedConversations?: StoredConversations;
  readonly prompts: PromptCache;
  readonly batcher: ObservationBatcher;
  readonly now: () => number;
  readonly onUnreadable: (reason: string) => void;
  readonly onLeak?: (leak: LeakObservation) => void;
  /** Called after repaired calls are handed to the batcher. */
  readonly onRepaired?: () => void;
  /** Receives repaired calls and rejected requests. */
  readonly repairWatch?: Pick<RepairWatch, "onRepaired" | "onRejected">;
}

export interface ExchangeStart {
  readonly api: Api;
  readonly provider: string;
  readonly request_id: string;
  readonly head: HeaderLookup;
  /** What the guard did with the request. Called when the request is recorded. */
  readonly guardFact?: () => GuardFact | undefined;
  /** Result of asking for the response again. Called when the response is recorded. */
  readonly secondChance?: () => SecondChanceReport | undefined;
  /** Called when the exchange has ended. */
  readonly onEnd?: (stats: ExchangeStats) => void;
}

interface ReadRequest {
  readonly size: number;
  readonly project: string;
  readonly model: string | undefined;
  readonly finder: ThreadFinder;
  /** Occurrences of each call id in the history; set when the request is recorded. */
  ids: CallCounts;
  /** Prompt of the response's calls; set when the request is recorded. */
  promptPosition: PromptPosition;
  /** Number of calls in the history. */
  historyCalls: number;
  /** The complete request until it is recorded, so that its texts can be collected while the response is pending. */
  unrecorded:
    | { readonly decoded: DecodedRequest; readonly body: unknown; readonly restore: BodyText["restore"] }
    | undefined;
}

interface RecordedEnd {
  readonly response: DecodedResponse | undefined;
  readonly stats: ExchangeStats;
  readonly repaired: Repaired | undefined;
}

/** Converts one exchange to observations. */
export class ExchangeRecorder implements ExchangeSink {
  readonly #context: RecordingContext;
  readonly #start: ExchangeStart;
  readonly #startedAt: number;
  #client: Client | undefined;
  #request: ReadRequest | undefined;
  #thread: Thread | undefined;

  constructor(context: RecordingContext, start: ExchangeStart) {
    this.#context = context;
    this.#start = start;
    this.#startedAt = context.now();
  }

  recordRequest(raw: DecodedRequest, { body, restore }: ReadBody, size: number): void {
    // Calls are restored only when they are recorded: nearly all of a history was recorded before.
    const { calls, model: name, firstUserText, firstTurn } = raw;
    const decoded: DecodedRequest = {
      ...raw,
      ...(name !== undefined && { model: restore(name) }),
      firstUserText: restore(firstUserText),
      ...(firstTurn !== undefined && { firstTurn: restore(firstTurn) }),
    };
    const { observer, responses, storedConversations, now } = this.#context;
    const { head, provider, api } = this.#start;
    this.#client = clientOf(head, body);
    const identity = readIdentity(head, body);
    const results = () => calls.flatMap(({ id, name }) => (name === undefined ? [restore(id)] : []));
    const finderOptions = { api, head, provider, responses, storedConversations, hash: observer.hash, now };
    const finder = new ThreadFinder(finderOptions, decoded, identity, results);
    const { project } = identity;
    const unrecorded = { decoded, body, restore };
    const { model } = decoded;
    const promptPosition = { count: 0 };
    this.#request = {
      size,
      project,
      model,
      finder,
      ids: new CallCounts(),
      promptPosition,
      historyCalls: 0,
      unrecorded,
    };
    this.#thread = finder.atRequest();
    if (this.#thread !== undefined) this.#emitRequest(this.#request, this.#thread);
  }

  recordEnd(response: DecodedResponse | undefined, stats: ExchangeStats, repaired: Repaired | undefined): void {
    this.#start.onEnd?.(stats);
    const request = this.#request;
    if (request === undefined) return;
    // If the client sends no session id, the session is derived from the first response.
    this.#thread ??= request.finder.atEnd(response);
    const end = { response, stats, repaired };
    if (this.#thread !== undefined) this.#emitEnd(request, this.#thread, end);
    else {
      const isUrgent = (repaired?.calls.length ?? 0) > 0;
      const record = (thread: Thread): void => this.#emitLater(request, thread, end);
      request.finder.lookUp(response, { size: request.size, isUrgent }, record);
    }
  }

  /** Records after a store lookup. No caller is left to handle exceptions, so they are reported here. */
  #emitLater(request: ReadRequest, thread: Thread, end: RecordedEnd): void {
    this.#thread = thread;
    try {
      this.#emitEnd(request, thread, end);
    } catch (error) {
      this.#context.onUnreadable(`response: ${messageOf(error)}`);
    }
  }

  #emitEnd(request: ReadRequest, thread: Thread, { response, stats, repaired }: RecordedEnd): void {
    this.#emitRequest(request, thread);
    const calls = response === undefined ? [] : this.#responseCalls(response, request, thread, stats.endedAt, repaired);
    const held =
      response !== undefined
        ? request.finder.remember(thread, response, () => request.ids.all, request.promptPosition, stats.endedAt)
        : undefined;
    const observation = this.#response(response, stats, calls, held);
    const { batcher, observer } = this.#context;
    const leaks = (repaired?.leaks ?? []).map(
      (leak): LeakObservation => ({
        ...this.#base(stats.endedAt, response?.model),
        kind: "leak",
        request_id: this.#start.request_id,
        ...leakFacts(leak, response, observer),
      }),
    );
    for (const leak of leaks) this.#context.onLeak?.(leak);
    batcher.add(() => [observation, ...calls.map((call) => observer.observe(call)), ...leaks]);
    if ((repaired?.calls.length ?? 0) > 0) this.#context.onRepaired?.();
    this.#watchRepair(request, response, stats, repaired);
  }

  #watchRepair(
    { model, ids }: ReadRequest,
    response: DecodedResponse | undefined,
    { status, endedAt, refused }: ExchangeStats,
    repaired: Repaired | undefined,
  ): void {
    const { repairWatch } = this.#context;
    const changed = repaired?.callReports.filter(({ result }) => result === "repaired") ?? [];
    repairWatch?.onRepaired([
      ...(repaired?.calls.map(({ id }) => id) ?? []),
      ...changed.map(({ tool_call_id: id }) => id),
    ]);
    if (refused === true || !REJECTION_STATUSES.has(status)) return;
    const base = { ...this.#base(endedAt, model), request_id: this.#start.request_id };
    repairWatch?.onRejected({ base, status, ids: [...ids.all.keys()], message: response?.error });
  }

  /** Models write the names of tools. */
  #safeGuard({ tools, ...guard }: GuardFact): GuardFact {
    if (tools === undefined) return guard;
    return { ...guard, tools: tools.slice(0, MAX_REPORTED_CALLS).map((name) => this.#context.observer.safeName(name)) };
  }

  /** Runs once, as soon as the thread is known. */
  #emitRequest(request: ReadRequest, thread: Thread): void {
    if (request.unrecorded === undefined) return;
    const { size, project } = request;
    const { session_id, agent_id, conversation, before } = thread;
    const { decoded, body, restore } = request.unrecorded;
    request.unrecorded = undefined;
    const base = this.#base(this.#startedAt, decoded.model);
    const guard = this.#start.guardFact?.();
    const observation: RequestObservation = {
      ...base,
      kind: "request",
      request_id: this.#start.request_id,
      conversation,
      streaming: decoded.streaming,
      size_bytes: size,
      message_count: decoded.messageCount,
      tool_count: decoded.tools.length,
      ...(guard !== undefined && { guard: this.#safeGuard(guard) }),
    };
    const calls: NewCall[] = [];
    const fresh: (readonly [key: string, size: number])[] = [];
    const threadName = [project, session_id, agent_id, conversation].join("\u0000");
    const known = this.#context.recordedCalls.of(threadName);
    const ids = new CallCounts(before?.counts);
    request.ids = ids;
    const prompts = new RequestPrompts(decoded.prompts, restore, this.#context.prompts, before?.promptPosition);
    request.promptPosition = prompts.last();
    for (const [at, sent] of decoded.calls.entries()) {
      const call = before === undefined ? sent : continueCall(restore(sent), before);
      const id = before === undefined ? restore(call.id) : call.id;
      ids.add(id, call.n);
      const key = callCacheKey(call.id, call.n);
      const callSize = resultSize(call);
      if (known.get(key) === callSize) continue;
      fresh.push([key, callSize]);
      const whole = before === undefined ? restore(call) : call;
      const tools = toolsFor(whole.name, decoded.tools, restore);
      calls.push({ call: whole, tools, order: at, prompt: prompts.ofCall(at) });
    }
    request.historyCalls = decoded.calls.length;
    const observe = (call: NewCall) => observeHistoryCall(this.#context.observer, call, base, conversation);
    const promptSeen = this.#promptObservation(base, prompts, request.promptPosition.last);
    const { batcher, recordedCalls } = this.#context;
    this.#recordFolder([project, session_id].join("\u0000"), body, restore);
    for (let from = 0; from === 0 || from < calls.length; from += CALLS_PER_ENTRY) {
      const [part, keys] = [calls.slice(from, from + CALLS_PER_ENTRY), fresh.slice(from, from + CALLS_PER_ENTRY)];
      // Only acknowledged calls are cached, so that the others are recorded again.
      batcher.add(
        () => [...(from === 0 ? [observation, ...promptSeen] : []), ...part.map(observe)],
        () => recordedCalls.add(threadName, keys),
      );
    }
  }

  /** The name of the folder that the client works in, once per session. */
  #recordFolder(session: string, body: unknown, restore: BodyText["restore"]): void {
    const { batcher, observer, recordedCalls } = this.#context;
    const searches = recordedCalls.of(session).get(FOLDER) ?? 0;
    if (searches >= MAX_FOLDER_SEARCHES) return;
    const folder = folderName(restore(workingDirectory(body) ?? ""));
    if (folder === undefined) {
      recordedCalls.add(session, [[FOLDER, searches + 1]]);
      return;
    }
    // Without the model of the request: the one that responds may be another.
    const base = this.#base(this.#startedAt, undefined);
    batcher.add(
      () => [observer.admit({ ...base, kind: "session", event: "started", folder })],
      () => recordedCalls.add(session, [[FOLDER, MAX_FOLDER_SEARCHES]]),
    );
  }

  /** The last prompt, if texts are captured. Otherwise its calls contain all that is stored of it. */
  #promptObservation(
    base: ObservationBase,
    prompts: RequestPrompts,
    last: PromptRef | undefined,
  ): readonly PromptObservation[] {
    const { observer } = this.#context;
    const words = observer.capturesPrompts ? prompts.lastWords() : undefined;
    if (words === undefined || last === undefined) return [];
    return [{ ...base, kind: "prompt", ...last, ...observer.capturePrompt(words) }];
  }

  #responseCalls(
    response: DecodedResponse,
    { ids, promptPosition, historyCalls }: ReadRequest,
    { conversation }: Thread,
    at: number,
    repaired: Repaired | undefined,
  ): readonly RawCallObservation[] {
    const recoveries = recoveriesOf(repaired);
    const reports = new Map(repaired?.callReports.map((report) => [report.tool_call_id, report]));
    const made = response.calls.filter(({ id }) => id !== "");
    const first = made[0]?.id ?? "";
    const turn = turnId(first, ids.of(first));
    return made.map((call, index) => {
      const n = ids.of(call.id);
      ids.add(call.id, n);
      return {
        ...this.#base(at, response.model),
        tool_call_id: call.id,
        place: { kind: "response", conversation, n, response_id: response.id ?? this.#start.request_id },
        ...promptPosition.last,
        name: call.name,
        arguments: call.arguments,
        turn,
        turn_index: index,
        order: historyCalls + index,
        ...(recoveries.get(call.id) ?? { origin: "native" }),
        ...callRepairFacts(reports.get(call.id)),
      };
    });
  }

  #response(
    response: DecodedResponse | undefined,
    stats: ExchangeStats,
    calls: readonly RawCallObservation[],
    held: StoredResponseRef | undefined,
  ): Observation {
    const { firstByteAt, endedAt } = stats;
    return {
      ...this.#base(endedAt, response?.model),
      kind: "response",
      request_id: this.#start.request_id,
      http_status: stats.status,
      ended: stats.ended,
      size_bytes: stats.size,
      duration_ms: this.#sinceStart(endedAt),
      ...(firstByteAt !== undefined && { first_byte_ms: this.#sinceStart(firstByteAt) }),
      ...(response?.stopReason !== undefined && { stop_reason: this.#context.observer.safeName(response.stopReason) }),
      ...(response !== undefined && hasTokens(response.usage) && { usage: response.usage }),
      ...(response?.id !== undefined && response.id !== "" && { response_id: response.id }),
      ...(calls[0]?.turn !== undefined && { turn: calls[0].turn }),
      tool_call_ids: calls.map((call) => call.tool_call_id),
      ...(held !== undefined && { stored_response: held }),
      ...secondChanceFacts(this.#start.secondChance?.(), this.#context.observer),
    };
  }

  /** Not negative, even if the clock was set back. */
  #sinceStart(at: number): number {
    return Math.max(0, at - this.#startedAt);
  }

  #base(occurredAt: number, model: string | undefined): ObservationBase {
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
      ...this.#client,
      api: this.#start.api,
    };
  }
}
