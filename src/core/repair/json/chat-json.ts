import { type Fields, isArray, isObject, objects, text } from "../../wire/json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall } from "../types.ts";
import { type ContentText, contentTexts, remainingContent } from "./content-texts.ts";
import { Edits, itemSpans, type JsonSpan, JsonSpans, memberSpans, spanAt } from "./json-spans.ts";

/** Reads a Chat Completions response as one turn per choice. */
export function chatJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const choices = isArray(body.choices) ? body.choices : [];
  const readChoices = choices.map((choice) => readChoice(isObject(choice) ? choice : {}, context));
  return { turns: readChoices.map(({ turn }) => turn), write: (source) => write(source, readChoices) };
}

interface ReadChoice {
  readonly turn: RepairTurn;
  /** The text of the message, if it has any. */
  readonly segment: TextSegment | undefined;
  readonly texts: readonly ContentText[];
  readonly names: readonly NewName[];
}

/** A corrected tool name, and the index of its call. */
export interface NewName {
  readonly at: number;
  readonly kind: "function" | "custom";
  readonly name: string;
}

function readChoice(choice: Fields, context: TurnContext): ReadChoice {
  const turn = new RepairTurn(context);
  const message = isObject(choice.message) ? choice.message : {};
  if (objects(message.tool_calls).length > 0 || isObject(message.function_call)) turn.forbid("native-call");
  if (hasLogprobs(choice.logprobs)) turn.forbid("logprobs");
  if (objects(message.annotations).length > 0) turn.forbid("citations");
  if (typeof message.refusal === "string" && message.refusal !== "") turn.forbid("refusal");
  const texts = contentTexts(message.content);
  const segment = texts.length > 0 ? turn.newSegment() : undefined;
  for (const { text: written } of texts) segment?.push(written);
  const problem = stopProblem(text(choice.finish_reason));
  if (problem === undefined && segment?.isVisible !== true) findReasoningCalls(turn, reasoningText(message) ?? "");
  turn.end(problem);
  return { turn, segment, texts, names: newNames(turn, message.tool_calls) };
}

/** The reasoning of a message; two field names are in use. */
export function reasoningText({ reasoning_content, reasoning }: Fields): string | undefined {
  return text(reasoning_content) ?? text(reasoning);
}

/** Looks for calls in the reasoning of a turn that has neither text nor calls. Only a call at the end counts. */
export function findReasoningCalls(turn: RepairTurn, reasoning: string): void {
  if (turn.isPassedThrough || reasoning === "") return;
  const segment = turn.newSegment();
  segment.push(reasoning);
  segment.end();
  // A call in the middle was only considered, and perhaps dismissed.
  if (segment.accepted.length > 0 && !segment.endsWithLeak) turn.forbid("reasoning");
}

/** Corrected names of native calls whose name is malformed. */
export function newNames(turn: RepairTurn, calls: unknown): readonly NewName[] {
  if (!isArray(calls)) return [];
  return calls.flatMap((call, at) => {
    if (!isObject(call)) return [];
    const kind = isObject(call.custom) ? "custom" : "function";
    const called = call[kind];
    const written = isObject(called) ? text(called.name) : undefined;
    const name = written && turn.rename(text(call.id), written, kind === "custom");
    return name === undefined || name === "" ? [] : [{ at, kind, name }];
  });
}

export function writeNames(source: string, calls: JsonSpan | undefined, names: readonly NewName[], edits: Edits): void {
  const spans = new JsonSpans(source);
  for (const { at, kind, name } of calls === undefined ? [] : names) {
    const span = spans.at([at, kind, "name"], calls?.start);
    if (span !== undefined) edits.replace(span, JSON.stringify(name));
  }
}

/** True if the choice has log probabilities, which could not be rewritten to match the changed text. */
export function hasLogprobs(logprobs: unknown): boolean {
  return isObject(logprobs) && Array.isArray(logprobs.content) && logprobs.content.length > 0;
}

function write(source: string, readChoices: readonly ReadChoice[]): string {
  const edits = new Edits();
  const choices = itemSpans(source, memberSpans(source, 0)?.get("choices")?.start ?? 0) ?? [];
  for (const [index, readChoice] of readChoices.entries()) {
    const { turn, names } = readChoice;
    const choice = choices[index];
    if (choice === undefined) continue;
    if (turn.isRepaired) writeChoice(source, choice, readChoice, edits);
    if (names.length > 0) writeNames(source, spanAt(source, ["message", "tool_calls"], choice.start), names, edits);
  }
  return edits.apply(source);
}

function writeChoice(source: string, span: JsonSpan, { turn, segment, texts }: ReadChoice, edits: Edits): void {
  const choice = memberSpans(source, span.start);
  const [message, finish] = [choice?.get("message"), choice?.get("finish_reason")];
  const members = message && memberSpans(source, message.start);
  const content = members?.get("content");
  if (message === undefined || finish === undefined) throw new Error("Chat choice without a message or finish_reason");
  // The content stays unchanged if the call was in the reasoning.
  if (content !== undefined && segment !== undefined && segment.accepted.length > 0)
    edits.replace(content, remainingContent(source, content, segment, texts));
  const calls = `[${turn.calls.map((call) => toolCall(call)).join(",")}]`;
  const existing = members?.get("tool_calls");
  if (existing !== undefined) edits.replace(existing, calls);
  else edits.insert(message.end - 1, `,"tool_calls":${calls}`);
  edits.replace(finish, '"tool_calls"');
}

/** A call as an entry of `tool_calls`; streams number the entries. */
export function toolCall({ id, name, arguments: args, custom }: RepairedCall, index?: number): string {
  const number = index === undefined ? "" : `"index":${index},`;
  const [kind, field] = custom === true ? ["custom", "input"] : ["function", "arguments"];
  return `{${number}"id":${JSON.stringify(id)},"type":"${kind}","${kind}":{"name":${JSON.stringify(name)},"${field}":${JSON.stringify(args)}}}`;
}
