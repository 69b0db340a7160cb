import { count, type Fields, isObject, objects, text } from "../../wire/json.ts";
import { Edits } from "../json/edits.ts";
import { spanAt } from "../json/json-spans.ts";
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
import { jsonOf, newEvent, withData } from "./sse-frame.ts";
import type { QueuedEvent, StreamReader } from "./stream-repairer.ts";

/** Rewrites the data of an event of a mended turn; undefined: the event goes. */
type Rewrite = (data: string) => string | undefined;

/** A message while it is being sent. */
interface OpenItem {
  readonly parts: Map<number, TextSegment>;
  done: boolean;
}

const ENDINGS = new Set<unknown>(["response.completed", "response.incomplete", "response.failed"]);

/** A stream of items: one turn. All events of an item say the same, and are numbered without a gap. */
export class ResponsesStream implements StreamReader {
  readonly #turn: RepairTurn;
  readonly turns: readonly RepairTurn[];
  readonly #letters: (length: number) => string;
  readonly #messages = new Map<number, OpenItem>();
  /** Names of native calls that were put right, by item. */
  readonly #names = new Map<number, string>();
  #lastIndex = -1;
  /** By how much the numbers of events differ from the upstream's. */
  #shift = 0;
  #lastNumber: number | undefined;
  /** The first event with the whole response: what says that it is still going on. */
  #opening: string | undefined;

