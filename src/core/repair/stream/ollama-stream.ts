import { present } from "../../model/narrow.ts";
import { isObject, text } from "../../wire/json.ts";
import { callsOf } from "../../wire/ollama/request.ts";
import { Edits, memberSpans, spanAt } from "../json/json-spans.ts";
import { callList, endProblem, newNames, writeNames } from "../json/ollama-json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import type { TextSegment } from "../text-segment.ts";
import type { StreamFrame } from "../types.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "./queued-event.ts";
import { jsonOf, newLine, withData } from "./sse-frame.ts";

/** Reads a stream of lines as one turn. */
export class OllamaStream implements StreamReader {
  readonly #turn: RepairTurn;
  readonly turns: readonly RepairTurn[];
  readonly #segment: TextSegment;
  #calls = 0;
  /** Latest line; template for generated lines. */
  #latest: string | undefined;

  constructor(context: TurnContext) {
    this.#turn = new RepairTurn(context);
    this.turns = [this.#turn];
    this.#segment = this.#turn.newSegment();
  }

  read(frame: StreamFrame): QueuedEvent {
    const line = jsonOf(frame);
    const [turn, segment] = [this.#turn, this.#segment];
    if (!isObject(line) || turn.isOver) return new UnchangedEvent(frame);
    const message = isObject(line.message) ? line.message : {};
    if (isObject(line.message)) this.#latest = frame.data;
    const names = newNames(turn, message, this.#calls);
    this.#calls += callsOf(message).length;
    const start = segment.length;
    segment.push(text(message.content) ?? "");
    const end = segment.length;
    const isLast = line.done === true || (line.error ?? null) !== null;
    if (isLast) turn.end(endProblem(line));
    return {
      frame,
      // Empty text starts nothing, so its line need not wait.
      isReady: () => start === end || turn.canEmit(segment, end),
      render: () => {
        const data = present(frame.data);
        const edits = new Edits();
        writeNames(data, names, edits);
        const before = turn.isRepaired && isLast ? [newLine(generateLine(data, turn))] : [];
        const remainder = turn.isRepaired ? segment.remaining(start, end) : undefined;
        if (remainder !== undefined && remainder.length < end - start) {
          if (remainder === "" && !isLast && isOnlyText(data)) return [];
          const span = spanAt(data, ["message", "content"]);
          if (span !== undefined) edits.replace(span, JSON.stringify(remainder));
        }
        return [...before, edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
      },
    };
  }

  keepAlive(): Uint8Array | undefined {
    return this.#latest === undefined ? undefined : newLine(generateLine(this.#latest));
  }
}

/** Members that every line of a response repeats. */
const REPEATED = new Set(["model", "created_at"]);

/** A line with the calls of a repaired turn, or an empty one. Clients read all calls of a line, so they share one. */
function generateLine(template: string, turn?: RepairTurn): string {
  const same = [...(memberSpans(template, 0) ?? [])].filter(([name]) => REPEATED.has(name));
  const members = same.map(([name, { start, end }]) => `${JSON.stringify(name)}:${template.slice(start, end)}`);
  const calls = turn === undefined ? "" : `,"tool_calls":${callList(turn.calls)}`;
  return `{${[...members, `"message":{"role":"assistant","content":""${calls}}`, '"done":false'].join(",")}}`;
}

/** True if the message contains only text. */
function isOnlyText(data: string): boolean {
  const message = spanAt(data, ["message"]);
  const members = message && memberSpans(data, message.start);
  return members !== undefined && [...members.keys()].every((name) => name === "role" || name === "content");
}
