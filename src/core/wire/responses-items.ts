import { type Fields, isObject, messageText, objects, omitUndefined, text } from "./json.ts";
import type { DeclaredTool } from "./turn.ts";

/** A call item. The name may be missing in a history, but not in a response. */
export interface ItemCall {
  readonly id: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** Call items that the client runs, with the field of their arguments, and a name for those without a `name` field. */
const CLIENT_CALLS = new Map<unknown, { readonly field: string; readonly name?: string }>([
  ["function_call", { field: "arguments" }],
  ["custom_tool_call", { field: "input" }],
  ["local_shell_call", { field: "action", name: "local_shell" }],
  ["shell_call", { field: "action", name: "shell" }],
  ["apply_patch_call", { field: "operation", name: "apply_patch" }],
]);

/**
 * The call in an item. Undefined for other items, and for calls that the provider runs itself (web search, a shell in
 * its container).
 */
export function callOf(item: Fields): ItemCall | undefined {
  const kind = CLIENT_CALLS.get(item.type);
  const id = text(item.call_id);
  if (kind === undefined || id === undefined || id === "" || isHosted(item)) return undefined;
  const name = kind.name ?? text(item.name);
  return omitUndefined({
    id,
    name: name === undefined ? undefined : qualified(text(item.namespace), name),
    arguments: item[kind.field],
  });
}

/** The result in an item. Results are matched to calls by `call_id`; the ids of the items differ. */
export function resultOf(
  item: Fields,
): { readonly id: string; readonly content: unknown; readonly is_error?: boolean } | undefined {
  if (typeof item.type !== "string" || !item.type.endsWith("_output")) return undefined;
  const call = item.type.slice(0, -"_output".length);
  if (!CLIENT_CALLS.has(call)) return undefined;
  // Only the shell's output is documented without `call_id`: its `id` is the id of the call.
  const id = text(item.call_id) ?? (call === "local_shell_call" ? text(item.id) : undefined);
  if (id === undefined || id === "") return undefined;
  // Only the patch tool reports success or failure as a field of its output.
  const flagged = call === "apply_patch_call" && (item.status === "failed" || item.status === "completed");
  return { id, content: item.output, ...(flagged && { is_error: item.status === "failed" }) };
}

/** Inputs may omit the type of a message. */
export function isMessage(item: Fields): boolean {
  return item.type === "message" || (item.type === undefined && typeof item.role === "string");
}

export function itemText(item: Fields): string {
  return messageText(item.content);
}

/** Declared tools by name, with namespaces flattened. Provider tools have no name and go by their type. */
export function toolsOf(value: unknown): readonly DeclaredTool[] {
  return objects(value).flatMap((tool) => {
    const name = text(tool.name) ?? text(tool.type);
    if (name === undefined) return [];
    if (tool.type !== "namespace") return [declared(name, tool)];
    return objects(tool.tools).flatMap((inner) => {
      const innerName = text(inner.name);
      return innerName === undefined ? [] : [declared(qualified(name, innerName), inner)];
    });
  });
}

function declared(name: string, tool: Fields): DeclaredTool {
  return omitUndefined({ name, parameters: tool.parameters });
}

/**
 * `mcp__docs.search`, or `mcp__docs__search` if the namespace already ends with a separator. Without the prefix, tools
 * with the same name on two servers would be confused.
 */
export function qualified(namespace: string | undefined, name: string): string {
  if (namespace === undefined || namespace === "") return name;
  return /[_./]$/.test(namespace) ? namespace + name : `${namespace}.${name}`;
}

function isHosted({ environment }: Fields): boolean {
  return isObject(environment) && environment.type === "container_reference";
}
