import { isObject } from "../../wire/json.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "../stream/queued-event.ts";
import { jsonOf, withData } from "../stream/sse-frame.ts";
import type { StreamFrame } from "../types.ts";
import { JsonCalls } from "./json-calls.ts";
import type { CallContext, NativeCall } from "./native-call.ts";
import type { CallReport } from "./types.ts";

/** Repairs the native calls of a stream whose events contain whole calls, so that no event has to wait. */
export class WholeCallStream implements StreamReader {
  readonly turns = [];
  readonly #context: CallContext;
  readonly #calls: NativeCall[] = [];

  constructor(context: CallContext) {
    this.#context = context;
  }

  get callReports(): readonly CallReport[] {
    return this.#calls.flatMap(({ report }) => report ?? []);
  }

  keepAlive(): undefined {}

  read(frame: StreamFrame): QueuedEvent {
    const body = jsonOf(frame);
    if (!isObject(body) || frame.data === undefined) return new UnchangedEvent(frame);
    const chunk = new JsonCalls(frame.data, this.#context, this.#calls);
    if (this.#context.api === "gemini") chunk.readGemini(body);
    else chunk.readOllama(body);
    const { text } = chunk;
    if (text === frame.data) return new UnchangedEvent(frame);
    return { frame, isReady: () => true, render: () => [withData(frame, text)] };
  }
}
