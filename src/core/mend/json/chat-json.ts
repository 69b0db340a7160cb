import { type Fields, isObject, objects, text } from "../../wire/json.ts";
import { stopProblem } from "../stop-reason.ts";
import { Turn, type TurnContext } from "../turn.ts";
import type { MendedCall } from "../types.ts";
import { Edits } from "./edits.ts";
import { itemSpans, type JsonSpan, memberSpans } from "./json-spans.ts";

/** A Chat Completions answer: a turn for each choice. */
export function chatJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly Turn[]; readonly write: (source: string) => string } {
  const choices = Array.isArray(body.choices) ? (body.choices as readonly unknown[]) : [];
  const turns = choices.map((choice) => turnOf(isObject(choice) ? choice : {}, context));
  return { turns, write: (source) => write(source, turns) };
}

function turnOf(choice: Fields, context: TurnContext): Turn {
  const turn = new Turn(context);
  const message = isObject(choice.message) ? choice.message : {};
  if (objects(message.tool_calls).length > 0 || isObject(message.function_call)) turn.forbid("native-call");
  if (hasLogprobs(choice.logprobs)) turn.forbid("logprobs");
  if (objects(message.annotations).length > 0) turn.forbid("citations");
  if (typeof message.refusal === "string" && message.refusal !== "") turn.forbid("refusal");
  if (typeof message.content === "string") turn.newUnit().push(message.content);
  turn.end(stopProblem(text(choice.finish_reason)));
  return turn;
}

/** Probabilities of the text that would be taken out. */
export function hasLogprobs(logprobs: unknown): boolean {
  return isObject(logprobs) && Array.isArray(logprobs.content) && logprobs.content.length > 0;
}

function write(source: string, turns: readonly Turn[]): string {
  const edits = new Edits();
  const choices = itemSpans(source, memberSpans(source, 0)?.get("choices")?.start ?? 0) ?? [];
  for (const [index, turn] of turns.entries()) {
    const choice = choices[index];
    if (turn.isMended && choice !== undefined) writeChoice(source, choice, turn, edits);
  }
  return edits.apply(source);
}

function writeChoice(source: string, span: JsonSpan, turn: Turn, edits: Edits): void {
  const choice = memberSpans(source, span.start);
  const [message, finish] = [choice?.get("message"), choice?.get("finish_reason")];
  const members = message && memberSpans(source, message.start);
  const content = members?.get("content");
  const [unit] = turn.units;
  if (message === undefined || finish === undefined || content === undefined || unit === undefined)
    throw new Error("no message");
  edits.replace(content, unit.isGone ? "null" : JSON.stringify(unit.remains(0, unit.length)));
  const calls = `[${turn.calls.map((call) => toolCall(call)).join(",")}]`;
  const given = members?.get("tool_calls");
  if (given !== undefined) edits.replace(given, calls);
  else edits.insert(message.end - 1, `,"tool_calls":${calls}`);
  edits.replace(finish, '"tool_calls"');
}

/** A call as an entry of `tool_calls`; a stream numbers them. */
export function toolCall({ id, name, arguments: args, custom }: MendedCall, index?: number): string {
  const number = index === undefined ? "" : `"index":${index},`;
  const [kind, field] = custom === true ? ["custom", "input"] : ["function", "arguments"];
  return `{${number}"id":${JSON.stringify(id)},"type":"${kind}","${kind}":{"name":${JSON.stringify(name)},"${field}":${JSON.stringify(args)}}}`;
}
