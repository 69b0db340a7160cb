import { present } from "../../model/narrow.ts";
import { count, type Fields, isObject, objects, text } from "../../wire/json.ts";
import { Edits, spanAt } from "../json/json-spans.ts";
import {
  callItem,
  callItemId,
  editItem,
  endProblem,
  isCallItem,
  isRemovedItem,
  newName,
  writeItemNames,
  writeResponse,
} from "../json/responses-json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall, StreamFrame } from "../types.ts";
import type { QueuedEvent, StreamReader } from "./queued-event.ts";
import { SequenceNumbers } from "./sequence-numbers.ts";
import { jsonOf, newEvent, withData } from "./sse-frame.ts";

/** Rewrites the data of an event in a repaired turn; returns undefined to drop the event. */
type Rewrite = (data: string) => string | undefined;

/** A message that is still being streamed. */
interface OpenItem {
  readonly parts: Map<number, TextSegment>;
  done: boolean;
}

const ENDINGS = new Set<unknown>(["response.completed", "response.incomplete", "response.failed"]);

/** Reads a stream of items as one turn. All events of an item must agree, and sequence numbers must have no gaps. */
export class ResponsesStream implements StreamReader {
  readonly #turn: RepairTurn;
  readonly turns: readonly RepairTurn[];
  readonly #randomAlphanumeric: (length: number) => string;
  readonly #messages = new Map<number, OpenItem>();
  /** Corrected names of native calls, by item. */
  readonly #names = new Map<number, string>();
  #lastIndex = -1;
  readonly #numbers = new SequenceNumbers();

  constructor(context: TurnContext) {
    this.#turn = new RepairTurn(context);
    this.#randomAlphanumeric = context.options.randomAlphanumeric;
    this.turns = [this.#turn];
  }

  read(frame: StreamFrame): QueuedEvent {
    const body = jsonOf(frame);
    if (!isObject(body)) return { frame, isReady: () => true, render: () => [frame.raw] };
    const index = count(body.output_index);
    if (index !== undefined) this.#lastIndex = Math.max(this.#lastIndex, index);
    if (this.#turn.isOver) return this.#queue(frame, body, () => true);
    switch (body.type) {
      case "response.created":
        this.#numbers.open(frame.data);
        break;
      case "response.output_item.added":
        return this.#itemAdded(frame, body);
      case "response.content_part.added":
        return this.#partAdded(frame, body);
      case "response.output_text.delta":
        if (objects(body.logprobs).length > 0) this.#turn.forbid("logprobs");
        return this.#text(frame, body, text(body.delta), ["delta"]);
      case "response.output_text.annotation.added":
        this.#turn.forbid("citations");
        break;
      case "response.output_text.done":
        return this.#textDone(frame, body, ["text"]);
      case "response.content_part.done":
        return this.#textDone(frame, body, ["part", "text"]);
      case "response.output_item.done":
        return this.#itemDone(frame, body);
      case "error":
        this.#turn.end("error");
    }
    return ENDINGS.has(body.type) ? this.#end(frame, body) : this.#queue(frame, body, () => true);
  }

  keepAlive(): Uint8Array | undefined {
    return this.#numbers.keepAlive();
  }

  #itemAdded(frame: StreamFrame, body: Fields): QueuedEvent {
    const item = isObject(body.item) ? body.item : {};
    if (isCallItem(item)) this.#turn.forbid("native-call");
    const name = newName(this.#turn, item);
    if (name !== undefined) this.#names.set(count(body.output_index) ?? 0, name);
    if (item.type !== "message") return this.#queue(frame, body, () => true);
    const open: OpenItem = { parts: new Map(), done: false };
    this.#messages.set(count(body.output_index) ?? 0, open);
    // A message starts with its first visible text.
    const hasStarted = () => [...open.parts.values()].some((segment) => this.#turn.canEmit(segment, 0));
    return this.#queue(
      frame,
      body,
      () => this.#turn.isPassedThrough || hasStarted() || (open.done && open.parts.size === 0),
    );
  }

  #partAdded(frame: StreamFrame, body: Fields): QueuedEvent {
    const part = isObject(body.part) ? body.part : {};
    if (part.type === "refusal") this.#turn.forbid("refusal");
    if (part.type === "output_text") return this.#text(frame, body, text(part.text), ["part", "text"]);
    return this.#queue(frame, body, () => true);
  }

  /** Handles an event with a piece of text at `path`. */
  #text(frame: StreamFrame, body: Fields, addition: string | undefined, path: readonly string[]): QueuedEvent {
    const segment = this.#segmentOf(body);
    const start = segment.length;
    segment.push(addition ?? "");
    const end = segment.length;
    const rewrite: Rewrite = (data) => {
      const remainder = segment.remaining(start, end);
      if (remainder.length === end - start) return data;
      return remainder === "" && path[0] === "delta" ? undefined : replaceAt(data, path, remainder);
    };
    return this.#queue(frame, body, () => this.#turn.canEmit(segment, end), rewrite);
  }

