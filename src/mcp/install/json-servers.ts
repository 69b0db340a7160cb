import { type JsonNode, readTree } from "../../core/json/json-tree.ts";
import type { ServerEntry, Token, TokenList } from "./server-entry.ts";

/**
 * Finds the servers in a JSON text, which may have comments and trailing commas.
 *
 * @param path the names that lead to the object with the servers
 * @returns undefined if the text is not JSON
 */
export function jsonServers(text: string, path: readonly string[]): readonly ServerEntry[] | undefined {
  const root = readTree(blankComments(text));
  if (root?.kind !== "object") return text.trim() === "" ? [] : undefined;
  let node: JsonNode | undefined = root;
  for (const name of path) node = member(node, name);
  return node?.kind === "object" ? node.members.map(({ key, value }) => entryOf(key, value)) : [];
}

/**
 * Adds a server to a JSON text, in front of the others. Returns the same text if a server of that name exists, and
 * undefined if the text is not JSON.
 */
export function addJsonServer(text: string, list: string, name: string, entry: object): string | undefined {
  const whole = text.trim() === "" ? CREATED_FILE : text;
  const root = readTree(blankComments(whole));
  if (root?.kind !== "object") return undefined;
  const servers = member(root, list);
  if (servers !== undefined && servers.kind !== "object") return undefined;
  if (servers?.members.some(({ key }) => key === name)) return text;
  const added = `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
  const { start, members } = servers ?? root;
  const content = servers === undefined ? `${JSON.stringify(list)}: ${CREATED_LIST}${added}}` : added;
  return `${whole.slice(0, start + 1)}${content}${members.length === 0 ? "" : SEPARATOR}${whole.slice(start + 1)}`;
}

// Marks for removal: the blanks distinguish a created file and list from existing ones.
const CREATED_FILE = "{ }\n";
const CREATED_LIST = "{ ";
const SEPARATOR = ", ";

/**
 * Removes a server that {@link addJsonServer} added. Restores every byte if the file was not rewritten since.
 *
 * @returns the same text if the server is missing or not the expected one; empty if the file was created for it
 */
export function removeJsonServer(
  text: string,
  list: string,
  name: string,
  isExpected: (entry: ServerEntry) => boolean,
): string {
  const root = readTree(blankComments(text));
  const servers = member(root, list);
  if (root?.kind !== "object" || servers?.kind !== "object") return text;
  const at = servers.members.findIndex(({ key }) => key === name);
  const found = servers.members[at];
  if (found === undefined || !isExpected(entryOf(name, found.value))) return text;
  const isCreatedList =
    servers.members.length === 1 && text.startsWith(CREATED_LIST + JSON.stringify(name), servers.start);
  const owner = isCreatedList ? root : servers;
  const index = isCreatedList ? root.members.findIndex(({ key }) => key === list) : at;
  const rest = withoutMember(text, owner, index);
  return isCreatedList && rest === CREATED_FILE ? "" : rest;
}

function withoutMember(text: string, { start, members }: JsonNode & { readonly kind: "object" }, at: number): string {
  const cut = (from: number, to: number): string => text.slice(0, from) + text.slice(to);
  const [before, own, after] = [members[at - 1], members[at], members[at + 1]];
  if (own === undefined) return text;
  const { end } = own.value;
  if (before !== undefined) return cut(before.value.end, end);
  if (after === undefined) return cut(own.start, end);
  const isAsAdded = own.start === start + 1 && text.startsWith(SEPARATOR, end);
  return cut(own.start, isAsAdded ? end + SEPARATOR.length : after.start);
}

function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.members.find(({ key }) => key === name)?.value : undefined;
}

function entryOf(name: string, value: JsonNode): ServerEntry {
  const command = member(value, "command");
  const args = member(value, "args");
  if (command?.kind === "array") {
    const list = tokenList(command);
    return list === undefined || list.items.length === 0
      ? { kind: "skipped", name, reason: "its command is not a list of texts" }
      : { kind: "list", name, command: list };
  }
  if (command?.kind !== "string") {
    const isRemote = ["url", "httpUrl", "serverUrl"].some((key) => member(value, key) !== undefined);
    return { kind: "skipped", name, reason: isRemote ? "it is an HTTP server" : "it has no command" };
  }
  const list = args === undefined ? undefined : tokenList(args);
  if (args !== undefined && list === undefined)
    return { kind: "skipped", name, reason: "its args are not a list of texts" };
  return {
    kind: "command",
    name,
    command,
    ...(list !== undefined && { args: list }),
    addArgs: (added) => `, "args": ${added}`,
    ...(args !== undefined && { argsEnd: args.end }),
  };
}

function tokenList(node: JsonNode): TokenList | undefined {
  if (node.kind !== "array") return undefined;
  const items: Token[] = [];
  for (const item of node.items) {
    if (item.kind !== "string") return undefined;
    items.push(item);
  }
  return { start: node.start + 1, items };
}

/** Replaces comments, trailing commas and the byte order mark by blanks, so that positions stay the same. Linear. */
function blankComments(text: string): string {
  const blanks: (readonly [start: number, end: number])[] = text.startsWith("\uFEFF") ? [[0, 1]] : [];
  let comma: number | undefined;
  for (let at = blanks.length; at < text.length; ) {
    const sign = text[at] ?? "";
    const next = text[at + 1];
    if (sign === "/" && (next === "/" || next === "*")) {
      const end = commentEnd(text, at);
      blanks.push([at, end]);
      at = end;
      continue;
    }
    if ((sign === "}" || sign === "]") && comma !== undefined) blanks.push([comma, comma + 1]);
    if (!" \t\r\n".includes(sign)) comma = sign === "," ? at : undefined;
    at = sign === '"' ? stringEnd(text, at) : at + 1;
  }
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of blanks.sort(([a], [b]) => a - b)) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n\r]/g, " "));
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function commentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === "/";
  const end = text.indexOf(isLine ? "\n" : "*/", start + 2);
  return end === -1 ? text.length : isLine ? end : end + 2;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
