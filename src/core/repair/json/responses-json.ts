import { present } from "../../model/narrow.ts";
import { type Fields, isArray, isObject, objects, text } from "../../wire/json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall } from "../types.ts";
import { Edits, itemSpans, JsonSpans, memberSpans, rebuildList, spanAt } from "./json-spans.ts";

/** Text segments of a response, by item and content part. */
export type PartSegments = ReadonlyMap<number, ReadonlyMap<number, TextSegment>>;

/** Reads a response object as one turn; `write` returns the repaired source. */
export function responsesJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const turn = new RepairTurn(context);
  const items = isArray(body.output) ? body.output : [];
  const segments = new Map<number, Map<number, TextSegment>>();
  const names = new Map<number, string>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    if (isCallItem(item)) turn.forbid("native-call");
    const name = newName(turn, item);
    if (name !== undefined) names.set(index, name);
    if (item.type === "message") segments.set(index, readParts(item, turn));
  }
  turn.end(endProblem(body));
  const itemIds = turn.calls.map((call) => callItemId(call, context.options.randomAlphanumeric));
  const write = (source: string): string =>
    turn.isRepaired ? writeResponse(source, 0, turn, segments, itemIds) : writeItemNames(source, 0, names);
  return { turns: [turn], write };
}

function readParts(item: Fields, turn: RepairTurn): Map<number, TextSegment> {
  const parts = isArray(item.content) ? item.content : [];
  const segments = new Map<number, TextSegment>();
  for (const [at, part] of parts.entries()) {
    if (!isObject(part)) continue;
    if (part.type === "refusal") turn.forbid("refusal");
    if (part.type !== "output_text" || typeof part.text !== "string") continue;
    if (objects(part.annotations).length > 0) turn.forbid("citations");
    if (objects(part.logprobs).length > 0) turn.forbid("logprobs");
    const segment = turn.newSegment();
    segment.push(part.text);
    segments.set(at, segment);
  }
  return segments;
}

/** The corrected name of a native client call. */
export function newName(turn: RepairTurn, { type, call_id, name, namespace }: Fields): string | undefined {
  const isCustom = type === "custom_tool_call";
  if ((type !== "function_call" && !isCustom) || typeof name !== "string" || namespace != null) return undefined;
  return turn.rename(text(call_id), name, isCustom);
}

/** Writes corrected names into a response object. A turn with native calls needs no other change. */
export function writeItemNames(source: string, at: number, names: ReadonlyMap<number, string>): string {
  const edits = new Edits();
  const spans = new JsonSpans(source);
  for (const [index, name] of names) {
    const span = spans.at(["output", index, "name"], at);
    if (span !== undefined) edits.replace(span, JSON.stringify(name));
  }
  return edits.apply(source);
}

/** True for calls of the client and of the provider, including finished searches. */
export function isCallItem(item: Fields): boolean {
  return typeof item.type === "string" && item.type.endsWith("_call");
}

export function endProblem({ status, incomplete_details: details }: Fields): ReturnType<typeof stopProblem> {
  return stopProblem((isObject(details) ? text(details.reason) : undefined) ?? text(status) ?? "completed");
}

/** An item is dropped when none of its texts remains. */
export function isRemovedItem(parts: ReadonlyMap<number, TextSegment> | undefined): boolean {
  return parts !== undefined && parts.size > 0 && [...parts.values()].every(({ isRemoved: isGone }) => isGone);
}

/** The source of a response object with the repaired output. */
export function writeResponse(
  source: string,
  at: number,
  turn: RepairTurn,
  segments: PartSegments,
  itemIds: readonly string[],
): string {
  const output = memberSpans(source, at)?.get("output");
  const items = output && itemSpans(source, output.start);
  if (output === undefined || items === undefined) throw new Error("Responses object without output");
  const inner = new Edits();
  for (const [index, parts] of segments) {
    const span = items[index];
    if (span !== undefined) editItem(source, span.start, parts, inner);
  }
  const calls = turn.calls.map((call, index) => callItem(call, present(itemIds[index])));
  const edits = new Edits();
  edits.replace(
    output,
    rebuildList(source, items, inner, (index) => isRemovedItem(segments.get(index)), calls),
  );
  return edits.apply(source);
}

/** Replaces the texts of a message item by the text that remains. */
export function editItem(source: string, at: number, parts: ReadonlyMap<number, TextSegment>, edits: Edits): void {
  for (const [part, segment] of parts) {
    if (segment.accepted.length === 0) continue;
    const span = spanAt(source, ["content", part, "text"], at);
    if (span !== undefined) edits.replace(span, JSON.stringify(segment.remaining(0, segment.length)));
  }
}

export function callItemId({ custom }: RepairedCall, letters: (length: number) => string): string {
  return `${custom === true ? "ctc" : "fc"}_${letters(24)}`;
}

export function callItem(call: RepairedCall, itemId: string, stage: "added" | "done" = "done"): string {
  const { id, name, namespace, arguments: args, custom } = call;
  return JSON.stringify({
    id: itemId,
    type: custom === true ? "custom_tool_call" : "function_call",
    status: stage === "done" ? "completed" : "in_progress",
    [custom === true ? "input" : "arguments"]: stage === "done" ? args : "",
    call_id: id,
    name,
    ...(namespace !== undefined && { namespace }),
  });
}
