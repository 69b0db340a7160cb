import { chooseClientProfile, type DeclaredTool } from "../core/detect/index.ts";
import type { CallObservation, Observation, Seen } from "../core/model/observation.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type HistoryCall,
  type RequestHead,
  readIdentity,
} from "../core/wire/index.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { ExchangeFigures, ExchangeListener } from "./exchange-reader.ts";
import { type Thread, ThreadFinder } from "./exchange-thread.ts";
import type { ResponseMemory } from "./response-memory.ts";
import type { SeenCalls } from "./seen-calls.ts";

/** What all exchanges of one proxy share. */
export interface RecordingContext {
  readonly observer: CallObserver;
  readonly seen: SeenCalls;
  readonly memory: ResponseMemory;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onUnreadable: (reason: string) => void;
}

export interface ExchangeStart {
  readonly api: Api;
  readonly provider: string;
  readonly request_id: string;
  readonly head: RequestHead;
}

/** Turns what one exchange said into observations. */
export class ExchangeRecorder implements ExchangeListener {
  readonly #context: RecordingContext;
  readonly #start: ExchangeStart;
  readonly #startedAt: number;
  readonly #client: string;
  #request: { readonly decoded: DecodedRequest; readonly size: number; readonly finder: ThreadFinder } | undefined;
  #project = "default";
  #thread: Thread | undefined;

  constructor(context: RecordingContext, start: ExchangeStart) {
    this.#context = context;
    this.#start = start;
    this.#startedAt = context.now();
    this.#client = chooseClientProfile({ userAgent: start.head("user-agent") ?? "" });
  }

  onRequest(decoded: DecodedRequest, body: unknown, size: number): void {
    const { observer, memory, now } = this.#context;
    const { head, provider } = this.#start;
    const identity = readIdentity(head, body);
    const finder = new ThreadFinder({ head, provider, memory, hash: observer.hash, now }, decoded, identity);
    this.#request = { decoded, size, finder };
    this.#project = identity.project;
    this.#thread = finder.atRequest();
    if (this.#thread !== undefined) void this.#recordRequest(this.#thread);
  }

  onEnd(answer: DecodedResponse | undefined, figures: ExchangeFigures): void {
    if (this.#request === undefined) return;
    const { finder } = this.#request;
    if (this.#thread === undefined) {
      this.#thread = finder.atEnd(answer);
      void this.#recordRequest(this.#thread);
    }
    const calls = answer === undefined ? [] : this.#madeCalls(answer, this.#thread, figures.endedAt);
    if (answer !== undefined && this.#start.api === "responses") finder.remember(this.#thread, answer);
    void this.#context.record([this.#response(answer, figures, calls), ...calls]);
  }

  onUnreadable(reason: string): void {
    this.#context.onUnreadable(reason);
  }

  async #recordRequest(thread: Thread): Promise<void> {
    if (this.#request === undefined) return;
    const { decoded, size } = this.#request;
    const observations: Observation[] = [
      {
        ...this.#about(this.#startedAt, decoded.model),
        kind: "request",
        request_id: this.#start.request_id,
        streaming: decoded.streaming,
        size_bytes: size,
        message_count: decoded.messageCount,
        tool_count: decoded.tools.length,
      },
    ];
    const fresh: (readonly [key: string, size: number])[] = [];
    for (const call of thread.calls) {
      const key = [thread.session_id, thread.agent_id, thread.conversation, call.id, call.n].join("\u0000");
      const callSize = sizeOf(call);
      if (this.#context.seen.has(key, callSize)) continue;
      fresh.push([key, callSize]);
      observations.push(this.#historyCall(call, decoded, thread.conversation));
    }
    const acknowledged = await this.#context.record(observations);
    if (acknowledged > 0) for (const [key, callSize] of fresh) this.#context.seen.add(key, callSize);
  }

  #historyCall(call: HistoryCall, request: DecodedRequest, conversation: string): CallObservation {
    return this.#context.observer.observe({
      ...this.#about(this.#startedAt, request.model),
      tool_call_id: call.id,
      place: { kind: "history", conversation, n: call.n },
      tools: request.tools as readonly DeclaredTool[],
      ...(call.name !== undefined && { name: call.name }),
      ...(call.arguments !== undefined && { arguments: call.arguments }),
      ...(call.result !== undefined && { result: call.result }),
    });
  }

  #madeCalls(answer: DecodedResponse, thread: Thread, at: number): readonly CallObservation[] {
    const { conversation } = thread;
    const earlier = new Map(thread.before?.counts);
    for (const { id, n } of thread.calls) earlier.set(id, Math.max(earlier.get(id) ?? 0, n + 1));
    return answer.calls
      .filter(({ id }) => id !== "")
      .map((call) => {
        const n = earlier.get(call.id) ?? 0;
        earlier.set(call.id, n + 1);
        return this.#context.observer.observe({
          ...this.#about(at, answer.model),
          tool_call_id: call.id,
          place: { kind: "response", conversation, n, response_id: answer.id ?? this.#start.request_id },
          name: call.name,
          arguments: call.arguments,
          origin: "native",
        });
      });
  }

  #response(
    answer: DecodedResponse | undefined,
    figures: ExchangeFigures,
    calls: readonly CallObservation[],
  ): Observation {
    const { firstByteAt, endedAt } = figures;
    return {
      ...this.#about(endedAt, answer?.model),
      kind: "response",
      request_id: this.#start.request_id,
      http_status: figures.status,
      ended: figures.ended,
      size_bytes: figures.size,
      duration_ms: endedAt - this.#startedAt,
      ...(firstByteAt !== undefined && { first_byte_ms: firstByteAt - this.#startedAt }),
      ...(answer?.stopReason !== undefined && { stop_reason: answer.stopReason }),
      ...answer?.usage,
      tool_call_ids: calls.map((call) => call.tool_call_id),
    };
  }

  #about(occurredAt: number, model: string | undefined): Seen {
    return {
      v: 1,
      project: this.#project,
      session_id: this.#thread?.session_id ?? "",
      agent_id: this.#thread?.agent_id ?? "",
      source: "proxy",
      occurred_at: occurredAt,
      seen_at: this.#context.now(),
      live: true,
      request_id: this.#start.request_id,
      ...(model !== undefined && { model }),
      provider: this.#start.provider,
      client: this.#client,
      api: this.#start.api,
    };
  }
}

/** Tells a call from the same call with its result, and a result from a replaced one, without reading texts again. */
function sizeOf({ result }: HistoryCall): number {
  if (result === undefined) return -1;
  return typeof result.content === "string" ? result.content.length : JSON.stringify(result.content ?? "").length;
}
