import { checkArguments, type SchemaNode } from "../core/calls/index.ts";
import { type JsonNode, readWholeTree } from "../core/json/json-tree.ts";

/** A tool whose calls may be repaired. */
export interface RepairableTool {
  readonly input: SchemaNode | undefined;
  /** The server declares that the tool may destroy data. Its calls are never changed. */
  readonly isDestructive: boolean;
}

/** Longer messages are sent unchanged. */
export const MAX_REPAIRED_CHARS: number = 256 << 10;

/**
 * Repairs the arguments of a `tools/call` message. Returns undefined if the message stays unchanged: it is another
 * message, its tool is unknown, its arguments fit, or more or less than one repair fits. Only the arguments differ. The
 * result has a line end only where the message had one.
 */
export function repairCallMessage(
  text: string,
  toolOf: (name: string) => RepairableTool | undefined,
): string | undefined {
  if (text.length > MAX_REPAIRED_CHARS || !text.includes("arguments")) return undefined;
  const message = readWholeTree(text);
  const method = memberOf(message, "method");
  const params = memberOf(message, "params");
  const name = memberOf(params, "name");
  const args = memberOf(params, "arguments");
  if (method?.kind !== "string" || method.value !== "tools/call" || name?.kind !== "string") return undefined;
  // A second round of the same call must repeat the arguments of the first.
  if (args === undefined || memberOf(params, "requestState") !== undefined) return undefined;
  const tool = toolOf(name.value);
  if (tool?.input === undefined || tool.isDestructive) return undefined;
  const checked = checkArguments(text.slice(args.start, args.end), tool.input, name.value);
  if (checked.kind !== "repaired") return undefined;
  // In JSON, a line end is white space. Over stdio, it would end the message.
  return text.slice(0, args.start) + checked.text.replace(/[\r\n]+/g, " ") + text.slice(args.end);
}

/**
 * The same for the bytes of a message. Decoding would change bytes that are not UTF-8, so such a message stays
 * unchanged.
 */
export function repairCallBytes(
  bytes: Buffer,
  toolOf: (name: string) => RepairableTool | undefined,
): Buffer | undefined {
  const text = bytes.toString("utf8");
  const repaired = repairCallMessage(text, toolOf);
  return repaired === undefined || Buffer.byteLength(text) !== bytes.length ? undefined : Buffer.from(repaired);
}

/** Undefined also if a key occurs twice, because servers differ in the value they use. */
function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== "object" || node.hasDuplicates) return undefined;
  return node.members.find((member) => member.key === key)?.value;
}
