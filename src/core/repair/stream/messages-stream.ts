import { present } from "../../model/narrow.ts";
import { count, type Fields, isObject, objects, text } from "../../wire/json.ts";
import { Edits, spanAt } from "../json/json-spans.ts";
import { isCallBlock, isThinking, newName } from "../json/messages-json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall, StreamFrame } from "../types.ts";
import type { QueuedEvent, StreamReader } from "./queued-event.ts";
import { jsonOf, newEvent, withData } from "./sse-frame.ts";

/** The text in one event: its range in the segment, and its path in the event. */
interface TextPart {
  readonly segment: TextSegment;
  readonly start: number;
  readonly end: number;
  /** Path of the text; absent for events that only open or close the block. */
  readonly path?: readonly string[];
}

/** Reads a stream of blocks as one turn. */
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
        const segment = this.#texts.get(indexOf(event));
        segment?.end();
        return this.#block(frame, event, segment && { segment, start: segment.length, end: segment.length });
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
    // The first event of a call contains the name, so only that event changes.
    if (name !== undefined) return { frame, isReady: () => true, render: () => [withName(frame, name)] };
    if (block.type !== "text") return this.#block(frame, event, undefined);
    const segment = this.#turn.newSegment();
    this.#texts.set(index, segment);
    segment.push(text(block.text) ?? "");
    return this.#block(frame, event, { segment, start: 0, end: segment.length, path: ["content_block", "text"] });
  }

  #delta(frame: StreamFrame, event: Fields): QueuedEvent {
    const delta = isObject(event.delta) ? event.delta : {};
    const segment = this.#texts.get(indexOf(event));
    if (delta.type === "citations_delta") this.#turn.forbid("citations");
    if (segment === undefined || delta.type !== "text_delta")
      return this.#block(frame, event, segment && partAt(segment));
    const start = segment.length;
    segment.push(text(delta.text) ?? "");
    return this.#block(frame, event, { segment, start, end: segment.length, path: ["delta", "text"] });
  }

  #end(frame: StreamFrame, event: Fields): QueuedEvent {
    const reason = isObject(event.delta) ? text(event.delta.stop_reason) : undefined;
    if (reason !== undefined) this.#turn.end(stopProblem(reason));
    return {
      frame,
      isReady: () => true,
      render: () => (reason === undefined || !this.#turn.isRepaired ? [frame.raw] : this.#repairedEnd(frame)),
    };
  }

  /** Emits the calls after the last block and before the end of the message, whose stop reason becomes `tool_use`. */
  #repairedEnd(frame: StreamFrame): readonly Uint8Array[] {
    const data = present(frame.data);
    const first = this.#newIndex(this.#lastIndex + 1);
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
      isReady: () => part === undefined || turn.canEmit(part.segment, part.end),
      render: () => (turn.isRepaired ? this.#render(frame, event, part) : [frame.raw]),
    };
  }

  #render(frame: StreamFrame, event: Fields, part: TextPart | undefined): readonly Uint8Array[] {
    if (part?.segment.isRemoved === true) return [];
    const data = present(frame.data);
    const edits = new Edits();
    if (part?.path !== undefined && part.end > part.start) {
      const remainder = part.segment.remaining(part.start, part.end);
      if (remainder === "" && event.type === "content_block_delta") return [];
      const span = remainder.length === part.end - part.start ? undefined : spanAt(data, part.path);
      if (span !== undefined) edits.replace(span, JSON.stringify(remainder));
    }
    const index = indexOf(event);
    const indexSpan = this.#newIndex(index) === index ? undefined : spanAt(data, ["index"]);
    if (indexSpan !== undefined) edits.replace(indexSpan, String(this.#newIndex(index)));
    return [edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
  }

  /** The index without removed blocks, so that no gap remains. */
  #newIndex(index: number): number {
    let removed = 0;
    for (const [other, segment] of this.#texts) if (other < index && segment.isRemoved) removed += 1;
    return index - removed;
  }
}

function withName(frame: StreamFrame, name: string): Uint8Array {
  const data = present(frame.data);
  const span = spanAt(data, ["content_block", "name"]);
  const edits = new Edits();
  if (span !== undefined) edits.replace(span, JSON.stringify(name));
  return withData(frame, edits.apply(data));
}

function partAt(segment: TextSegment): TextPart {
  return { segment, start: segment.length, end: segment.length };
}

function indexOf(event: Fields): number {
  return count(event.index) ?? 0;
}

function callEvents({ id, name, arguments: args }: RepairedCall, index: number): readonly Uint8Array[] {
  const event = (type: string, fields: string) => newEvent(`{"type":"${type}","index":${index}${fields}}`, type);
  const block = `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":{}}`;
  return [
    event("content_block_start", `,"content_block":${block}`),
    event("content_block_delta", `,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(args)}}`),
    event("content_block_stop", ""),
  ];
}
