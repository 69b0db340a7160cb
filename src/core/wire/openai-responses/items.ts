import { type Fields, given, isObject, messageText, objects, text } from "../json.ts";
import type { DeclaredTool } from "../turn.ts";

/** A call item: in a history its name may be missing, in an answer it may not. */
export interface ItemCall {
  readonly id: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** The items that the client runs: where their arguments stand, and what those are called that have no name of their own. */
const CLIENT_CALLS = new Map<unknown, { readonly field: string; readonly name?: string }>([
  ["function_call", { field: "arguments" }],
  ["custom_tool_call", { field: "input" }],
  ["local_shell_call", { field: "action", name: "local_shell" }],
  ["shell_call", { field: "action", name: "shell" }],
  ["apply_patch_call", { field: "operation", name: "apply_patch" }],
]);

/** The call an item makes; undefined for everything else, also for what the provider runs itself (web search, a shell in its container). */
export function callOf(item: Fields): ItemCall | undefined {
  const kind = CLIENT_CALLS.get(item.type);
  const id = text(item.call_id);
  if (kind === undefined || id === undefined || id === "" || isHosted(item)) return undefined;
  const name = kind.name ?? text(item.name);
  return given({
    id,
    name: name === undefined ? undefined : qualified(text(item.namespace), name),
    arguments: item[kind.field],
  });
}

/** The result an item brings. Pairs are joined by `call_id`; the items' own ids differ. */
export function resultOf(
  item: Fields,
): { readonly id: string; readonly content: unknown; readonly is_error?: boolean } | undefined {
  if (typeof item.type !== "string" || !item.type.endsWith("_output")) return undefined;
  const call = item.type.slice(0, -"_output".length);
  if (!CLIENT_CALLS.has(call)) return undefined;
  // The shell's output alone is documented without `call_id`: its `id` is the call's.
  const id = text(item.call_id) ?? (call === "local_shell_call" ? text(item.id) : undefined);
  if (id === undefined || id === "") return undefined;
  // The patch tool is the only one whose output says how it went.
  const flagged = call === "apply_patch_call" && (item.status === "failed" || item.status === "completed");
  return { id, content: item.output, ...(flagged && { is_error: item.status === "failed" }) };
}

/** Inputs may leave out the type of a message. */
export function isMessage(item: Fields): boolean {
  return item.type === "message" || (item.type === undefined && typeof item.role === "string");
}

export function itemText(item: Fields): string {
  return messageText(item.content);
}

/** Tools by name, those of name spaces one by one. Tools of the provider are known by their type. */
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
  return given({ name, parameters: tool.parameters });
}

/** `mcp__docs.search`, or `mcp__docs__search` where the name space brings its own separator: two servers may have a tool of one name. */
export function qualified(space: string | undefined, name: string): string {
  if (space === undefined || space === "") return name;
  return /[_./]$/.test(space) ? space + name : `${space}.${name}`;
}

function isHosted({ environment }: Fields): boolean {
  return isObject(environment) && environment.type === "container_reference";
}