  constructor(context: TurnContext) {
    this.#turn = new RepairTurn(context);
    this.#letters = context.options.randomAlphanumeric;
    this.turns = [this.#turn];
  }

  read(frame: StreamFrame): QueuedEvent {
    const body = jsonOf(frame);
    if (!isObject(body)) return { frame, isReady: () => true, render: () => [frame.raw] };
    const index = count(body.output_index);
    if (index !== undefined) this.#lastIndex = Math.max(this.#lastIndex, index);
    if (this.#turn.isOver) return this.#held(frame, body, () => true);
    switch (body.type) {
      case "response.created":
        this.#opening ??= frame.data;
        break;
      case "response.output_item.added":
        return this.#itemAdded(frame, body);
      case "response.content_part.added":
        if (isObject(body.part) && body.part.type === "refusal") this.#turn.forbid("refusal");
        if (isObject(body.part) && body.part.type === "output_text")
          return this.#text(frame, body, text(body.part.text), ["part", "text"]);
        break;
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
    return ENDINGS.has(body.type) ? this.#end(frame, body) : this.#held(frame, body, () => true);
  }

  keepAlive(): Uint8Array | undefined {
    if (this.#opening === undefined) return undefined;
    const type = spanAt(this.#opening, ["type"]);
    const number = spanAt(this.#opening, ["sequence_number"]);
    const edits = new Edits();
    if (type !== undefined) edits.replace(type, '"response.in_progress"');
    if (number !== undefined && this.#lastNumber !== undefined) {
      this.#lastNumber += 1;
      this.#shift += 1;
      edits.replace(number, String(this.#lastNumber));
    }
    return newEvent(edits.apply(this.#opening), "response.in_progress");
  }

  #itemAdded(frame: StreamFrame, body: Fields): QueuedEvent {
    const item = isObject(body.item) ? body.item : {};
    if (isCallItem(item)) this.#turn.forbid("native-call");
    const name = newName(this.#turn, item);
    if (name !== undefined) this.#names.set(count(body.output_index) ?? 0, name);
    if (item.type !== "message") return this.#held(frame, body, () => true);
    const open: OpenItem = { parts: new Map(), done: false };
    this.#messages.set(count(body.output_index) ?? 0, open);
    // A message begins with its first text that can be seen.
    const begun = () => [...open.parts.values()].some((unit) => this.#turn.canEmit(unit, 0));
    return this.#held(frame, body, () => this.#turn.isPassedThrough || begun() || (open.done && open.parts.size === 0));
  }

  /** A stretch of text that stands at a place of the event. */
  #text(frame: StreamFrame, body: Fields, words: string | undefined, path: readonly string[]): QueuedEvent {
    const unit = this.#unitOf(body);
    const start = unit.length;
    unit.push(words ?? "");
    const end = unit.length;
    const rewrite: Rewrite = (data) => {
      const rest = unit.remaining(start, end);
      if (rest.length === end - start) return data;
      return rest === "" && path[0] === "delta" ? undefined : replaced(data, path, rest);
    };
    return this.#held(frame, body, () => this.#turn.canEmit(unit, end), rewrite);
  }

  /** The whole text again. */
  #textDone(frame: StreamFrame, body: Fields, path: readonly string[]): QueuedEvent {
    const unit = this.#messages.get(count(body.output_index) ?? 0)?.parts.get(count(body.content_index) ?? 0);
    if (unit === undefined) return this.#held(frame, body, () => true);
    unit.end();
    const rewrite: Rewrite = (data) =>
      unit.accepted.length === 0 ? data : replaced(data, path, unit.remaining(0, unit.length));
    return this.#held(frame, body, () => this.#turn.canEmit(unit, unit.length), rewrite);
  }

  #itemDone(frame: StreamFrame, body: Fields): QueuedEvent {
    const open = this.#messages.get(count(body.output_index) ?? 0);
    if (open === undefined) return this.#held(frame, body, () => true);
    open.done = true;
    for (const unit of open.parts.values()) unit.end();
    const ready = () => [...open.parts.values()].every((unit) => this.#turn.canEmit(unit, unit.length));
    return this.#held(frame, body, ready, (data) => {
      const edits = new Edits();
      editItem(data, spanAt(data, ["item"])?.start ?? 0, open.parts, edits);
      return edits.apply(data);
    });
  }

  #end(frame: StreamFrame, body: Fields): QueuedEvent {
    const response = isObject(body.response) ? body.response : {};
    this.#turn.end(body.type === "response.failed" ? "error" : endProblem(response));
    const turn = this.#turn;
    const itemIds = turn.calls.map((call) => callItemId(call, this.#letters));
    return {
      frame,
      isReady: () => true,
      render: () => {
        const data = frame.data as string;
        const at = spanAt(data, ["response"])?.start ?? 0;
        if (!turn.isRepaired) return this.#numbered(frame, body, writeItemNames(data, at, this.#names));
        const units = new Map([...this.#messages].map(([index, { parts }]) => [index, parts]));
        const end = writeResponse(data, at, turn, units, itemIds);
        const first = this.#indexNow(this.#lastIndex + 1);
        const calls = turn.calls.flatMap((call, at) => callEvents(call, itemIds[at] as string, first + at));
        return [...calls.flatMap((event) => this.#own(event, body)), ...this.#numbered(frame, body, end)];
      },
    };
  }

  #held(frame: StreamFrame, body: Fields, mayLeave: () => boolean, rewrite?: Rewrite): QueuedEvent {
    return { frame, isReady: mayLeave, render: () => this.#render(frame, body, rewrite) };
  }

  #render(frame: StreamFrame, body: Fields, rewrite: Rewrite | undefined): readonly Uint8Array[] {
    const index = count(body.output_index);
    let data: string | undefined = this.#withName(frame.data as string, body, index);
    if (this.#turn.isRepaired && index !== undefined) {
      const gone = isRemovedItem(this.#messages.get(index)?.parts);
      data = gone ? undefined : rewrite === undefined ? data : rewrite(data);
      const now = this.#indexNow(index);
      if (data !== undefined && now !== index) data = replaced(data, ["output_index"], now);
    }
    if (data !== undefined) return this.#numbered(frame, body, data);
    this.#shift -= 1;
    return [];
  }

  #withName(data: string, { item, name: written }: Fields, index: number | undefined): string {
    const name = index === undefined ? undefined : this.#names.get(index);
    if (name === undefined) return data;
    if (isObject(item)) return replaced(data, ["item", "name"], name);
    return typeof written === "string" ? replaced(data, ["name"], name) : data;
  }

  /** The event with this data, and with its number among those that have left. */
  #numbered(frame: StreamFrame, body: Fields, data: string): readonly Uint8Array[] {
    const number = count(body.sequence_number);
    if (number === undefined) return [withData(frame, data)];
    this.#lastNumber = number + this.#shift;
    return [withData(frame, this.#shift === 0 ? data : replaced(data, ["sequence_number"], this.#lastNumber))];
  }

  /** An event of our own stands before the one that is being written: that one moves on. */
  #own(event: Readonly<Record<string, unknown>>, before: Fields): readonly Uint8Array[] {
    const number = count(before.sequence_number);
    const numbered = number === undefined ? event : { ...event, sequence_number: number + this.#shift };
    this.#shift += 1;
    return [newEvent(JSON.stringify(numbered), String(event.type))];
  }

  /** Messages that never appear leave no gap. */
  #indexNow(index: number): number {
    let gone = 0;
    for (const [other, { parts }] of this.#messages) if (other < index && isRemovedItem(parts)) gone += 1;
    return index - gone;
  }

  #unitOf(body: Fields): TextSegment {
    const index = count(body.output_index) ?? 0;
    const open = this.#messages.get(index) ?? { parts: new Map<number, TextSegment>(), done: false };
    this.#messages.set(index, open);
    const at = count(body.content_index) ?? 0;
    const known = open.parts.get(at);
    if (known !== undefined) return known;
    const unit = this.#turn.newSegment();
    open.parts.set(at, unit);
    return unit;
  }
}

function replaced(data: string, path: readonly string[], value: string | number): string {
  const span = spanAt(data, path);
  if (span === undefined) return data;
  const edits = new Edits();
  edits.replace(span, JSON.stringify(value));
  return edits.apply(data);
}

/** The events of one call, as the API sends them; numbers are given when they leave. */
export function callEvents(
  call: RepairedCall,
  itemId: string,
  outputIndex: number,
): readonly Readonly<Record<string, unknown>>[] {
  const place = { output_index: outputIndex };
  const [type, field] =
    call.custom === true
      ? ["response.custom_tool_call_input", "input"]
      : ["response.function_call_arguments", "arguments"];
  return [
    { type: "response.output_item.added", ...place, item: JSON.parse(callItem(call, itemId, "added")) },
    { type: `${type}.delta`, item_id: itemId, ...place, delta: call.arguments },
    { type: `${type}.done`, item_id: itemId, ...place, name: call.name, [field]: call.arguments },
    { type: "response.output_item.done", ...place, item: JSON.parse(callItem(call, itemId)) },
  ];
}
