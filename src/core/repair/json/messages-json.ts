import { type Fields, isArray, isObject, objects, text } from "../../wire/json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall } from "../types.ts";
import { Edits, itemSpans, type JsonSpan, memberSpans, rebuildList } from "./json-spans.ts";

/** Reads a Messages response as one turn; `write` returns the repaired source. */
export function messagesJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const turn = new RepairTurn(context);
  const blocks = isArray(body.content) ? body.content : [];
  const segments = new Map<number, TextSegment>();
  const names = new Map<number, string>();
  if (context.options.thinkingFirst === true && !isThinking(blocks[0])) turn.forbid("thinking");
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    if (isCallBlock(block)) turn.forbid("native-call");
    const name = newName(turn, block);
    if (name !== undefined) names.set(index, name);
    if (block.type !== "text" || typeof block.text !== "string") continue;
    if (objects(block.citations).length > 0) turn.forbid("citations");
    const segment = turn.newSegment();
    segment.push(block.text);
    segments.set(index, segment);
  }
  turn.end(stopProblem(text(body.stop_reason)));
  return { turns: [turn], write: (source) => write(source, turn, segments, names) };
}

/** The corrected name of a native client call. */
export function newName(turn: RepairTurn, { type, id, name }: Fields): string | undefined {
  return type === "tool_use" && typeof name === "string" ? turn.rename(text(id), name) : undefined;
}

/** True for calls of the client and of the provider: `tool_use`, `server_tool_use`, `mcp_tool_use`. */
export function isCallBlock(block: Fields): boolean {
  return typeof block.type === "string" && block.type.endsWith("tool_use");
}

export function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

function write(
  source: string,
  turn: RepairTurn,
  segments: ReadonlyMap<number, TextSegment>,
  names: ReadonlyMap<number, string>,
): string {
  const members = memberSpans(source, 0);
  const content = members?.get("content");
  const items = content && itemSpans(source, content.start);
  const stop = members?.get("stop_reason");
  if (content === undefined || items === undefined || stop === undefined)
    throw new Error("Messages response without content or stop_reason");
  const inner = blockEdits(source, items, segments, names);
  if (!turn.isRepaired) return inner.apply(source);
  const edits = new Edits();
  const isRemoved = (index: number): boolean => segments.get(index)?.isRemoved === true;
  edits.replace(content, rebuildList(source, items, inner, isRemoved, turn.calls.map(toolUse)));
  edits.replace(stop, '"tool_use"');
  return edits.apply(source);
}
function blockEdits(
  source: string,
  items: readonly JsonSpan[],
  segments: ReadonlyMap<number, TextSegment>,
  names: ReadonlyMap<number, string>,
): Edits {
  const edits = new Edits();
  for (const [index, segment] of segments) {
    const span = memberSpans(source, items[index]?.start ?? 0)?.get("text");
    if (span !== undefined && segment.accepted.length > 0)
      edits.replace(span, JSON.stringify(segment.remaining(0, segment.length)));
  }
  for (const [index, name] of names) {
    const span = memberSpans(source, items[index]?.start ?? 0)?.get("name");
    if (span !== undefined) edits.replace(span, JSON.stringify(name));
  }
  return edits;
}

function toolUse({ id, name, arguments: args }: RepairedCall): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${args}}`;
}
