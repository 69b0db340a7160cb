import { present } from "../../model/narrow.ts";
import { isDone } from "../../wire/done-event.ts";
import { count, type Fields, isArray, isObject, objects, parseJson, text } from "../../wire/json.ts";
import {
  findReasoningCalls,
  hasLogprobs,
  type NewName,
  newNames,
  reasoningText,
  toolCall,
  writeNames,
} from "../json/chat-json.ts";
import { type ContentText, contentTexts, isOnlyText } from "../json/content-texts.ts";
import { Edits, memberSpans, spanAt } from "../json/json-spans.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { StreamFrame } from "../types.ts";
import type { QueuedEvent, StreamReader } from "./queued-event.ts";
import { jsonOf, newEvent, withData } from "./sse-frame.ts";

/** The part of a chunk that belongs to one choice. */
interface ChoicePart {
  /** Index in the chunk's list of choices. */
  readonly at: number;
  readonly index: number;
  readonly turn: RepairTurn;
  readonly segment: TextSegment;
  readonly texts: readonly ContentText[];
  readonly finishes: boolean;
  readonly names: readonly NewName[];
}

interface OpenChoice {
  readonly turn: RepairTurn;
  readonly segment: TextSegment;
  /** The reasoning, as long as there is no text; undefined once it need not be searched for calls. */
  reasoning: string[] | undefined;
  reasoningLength: number;
}

/** Longer reasoning is not searched. */
const MAX_REASONING_CHARS = 1 << 20;

/** Reads a stream of chunks as one turn per choice. */
export class ChatStream implements StreamReader {
  readonly #context: TurnContext;
  readonly #choices = new Map<number, OpenChoice>();
  /** Latest chunk; template for generated chunks. */
  #latestChunk: string | undefined;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  get turns(): Iterable<RepairTurn> {
    return [...this.#choices.values()].map(({ turn }) => turn);
  }

