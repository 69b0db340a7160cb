import type { ServerEntry, Token, TokenList } from "./server-entry.ts";

/** Finds the servers in Codex's configuration: tables `[mcp_servers.NAME]`. Other notations are skipped. */
export function tomlServers(text: string): readonly ServerEntry[] {
  const entries: ServerEntry[] = [];
  let table: { readonly name: string; readonly values: Map<string, number> } | undefined;
  /** What precedes the names of servers in keys; undefined in tables that contain no servers. */
  let prefix: RegExp | undefined = /^mcp_servers\s*(?:\.\s*|$)/;
  const finish = (): void => {
    if (table !== undefined) entries.push(entryOf(text, table.name, table.values));
  };
  for (const statement of statementsOf(text)) {
    if (statement.kind === "header") {
      const name = serverName(statement.text);
      prefix = /^\[\s*mcp_servers\s*\]/.test(statement.text) ? /^/ : undefined;
      // A table below a server, such as its environment, does not end the entry: its command is in its own table.
      if (name === undefined && /^\[\s*mcp_servers\s*\./.test(statement.text)) continue;
      finish();
      table = name === undefined ? undefined : { name, values: new Map() };
    } else if (table !== undefined && !table.values.has(statement.key))
      table.values.set(statement.key, statement.value);
    else if (table === undefined && prefix?.test(statement.key) === true) {
      const name = firstName(statement.key.replace(prefix, "")) ?? statement.key;
      // A server may have one key for each of its values.
      if (!entries.some((entry) => entry.name === name))
        entries.push({ kind: "skipped", name, reason: "it is not written as a table" });
    }
  }
  finish();
  return entries;
}

type Statement =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "pair"; readonly key: string /** Where the value begins. */; readonly value: number };

const BLANK = /[ \t]*/y;
const HEADER = /^\[\s*mcp_servers\s*\.\s*((?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'))\s*\]/;
const NAME = /^(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')/;

function serverName(header: string): string | undefined {
  return firstName(HEADER.exec(header)?.[1] ?? "");
}

/** The first part of a key, without quotes. */
function firstName(key: string): string | undefined {
  const match = NAME.exec(key);
  if (match === null) return undefined;
  const [, bare, basic, literal] = match;
  return bare ?? literal ?? (basic === undefined ? undefined : parsed(`"${basic}"`));
}

/** Splits a text into headers and pairs. Values may span lines, so their ends must be found. Linear. */
function* statementsOf(text: string): Generator<Statement> {
  for (let at = 0; at < text.length; ) {
    at = skipSpace(text, at);
    const lineEnd = endOfLine(text, at);
    if (text[at] === "[") {
      yield { kind: "header", text: text.slice(at, lineEnd) };
      at = lineEnd;
      continue;
    }
    const equals = text.indexOf("=", at);
    if (equals === -1 || equals > lineEnd) {
      at = lineEnd + 1;
      continue;
    }
    BLANK.lastIndex = equals + 1;
    BLANK.test(text);
    const value = BLANK.lastIndex;
    yield { kind: "pair", key: text.slice(at, equals).trim(), value };
    at = valueEnd(text, value);
  }
}

/** Skips white space and comments. */
function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const sign = text[at];
    if (sign === "#") at = endOfLine(text, at);
    else if (sign === " " || sign === "\t" || sign === "\n" || sign === "\r" || sign === "\uFEFF") at += 1;
    else return at;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** The end of a value: of a string, of a list or inline table with its content, otherwise of the line. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const sign = text[at];
    if (sign === '"' || sign === "'") at = stringEnd(text, at);
    else if (sign === "#") at = endOfLine(text, at);
    else {
      if (sign === "[" || sign === "{") depth += 1;
      else if (sign === "]" || sign === "}") depth -= 1;
      else if (sign === "\n" && depth <= 0) return at;
      at += 1;
    }
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? "";
  const triple = quote.repeat(3);
  if (text.startsWith(triple, start)) {
    for (let at = start + 3; at < text.length; at += 1) {
      if (quote === '"' && text[at] === "\\") at += 1;
      else if (text.startsWith(triple, at)) return at + 3;
    }
    return text.length;
  }
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at += 1) {
    if (quote === '"' && text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return endOfLine(text, start);
}

function entryOf(text: string, name: string, values: ReadonlyMap<string, number>): ServerEntry {
  const [command, args] = [values.get("command"), values.get("args")];
  if (command === undefined)
    return { kind: "skipped", name, reason: values.has("url") ? "it is an HTTP server" : "it has no command" };
  const token = tokenAt(text, command);
  const list = args === undefined ? undefined : listAt(text, args);
  if (token === undefined || (args !== undefined && list === undefined))
    return { kind: "skipped", name, reason: "its command or args are not simple texts" };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return {
    kind: "command",
    name,
    command: token,
    ...(list !== undefined && { args: list.list, argsEnd: list.end }),
    addArgs: (added) => `${eol}args = ${added}`,
  };
}

function tokenAt(text: string, start: number): Token | undefined {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return undefined;
  if (text.startsWith(quote.repeat(3), start)) return undefined;
  const end = stringEnd(text, start);
  const raw = text.slice(start, end);
  const value = quote === "'" ? raw.slice(1, -1) : parsed(raw);
  return value === undefined ? undefined : { start, end, value };
}

/** TOML escapes that JSON does not have are rare, so such a text stays unchanged. */
function parsed(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function listAt(text: string, start: number): { readonly list: TokenList; readonly end: number } | undefined {
  if (text[start] !== "[") return undefined;
  const items: Token[] = [];
  for (let at = skipSpace(text, start + 1); at < text.length; at = skipSpace(text, at)) {
    if (text[at] === "]") return { list: { start: start + 1, items }, end: at + 1 };
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at);
    if (token === undefined) return undefined;
    items.push(token);
    at = token.end;
  }
  return undefined;
}
