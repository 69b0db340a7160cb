import type { ArgumentsPiece } from "../../calls/index.ts";
import { present } from "../../model/narrow.ts";
import { count, type Fields, isObject, text } from "../../wire/json.ts";
import { Edits, spanAt } from "../json/json-spans.ts";
import { rebuildObject } from "../json/rebuild-object.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "../stream/queued-event.ts";
import { jsonOf, newEvent, withData } from "../stream/sse-frame.ts";
import type { StreamFrame } from "../types.ts";
import { type CallContext, NativeCall } from "./native-call.ts";
import type { CallReport } from "./types.ts";

/** A `tool_use` block that has not ended. */
interface OpenBlock {
  readonly call: NativeCall;
  /** Arguments in the start event of the block, where most clients do not look for them; "" without any. */
  readonly startInput: string;
}

/** Repairs the native calls in a stream of blocks. */
export class MessagesCallStream implements StreamReader {
  readonly turns = [];
  readonly #context: CallContext;
  readonly #open = new Map<number, OpenBlock>();
  readonly #calls: NativeCall[] = [];

  constructor(context: CallContext) {
    this.#context = context;
  }

  get callReports(): readonly CallReport[] {
    return this.#calls.flatMap(({ report }) => report ?? []);
  }

  keepAlive(): Uint8Array {
    return newEvent('{"type": "ping"}', "ping");
  }

  release(): void {
    for (const { call } of this.#open.values()) call.end(true);
    this.#open.clear();
  }

  read(frame: StreamFrame): QueuedEvent {
    const event = jsonOf(frame);
    if (!isObject(event)) return new UnchangedEvent(frame);
    switch (event.type) {
      case "content_block_start":
        return this.#start(frame, event);
      case "content_block_delta":
        return this.#delta(frame, event);
      case "content_block_stop":
        return this.#stop(frame, event);
      case "message_delta":
        return this.#messageDelta(frame, event);
    }
    return new UnchangedEvent(frame);
  }

  #start(frame: StreamFrame, event: Fields): QueuedEvent {
    const before = this.#closeOpenBlocks();
    const block = isObject(event.content_block) ? event.content_block : {};
    const written = text(block.name);
    if (block.type !== "tool_use" || written === undefined)
      return { frame, isReady: () => true, render: () => [...before, frame.raw] };
    const { calls } = this.#context;
    const id = text(block.id) ?? "";
    const call = new NativeCall(this.#context, id, calls.isEnabled("id"));
    this.#calls.push(call);
    call.nameAs(written);
    const data = present(frame.data);
    const changes = new Map<string, string>();
    if (call.id !== id && call.id !== "") changes.set("id", JSON.stringify(call.id));
    if (call.name !== written) changes.set("name", JSON.stringify(call.name));
    const startInput = inputText(data, block.input);
    if (calls.isEnabled("input-place") && (startInput !== "" || !isObject(block.input))) {
      changes.set("input", "{}");
      call.note("input-place", "input");
    }
    this.#open.set(indexOf(event), { call, startInput: changes.has("input") ? startInput : "" });
    const span = changes.size === 0 ? undefined : spanAt(data, ["content_block"]);
    const edits = new Edits();
    if (span !== undefined) edits.replace(span, rebuildObject(data, span.start, changes));
    const own = edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw;
    return { frame, isReady: () => true, render: () => [...before, own] };
  }

  #delta(frame: StreamFrame, event: Fields): QueuedEvent {
    const open = this.#open.get(indexOf(event));
    const delta = isObject(event.delta) ? event.delta : {};
    const written = text(delta.partial_json);
    if (open === undefined || delta.type !== "input_json_delta" || written === undefined)
      return new UnchangedEvent(frame);
    const piece: ArgumentsPiece = open.call.push(written);
    if (piece.isDecided && piece.text === written) return new UnchangedEvent(frame, true);
    return {
      frame,
      isReady: () => piece.isDecided,
      render: () => [piece.text === written ? frame.raw : withPartialJson(frame, piece.text)],
    };
  }

  #stop(frame: StreamFrame, event: Fields): QueuedEvent {
    const index = indexOf(event);
    const open = this.#open.get(index);
    if (open === undefined) return new UnchangedEvent(frame);
    const rest = this.#close(index, open);
    const added = rest === "" ? [] : [deltaEvent(index, rest)];
    return { frame, isReady: () => true, render: () => [...added, frame.raw] };
  }

  /** Ends a block. Returns arguments that need a separate event. */
  #close(index: number, { call, startInput }: OpenBlock, isCutOff = false): string {
    this.#open.delete(index);
    if (call.hasArguments) return call.end(isCutOff);
    // Without arguments, clients assume an empty object, so nothing needs to be added.
    if (startInput === "") return "";
    const piece = call.push(startInput);
    const rest = call.end(isCutOff);
    return piece.text + rest;
  }

  /** Ends blocks whose end event did not arrive before the next block or the end of the message. */
  #closeOpenBlocks(isCutOff = false): readonly Uint8Array[] {
    if (this.#open.size === 0) return [];
    const events: Uint8Array[] = [];
    for (const [index, open] of this.#open) {
      const rest = this.#close(index, open, isCutOff);
      if (rest !== "") events.push(deltaEvent(index, rest));
      if (isCutOff || !open.call.allows("missing-event")) continue;
      open.call.note("missing-event", "content_block_stop");
      events.push(newEvent(`{"type":"content_block_stop","index":${index}}`, "content_block_stop"));
    }
    return events;
  }

  #messageDelta(frame: StreamFrame, event: Fields): QueuedEvent {
    const reason = isObject(event.delta) ? text(event.delta.stop_reason) : undefined;
    const before = reason === undefined ? [] : this.#closeOpenBlocks(reason !== "end_turn" && reason !== "tool_use");
    const [first] = this.#calls;
    if (reason !== "end_turn" || first?.allows("stop-reason") !== true)
      return { frame, isReady: () => true, render: () => [...before, frame.raw] };
    first.note("stop-reason", "stop_reason");
    const data = present(frame.data);
    const span = spanAt(data, ["delta", "stop_reason"]);
    const edits = new Edits();
    if (span !== undefined) edits.replace(span, '"tool_use"');
    return { frame, isReady: () => true, render: () => [...before, withData(frame, edits.apply(data))] };
  }
}

function indexOf(event: Fields): number {
  return count(event.index) ?? 0;
}

/** The input in the start event of the block as text; "" if it is empty, as it should be. */
function inputText(data: string, input: unknown): string {
  if (typeof input === "string") return input;
  if (!isObject(input) || Object.keys(input).length === 0) return "";
  const span = spanAt(data, ["content_block", "input"]);
  return span === undefined ? "" : data.slice(span.start, span.end);
}

function withPartialJson(frame: StreamFrame, partial: string): Uint8Array {
  const data = present(frame.data);
  const span = spanAt(data, ["delta", "partial_json"]);
  const edits = new Edits();
  if (span !== undefined) edits.replace(span, JSON.stringify(partial));
  return withData(frame, edits.apply(data));
}

function deltaEvent(index: number, partial: string): Uint8Array {
  const delta = `{"type":"input_json_delta","partial_json":${JSON.stringify(partial)}}`;
  return newEvent(`{"type":"content_block_delta","index":${index},"delta":${delta}}`, "content_block_delta");
}
