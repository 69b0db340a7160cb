import { placeholderId } from "../../wire/call-position.ts";
import { type Fields, isObject, text } from "../../wire/json.ts";
import { callsOf } from "../../wire/ollama/request.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { RepairedCall } from "../types.ts";
import { Edits, JsonSpans, memberSpans, spanAt } from "./json-spans.ts";

/** Reads a chat response as one turn; `write` returns the repaired source. */
export function ollamaJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const turn = new RepairTurn(context);
  const message = isObject(body.message) ? body.message : {};
  const names = newNames(turn, message, 0);
  const segment = turn.newSegment();
  segment.push(text(message.content) ?? "");
  turn.end(endProblem(body));
  const write = (source: string): string => {
    const edits = new Edits();
    writeNames(source, names, edits);
    const span = spanAt(source, ["message"]);
    const members = span && memberSpans(source, span.start);
    const content = members?.get("content");
    if (!turn.isRepaired || span === undefined || content === undefined) return edits.apply(source);
    edits.replace(content, JSON.stringify(segment.remaining(0, segment.length)));
    const calls = callList(turn.calls);
    const existing = members?.get("tool_calls");
    if (existing !== undefined) edits.replace(existing, calls);
    else edits.insert(span.end - 1, `,"tool_calls":${calls}`);
    return edits.apply(source);
  };
  return { turns: [turn], write };
}

/** Servers before this field ended every response normally. */
export function endProblem(body: Fields): ReturnType<typeof stopProblem> {
  if (body.error !== undefined && body.error !== null) return "error";
  return stopProblem(text(body.done_reason) ?? (body.done === false ? undefined : "stop"));
}

/** Corrected names of native calls, by index. `before` calls of the response came earlier. */
export function newNames(turn: RepairTurn, message: Fields, before: number): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const [index, { id, name: written }] of callsOf(message).entries()) {
    turn.forbid("native-call");
    const name = turn.rename(id ?? placeholderId(before + index), written);
    if (name !== undefined) names.set(index, name);
  }
  return names;
}

export function writeNames(source: string, names: ReadonlyMap<number, string>, edits: Edits): void {
  const spans = new JsonSpans(source);
  for (const [index, name] of names) {
    const span = spans.at(["message", "tool_calls", index, "function", "name"]);
    if (span !== undefined) edits.replace(span, JSON.stringify(name));
  }
}

export function callList(calls: readonly RepairedCall[]): string {
  const entries = calls.map(({ id, name, arguments: args }, index) => {
    const called = `{"index":${index},"name":${JSON.stringify(name)},"arguments":${args}}`;
    return `{"id":${JSON.stringify(id)},"function":${called}}`;
  });
  return `[${entries.join(",")}]`;
}
