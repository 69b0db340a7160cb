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
import { continueCall, type ResponseMemory } from "./response-memory.ts";
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
  #request: { readonly decoded: DecodedRequest; readonly size: number } | undefined;
  #project = "default";
  #finder: ThreadFinder | undefined;
  #thread: Thread | undefined;
  /** How often each id stands in the history. */
  #ids: Map<string, number> = new Map();

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
    this.#project = identity.project;
    this.#finder = new ThreadFinder({ head, provider, memory, hash: observer.hash, now }, decoded, identity);
    this.#request = { decoded, size };
    this.#thread = this.#finder.atRequest();
    if (this.#thread !== undefined) this.#startRecording(this.#thread);
  }

  onEnd(answer: DecodedResponse | undefined, figures: ExchangeFigures): void {
    if (this.#finder === undefined) return;
    if (this.#thread === undefined) {
      // The first answer names the session of a client that does not.
      this.#thread = this.#finder.atEnd(answer);
      this.#startRecording(this.#thread);
    }
    const calls = answer === undefined ? [] : this.#madeCalls(answer, this.#thread, figures.endedAt);
    if (answer !== undefined && this.#start.api === "responses") this.#finder.remember(this.#thread, answer, this.#ids);
    void this.#context.record([this.#response(answer, figures, calls), ...calls]);
  }

  onUnreadable(reason: string): void {
    this.#context.onUnreadable(reason);
  }

  /** Nobody waits for it: what goes wrong must end here, not as an unhandled rejection. */
  #startRecording(thread: Thread): void {
    this.#recordRequest(thread).catch((error: unknown) => this.onUnreadable(`request: ${(error as Error).message}`));
  }

  async #recordRequest(thread: Thread): Promise<void> {
    if (this.#request === undefined) return;
    const { decoded, size } = this.#request;
    const { session_id, agent_id, conversation, before } = thread;
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
    this.#ids = new Map(before?.counts);
    for (const sent of decoded.calls) {
      const call = before === undefined ? sent : continueCall(sent, before);
      this.#ids.set(call.id, Math.max(this.#ids.get(call.id) ?? 0, call.n + 1));
      const key = [this.#project, session_id, agent_id, conversation, call.id, call.n].join("\u0000");
      const callSize = sizeOf(call);
      if (this.#context.seen.has(key, callSize)) continue;
      fresh.push([key, callSize]);
      observations.push(this.#historyCall(call, decoded, conversation));
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

  #madeCalls(answer: DecodedResponse, { conversation }: Thread, at: number): readonly CallObservation[] {
    return answer.calls
      .filter(({ id }) => id !== "")
      .map((call) => {
        const n = this.#ids.get(call.id) ?? 0;
        this.#ids.set(call.id, n + 1);
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
  if (typeof result.content === "string") return result.content.length;
  try {
    return JSON.stringify(result.content ?? "").length;
  } catch {
    // Nested deeper than can be written.
    return 0;
  }
}