  read(frame: StreamFrame): QueuedEvent {
    const isLast = isDone(frame.data);
    const body = isLast ? undefined : jsonOf(frame);
    if (isLast) for (const turn of this.turns) turn.end("aborted");
    if (!isObject(body)) return queuedEvent(frame, []);
    if (body.error !== undefined && body.error !== null) for (const turn of this.turns) turn.end("error");
    const choices = isArray(body.choices) ? body.choices : [];
    if (choices.length > 0) this.#latestChunk = frame.data;
    return queuedEvent(
      frame,
      choices.flatMap((choice, at) => (isObject(choice) ? [this.#readChoice(choice, at)] : [])),
    );
  }

  keepAlive(): Uint8Array | undefined {
    return this.#latestChunk === undefined ? undefined : keepAliveChunk(this.#latestChunk);
  }

  #readChoice(choice: Fields, at: number): ChoicePart {
    const index = count(choice.index) ?? at;
    const open = this.#choiceAt(index);
    const { turn, segment } = open;
    const delta = isObject(choice.delta) ? choice.delta : {};
    if (objects(delta.tool_calls).length > 0 || isObject(delta.function_call)) turn.forbid("native-call");
    if (hasLogprobs(choice.logprobs)) turn.forbid("logprobs");
    if (objects(delta.annotations).length > 0) turn.forbid("citations");
    if (typeof delta.refusal === "string" && delta.refusal !== "") turn.forbid("refusal");
    const texts = turn.isOver ? [] : contentTexts(delta.content, segment.length);
    for (const { text: written } of texts) segment.push(written);
    bufferReasoning(open, reasoningText(delta));
    const reason = turn.isOver ? undefined : text(choice.finish_reason);
    if (reason !== undefined) {
      const problem = stopProblem(reason);
      if (problem === undefined) findReasoningCalls(turn, open.reasoning?.join("") ?? "");
      turn.end(problem);
    }
    return { at, index, turn, segment, texts, finishes: reason !== undefined, names: newNames(turn, delta.tool_calls) };
  }

  #choiceAt(index: number): OpenChoice {
    const existing = this.#choices.get(index);
    if (existing !== undefined) return existing;
    const turn = new RepairTurn(this.#context);
    const choice: OpenChoice = { turn, segment: turn.newSegment(), reasoning: [], reasoningLength: 0 };
    this.#choices.set(index, choice);
    return choice;
  }
}

function bufferReasoning(open: OpenChoice, addition = ""): void {
  open.reasoningLength += addition.length;
  if (open.segment.isVisible || open.turn.isPassedThrough || open.reasoningLength > MAX_REASONING_CHARS)
    open.reasoning = undefined;
  else if (addition !== "") open.reasoning?.push(addition);
}

function queuedEvent(frame: StreamFrame, parts: readonly ChoicePart[]): QueuedEvent {
  return {
    frame,
    // Empty text starts nothing, so the chunk with the role need not wait.
    isReady: () =>
      parts.every(({ turn, segment, texts }) => {
        const last = texts.findLast(({ start, end }) => start < end);
        return last === undefined || turn.canEmit(segment, last.end);
      }),
    render: () => render(frame, parts),
  };
}

function render(frame: StreamFrame, parts: readonly ChoicePart[]): readonly Uint8Array[] {
  const repaired = parts.filter(({ turn }) => turn.isRepaired);
  const renamed = parts.filter(({ names }) => names.length > 0);
  if (repaired.length === 0 && renamed.length === 0) return [frame.raw];
  const data = present(frame.data);
  const before: Uint8Array[] = [];
  const edits = new Edits();
  let emptied = false;
  for (const { at, names } of renamed)
    writeNames(data, spanAt(data, ["choices", at, "delta", "tool_calls"]), names, edits);
  for (const { at, index, turn, segment, texts, finishes } of repaired) {
    const changed = texts.filter(({ start, end }) => segment.remaining(start, end).length < end - start);
    for (const { path, start, end } of changed) {
      const content = spanAt(data, ["choices", at, "delta", "content", ...path]);
      if (content !== undefined) edits.replace(content, JSON.stringify(segment.remaining(start, end)));
    }
    emptied ||= changed.length > 0 && texts.every(({ start, end }) => segment.remaining(start, end) === "");
    if (!finishes) continue;
    for (const [number, call] of turn.calls.entries()) {
      const delta = `{"tool_calls":[${toolCall(call, number)}]}`;
      before.push(newEvent(generateChunk(data, `{"index":${index},"delta":${delta},"finish_reason":null}`)));
    }
    const reason = spanAt(data, ["choices", at, "finish_reason"]);
    if (reason !== undefined) edits.replace(reason, '"tool_calls"');
  }
  if (emptied && hasOnlyText(data)) return before;
  return [...before, edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
}

/** True if the chunk contains only text. */
function hasOnlyText(data: string): boolean {
  const body = parseJson(data);
  if (!isObject(body)) return false;
  const [choice, ...others] = objects(body.choices);
  if (choice === undefined || others.length > 0 || isObject(body.usage)) return false;
  if (choice.finish_reason !== undefined && choice.finish_reason !== null) return false;
  return Object.entries(isObject(choice.delta) ? choice.delta : {}).every(
    ([name, value]) =>
      (name === "content" && isOnlyText(value)) ||
      value === null ||
      value === "" ||
      (Array.isArray(value) && value.length === 0),
  );
}

/** A chunk without content, made from another one. */
export function keepAliveChunk(template: string): Uint8Array {
  const index = spanAt(template, ["choices", 0, "index"]);
  const number = index === undefined ? "0" : template.slice(index.start, index.end);
  return newEvent(generateChunk(template, `{"index":${number},"delta":{},"finish_reason":null}`));
}

/** Copies a chunk with another choice and without `usage`, which must occur only once in a stream. */
export function generateChunk(template: string, choice: string): string {
  const parts: string[] = [];
  for (const [name, { start, end }] of memberSpans(template, 0) ?? []) {
    const value = name === "choices" ? `[${choice}]` : name === "usage" ? "null" : template.slice(start, end);
    parts.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{${parts.join(",")}}`;
}