  /** Handles an event that repeats the complete text. */
  #textDone(frame: StreamFrame, body: Fields, path: readonly string[]): QueuedEvent {
    const segment = this.#messages.get(count(body.output_index) ?? 0)?.parts.get(count(body.content_index) ?? 0);
    if (segment === undefined) return this.#queue(frame, body, () => true);
    segment.end();
    const rewrite: Rewrite = (data) =>
      segment.accepted.length === 0 ? data : replaceAt(data, path, segment.remaining(0, segment.length));
    return this.#queue(frame, body, () => this.#turn.canEmit(segment, segment.length), rewrite);
  }

  #itemDone(frame: StreamFrame, body: Fields): QueuedEvent {
    const open = this.#messages.get(count(body.output_index) ?? 0);
    if (open === undefined) return this.#queue(frame, body, () => true);
    open.done = true;
    for (const segment of open.parts.values()) segment.end();
    const ready = () => [...open.parts.values()].every((segment) => this.#turn.canEmit(segment, segment.length));
    return this.#queue(frame, body, ready, (data) => {
      const edits = new Edits();
      editItem(data, spanAt(data, ["item"])?.start ?? 0, open.parts, edits);
      return edits.apply(data);
    });
  }

  #end(frame: StreamFrame, body: Fields): QueuedEvent {
    const response = isObject(body.response) ? body.response : {};
    this.#turn.end(body.type === "response.failed" ? "error" : endProblem(response));
    const turn = this.#turn;
    const itemIds = turn.calls.map((call) => callItemId(call, this.#randomAlphanumeric));
    return {
      frame,
      isReady: () => true,
      render: () => {
        const data = present(frame.data);
        const at = spanAt(data, ["response"])?.start ?? 0;
        if (!turn.isRepaired) return this.#numbered(frame, body, writeItemNames(data, at, this.#names));
        const segments = new Map([...this.#messages].map(([index, { parts }]) => [index, parts]));
        const end = writeResponse(data, at, turn, segments, itemIds);
        const first = this.#newIndex(this.#lastIndex + 1);
        const calls = turn.calls.flatMap((call, at) => callEvents(call, present(itemIds[at]), first + at));
        return [...calls.flatMap((event) => this.#generated(event, body)), ...this.#numbered(frame, body, end)];
      },
    };
  }

  #queue(frame: StreamFrame, body: Fields, isReady: () => boolean, rewrite?: Rewrite): QueuedEvent {
    return { frame, isReady, render: () => this.#render(frame, body, rewrite) };
  }

  #render(frame: StreamFrame, body: Fields, rewrite: Rewrite | undefined): readonly Uint8Array[] {
    const index = count(body.output_index);
    let data: string | undefined = this.#withName(present(frame.data), body, index);
    if (this.#turn.isRepaired && index !== undefined) {
      const removed = isRemovedItem(this.#messages.get(index)?.parts);
      data = removed ? undefined : rewrite === undefined ? data : rewrite(data);
      const newIndex = this.#newIndex(index);
      if (data !== undefined && newIndex !== index) data = replaceAt(data, ["output_index"], newIndex);
    }
    if (data !== undefined) return this.#numbered(frame, body, data);
    this.#numbers.drop();
    return [];
  }

  #withName(data: string, { item, name: written }: Fields, index: number | undefined): string {
    const name = index === undefined ? undefined : this.#names.get(index);
    if (name === undefined) return data;
    if (isObject(item)) return replaceAt(data, ["item", "name"], name);
    return typeof written === "string" ? replaceAt(data, ["name"], name) : data;
  }

  /** The event with this data and its sequence number in the output. */
  #numbered(frame: StreamFrame, body: Fields, data: string): readonly Uint8Array[] {
    const number = count(body.sequence_number);
    if (number === undefined) return [withData(frame, data)];
    const emitted = this.#numbers.emit(number);
    return [withData(frame, this.#numbers.isShifted ? replaceAt(data, ["sequence_number"], emitted) : data)];
  }

  /** Numbers a generated event that precedes `before`, and shifts the numbers of all later events. */
  #generated(event: Readonly<Record<string, unknown>>, before: Fields): readonly Uint8Array[] {
    const numbered = { ...event, ...this.#numbers.insertBefore(count(before.sequence_number)) };
    return [newEvent(JSON.stringify(numbered), String(event.type))];
  }

  /** The index without removed messages, so that no gap remains. */
  #newIndex(index: number): number {
    let removed = 0;
    for (const [other, { parts }] of this.#messages) if (other < index && isRemovedItem(parts)) removed += 1;
    return index - removed;
  }

  #segmentOf(body: Fields): TextSegment {
    const index = count(body.output_index) ?? 0;
    const open = this.#messages.get(index) ?? { parts: new Map<number, TextSegment>(), done: false };
    this.#messages.set(index, open);
    const at = count(body.content_index) ?? 0;
    const existing = open.parts.get(at);
    if (existing !== undefined) return existing;
    const segment = this.#turn.newSegment();
    open.parts.set(at, segment);
    return segment;
  }
}

function replaceAt(data: string, path: readonly string[], value: string | number): string {
  const span = spanAt(data, path);
  if (span === undefined) return data;
  const edits = new Edits();
  edits.replace(span, JSON.stringify(value));
  return edits.apply(data);
}

/** The events of one call as the API sends them, without sequence numbers; these are assigned on output. */
export function callEvents(
  call: RepairedCall,
  itemId: string,
  outputIndex: number,
): readonly Readonly<Record<string, unknown>>[] {
  const outputPosition = { output_index: outputIndex };
  const [type, field] =
    call.custom === true
      ? ["response.custom_tool_call_input", "input"]
      : ["response.function_call_arguments", "arguments"];
  return [
    { type: "response.output_item.added", ...outputPosition, item: JSON.parse(callItem(call, itemId, "added")) },
    { type: `${type}.delta`, item_id: itemId, ...outputPosition, delta: call.arguments },
    { type: `${type}.done`, item_id: itemId, ...outputPosition, name: call.name, [field]: call.arguments },
    { type: "response.output_item.done", ...outputPosition, item: JSON.parse(callItem(call, itemId)) },
  ];
}
