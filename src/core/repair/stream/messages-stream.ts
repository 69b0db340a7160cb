import { count, type Fields, isObject, objects, text } from "../../wire/json.ts";
import { Edits } from "../json/edits.ts";
import { spanAt } from "../json/json-spans.ts";
import { isCallBlock, isThinking, newName } from "../json/messages-json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall, StreamFrame } from "../types.ts";
import { jsonOf, newEvent, withData } from "./sse-frame.ts";
import type { QueuedEvent, StreamReader } from "./stream-repairer.ts";

/** What one event says about a text: where in the unit, and where in the event. */
interface TextPart {
  readonly unit: TextSegment;
  readonly start: number;
  readonly end: number;
  /** Where its text stands; an event without any opens or closes the block. */
  readonly path?: readonly string[];
}

/** A stream of blocks: one turn. */
export class MessagesStream implements StreamReader {
  readonly #turn: RepairTurn;
  readonly turns: readonly RepairTurn[];
  readonly #texts = new Map<number, TextSegment>();
  readonly #thinkingFirst: boolean;
  #lastIndex = -1;

  constructor(context: TurnContext) {
    this.#turn = new RepairTurn(context);
    this.turns = [this.#turn];
    this.#thinkingFirst = context.options.thinkingFirst === true;
  }

  read(frame: StreamFrame): QueuedEvent {
    const body = jsonOf(frame);
    const event = isObject(body) && !this.#turn.isOver ? body : {};
    switch (event.type) {
      case "content_block_start":
        return this.#start(frame, event);
      case "content_block_delta":
        return this.#delta(frame, event);
      case "content_block_stop": {
        const unit = this.#texts.get(indexOf(event));
        unit?.end();
        return this.#block(frame, event, unit && { unit, start: unit.length, end: unit.length });
      }
      case "message_delta":
        return this.#end(frame, event);
      case "error":
        this.#turn.end("error");
    }
    return { frame, isReady: () => true, render: () => [frame.raw] };
  }

  keepAlive(): Uint8Array {
    return newEvent('{"type": "ping"}', "ping");
  }

  #start(frame: StreamFrame, event: Fields): QueuedEvent {
    const index = indexOf(event);
    const block = isObject(event.content_block) ? event.content_block : {};
    this.#lastIndex = Math.max(this.#lastIndex, index);
    if (isCallBlock(block)) this.#turn.forbid("native-call");
    if (index === 0 && this.#thinkingFirst && !isThinking(block)) this.#turn.forbid("thinking");
    if (objects(block.citations).length > 0) this.#turn.forbid("citations");
    const name = newName(this.#turn, block);
    // The name stands in the first event of a call: only that changes.
    if (name !== undefined) return { frame, isReady: () => true, render: () => [withName(frame, name)] };
    if (block.type !== "text") return this.#block(frame, event, undefined);
    const unit = this.#turn.newSegment();
    this.#texts.set(index, unit);
    unit.push(text(block.text) ?? "");
    return this.#block(frame, event, { unit, start: 0, end: unit.length, path: ["content_block", "text"] });
  }

  #delta(frame: StreamFrame, event: Fields): QueuedEvent {
    const delta = isObject(event.delta) ? event.delta : {};
    const unit = this.#texts.get(indexOf(event));
    if (delta.type === "citations_delta") this.#turn.forbid("citations");
    if (unit === undefined || delta.type !== "text_delta") return this.#block(frame, event, unit && partAt(unit));
    const start = unit.length;
    unit.push(text(delta.text) ?? "");
    return this.#block(frame, event, { unit, start, end: unit.length, path: ["delta", "text"] });
  }

  #end(frame: StreamFrame, event: Fields): QueuedEvent {
    const reason = isObject(event.delta) ? text(event.delta.stop_reason) : undefined;
    if (reason !== undefined) this.#turn.end(stopProblem(reason));
    return {
      frame,
      isReady: () => true,
      render: () => (reason === undefined || !this.#turn.isRepaired ? [frame.raw] : this.#mendedEnd(frame)),
    };
  }

  /** The calls come behind the last block and before the end of the message, which names them as its reason. */
  #mendedEnd(frame: StreamFrame): readonly Uint8Array[] {
    const data = frame.data as string;
    const first = this.#indexNow(this.#lastIndex + 1);
    const calls = this.#turn.calls.flatMap((call, number) => callEvents(call, first + number));
    const edits = new Edits();
    const span = spanAt(data, ["delta", "stop_reason"]);
    if (span !== undefined) edits.replace(span, '"tool_use"');
    return [...calls, withData(frame, edits.apply(data))];
  }

  #block(frame: StreamFrame, event: Fields, part: TextPart | undefined): QueuedEvent {
    const turn = this.#turn;
    return {
      frame,
      isReady: () => part === undefined || turn.canEmit(part.unit, part.end),
      render: () => (turn.isRepaired ? this.#render(frame, event, part) : [frame.raw]),
    };
  }

  #render(frame: StreamFrame, event: Fields, part: TextPart | undefined): readonly Uint8Array[] {
    if (part?.unit.isRemoved === true) return [];
    const data = frame.data as string;
    const edits = new Edits();
    if (part?.path !== undefined && part.end > part.start) {
      const rest = part.unit.remaining(part.start, part.end);
      if (rest === "" && event.type === "content_block_delta") return [];
      const span = rest.length === part.end - part.start ? undefined : spanAt(data, part.path);
      if (span !== undefined) edits.replace(span, JSON.stringify(rest));
    }
    const index = indexOf(event);
    const place = this.#indexNow(index) === index ? undefined : spanAt(data, ["index"]);
    if (place !== undefined) edits.replace(place, String(this.#indexNow(index)));
    return [edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
  }

  /** Blocks that never appear leave no gap. */
  #indexNow(index: number): number {
    let gone = 0;
    for (const [other, unit] of this.#texts) if (other < index && unit.isRemoved) gone += 1;
    return index - gone;
  }
}

function withName(frame: StreamFrame, name: string): Uint8Array {
  const data = frame.data as string;
  const span = spanAt(data, ["content_block", "name"]);
  const edits = new Edits();
  if (span !== undefined) edits.replace(span, JSON.stringify(name));
  return withData(frame, edits.apply(data));
}

function partAt(unit: TextSegment): TextPart {
  return { unit, start: unit.length, end: unit.length };
}

function indexOf(event: Fields): number {
  return count(event.index) ?? 0;
}

function callEvents({ id, name, arguments: args }: RepairedCall, index: number): readonly Uint8Array[] {
  const event = (type: string, rest: string) => newEvent(`{"type":"${type}","index":${index}${rest}}`, type);
  const block = `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":{}}`;
  return [
    event("content_block_start", `,"content_block":${block}`),
    event("content_block_delta", `,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(args)}}`),
    event("content_block_stop", ""),
  ];
}
