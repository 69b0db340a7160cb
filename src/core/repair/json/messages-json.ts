import { type Fields, isObject, objects, text } from "../../wire/json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall } from "../types.ts";
import { Edits, rebuildList } from "./edits.ts";
import { itemSpans, memberSpans } from "./json-spans.ts";

/** A Messages answer: its turn, and how its text changes when that is mended. */
export function messagesJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const turn = new RepairTurn(context);
  const blocks = Array.isArray(body.content) ? (body.content as readonly unknown[]) : [];
  const units = new Map<number, TextSegment>();
  const names = new Map<number, string>();
  if (context.options.thinkingFirst === true && !isThinking(blocks[0])) turn.forbid("thinking");
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    if (isCallBlock(block)) turn.forbid("native-call");
    const name = newName(turn, block);
    if (name !== undefined) names.set(index, name);
    if (block.type !== "text" || typeof block.text !== "string") continue;
    if (objects(block.citations).length > 0) turn.forbid("citations");
    const unit = turn.newSegment();
    unit.push(block.text);
    units.set(index, unit);
  }
  turn.end(stopProblem(text(body.stop_reason)));
  return { turns: [turn], write: (source) => write(source, turn, units, names) };
}

/** The name that a native call of the client should have had. */
export function newName(turn: RepairTurn, { type, id, name }: Fields): string | undefined {
  return type === "tool_use" && typeof name === "string" ? turn.rename(text(id), name) : undefined;
}

/** Calls of the client and of the provider: `tool_use`, `server_tool_use`, `mcp_tool_use`. */
export function isCallBlock(block: Fields): boolean {
  return typeof block.type === "string" && block.type.endsWith("tool_use");
}

export function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

function write(
  source: string,
  turn: RepairTurn,
  units: ReadonlyMap<number, TextSegment>,
  names: ReadonlyMap<number, string>,
): string {
  const members = memberSpans(source, 0);
  const content = members?.get("content");
  const items = content && itemSpans(source, content.start);
  const stop = members?.get("stop_reason");
  if (content === undefined || items === undefined || stop === undefined) throw new Error("no content");
  const inner = new Edits();
  for (const [index, unit] of units) {
    const span = memberSpans(source, items[index]?.start ?? 0)?.get("text");
    if (span !== undefined && unit.accepted.length > 0) {
      inner.replace(span, JSON.stringify(unit.remaining(0, unit.length)));
    }
  }
  for (const [index, name] of names) {
    const span = memberSpans(source, items[index]?.start ?? 0)?.get("name");
    if (span !== undefined) inner.replace(span, JSON.stringify(name));
  }
  if (!turn.isRepaired) return inner.apply(source);
  const edits = new Edits();
  const isGone = (index: number): boolean => units.get(index)?.isRemoved === true;
  edits.replace(content, rebuildList(source, items, inner, isGone, turn.calls.map(toolUse)));
  edits.replace(stop, '"tool_use"');
  return edits.apply(source);
}

function toolUse({ id, name, arguments: args }: RepairedCall): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${args}}`;
}
