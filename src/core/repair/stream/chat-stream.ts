import { count, type Fields, isObject, objects, parseJson } from "../../wire/json.ts";
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
import { Edits } from "../json/edits.ts";
import { memberSpans, spanAt } from "../json/json-spans.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { StreamFrame } from "../types.ts";
import { jsonOf, newEvent, withData } from "./sse-frame.ts";
import type { QueuedEvent, StreamReader } from "./stream-repairer.ts";

/** What one chunk says about one choice. */
interface ChoicePart {
  /** Its place in the chunk. */
  readonly at: number;
  readonly index: number;
  readonly turn: RepairTurn;
  readonly unit: TextSegment;
  readonly texts: readonly ContentText[];
  readonly finishes: boolean;
  readonly names: readonly NewName[];
}

interface OpenChoice {
  readonly turn: RepairTurn;
  readonly unit: TextSegment;
  /** What was thought, as long as nothing was said; undefined: no call is looked for in it. */
  thoughts: string[] | undefined;
  thoughtLength: number;
}

/** More thoughts than these are not kept. */
const MAX_REASONING_CHARS = 1 << 20;

/** A stream of chunks: a turn for each choice. */
export class ChatStream implements StreamReader {
  readonly #context: TurnContext;
  readonly #choices = new Map<number, OpenChoice>();
  /** The newest chunk: what is ours looks like it. */
  #newest: string | undefined;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  get turns(): Iterable<RepairTurn> {
    return [...this.#choices.values()].map(({ turn }) => turn);
  }

  read(frame: StreamFrame): QueuedEvent {
    const body = frame.data === "[DONE]" ? undefined : jsonOf(frame);
    if (frame.data === "[DONE]") for (const turn of this.turns) turn.end("broken-off");
    if (!isObject(body)) return heldFor(frame, []);
    if (body.error !== undefined && body.error !== null) for (const turn of this.turns) turn.end("error");
    const choices = Array.isArray(body.choices) ? (body.choices as readonly unknown[]) : [];
    if (choices.length > 0) this.#newest = frame.data;
    return heldFor(
      frame,
      choices.flatMap((choice, at) => (isObject(choice) ? [this.#readChoice(choice, at)] : [])),
    );
  }

  keepAlive(): Uint8Array | undefined {
    if (this.#newest === undefined) return undefined;
    const index = spanAt(this.#newest, ["choices", 0, "index"]);
    const number = index === undefined ? "0" : this.#newest.slice(index.start, index.end);
    return newEvent(ownChunk(this.#newest, `{"index":${number},"delta":{},"finish_reason":null}`));
  }

  #readChoice(choice: Fields, at: number): ChoicePart {
    const index = count(choice.index) ?? at;
    const open = this.#choiceAt(index);
    const { turn, unit } = open;
    const delta = isObject(choice.delta) ? choice.delta : {};
    if (objects(delta.tool_calls).length > 0 || isObject(delta.function_call)) turn.forbid("native-call");
    if (hasLogprobs(choice.logprobs)) turn.forbid("logprobs");
    if (objects(delta.annotations).length > 0) turn.forbid("citations");
    if (typeof delta.refusal === "string" && delta.refusal !== "") turn.forbid("refusal");
    const texts = turn.isOver ? [] : contentTexts(delta.content, unit.length);
    for (const { text } of texts) unit.push(text);
    keepThoughts(open, reasoningText(delta));
    const finishes = typeof choice.finish_reason === "string" && !turn.isOver;
    if (finishes) {
      const problem = stopProblem(choice.finish_reason as string);
      if (problem === undefined) findReasoningCalls(turn, open.thoughts?.join("") ?? "");
      turn.end(problem);
    }
    return { at, index, turn, unit, texts, finishes, names: newNames(turn, delta.tool_calls) };
  }

  #choiceAt(index: number): OpenChoice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const turn = new RepairTurn(this.#context);
    const made: OpenChoice = { turn, unit: turn.newSegment(), thoughts: [], thoughtLength: 0 };
    this.#choices.set(index, made);
    return made;
  }
}

function keepThoughts(open: OpenChoice, thought = ""): void {
  open.thoughtLength += thought.length;
  if (open.unit.isVisible || open.turn.isPassedThrough || open.thoughtLength > MAX_REASONING_CHARS)
    open.thoughts = undefined;
  else if (thought !== "") open.thoughts?.push(thought);
}

function heldFor(frame: StreamFrame, parts: readonly ChoicePart[]): QueuedEvent {
  return {
    frame,
    // An empty text announces nothing: the chunk with the role need not wait.
    isReady: () =>
      parts.every(({ turn, unit, texts }) => {
        const last = texts.findLast(({ start, end }) => start < end);
        return last === undefined || turn.canEmit(unit, last.end);
      }),
    render: () => render(frame, parts),
  };
}

function render(frame: StreamFrame, parts: readonly ChoicePart[]): readonly Uint8Array[] {
  const mended = parts.filter(({ turn }) => turn.isRepaired);
  const renamed = parts.filter(({ names }) => names.length > 0);
  if (mended.length === 0 && renamed.length === 0) return [frame.raw];
  const data = frame.data as string;
  const before: Uint8Array[] = [];
  const edits = new Edits();
  let emptied = false;
  for (const { at, names } of renamed)
    writeNames(data, spanAt(data, ["choices", at, "delta", "tool_calls"]), names, edits);
  for (const { at, index, turn, unit, texts, finishes } of mended) {
    const changed = texts.filter(({ start, end }) => unit.remaining(start, end).length < end - start);
    for (const { path, start, end } of changed) {
      const content = spanAt(data, ["choices", at, "delta", "content", ...path]);
      if (content !== undefined) edits.replace(content, JSON.stringify(unit.remaining(start, end)));
    }
    emptied ||= changed.length > 0 && texts.every(({ start, end }) => unit.remaining(start, end) === "");
    if (!finishes) continue;
    for (const [number, call] of turn.calls.entries()) {
      const delta = `{"tool_calls":[${toolCall(call, number)}]}`;
      before.push(newEvent(ownChunk(data, `{"index":${index},"delta":${delta},"finish_reason":null}`)));
    }
    const reason = spanAt(data, ["choices", at, "finish_reason"]);
    if (reason !== undefined) edits.replace(reason, '"tool_calls"');
  }
  if (emptied && saysNothingElse(data)) return before;
  return [...before, edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
}

/** Was its text all that a chunk had to say? */
function saysNothingElse(data: string): boolean {
  const body = parseJson(data) as Fields;
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

/** A chunk like another, with a choice of ours and no usage: that stands once in a stream. */
function ownChunk(like: string, choice: string): string {
  const parts: string[] = [];
  for (const [name, { start, end }] of memberSpans(like, 0) ?? []) {
    const value = name === "choices" ? `[${choice}]` : name === "usage" ? "null" : like.slice(start, end);
    parts.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{${parts.join(",")}}`;
}
