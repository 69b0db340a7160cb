import { decodeString } from "../../json/strings.ts";
import { objectOf } from "../../json/values.ts";
import type { Json, JsonObject } from "../../model/tool-call.ts";
import type { SchemaNode } from "../../schema/compile.ts";
import { itemsOf, propertyOf } from "../../schema/lookup.ts";
import { typedValue } from "../coerce.ts";

interface Line {
  readonly indent: number;
  readonly text: string;
}

interface Reader {
  readonly lines: Line[];
  at: number;
  /** Keys of the whole mapping that have no value. */
  readonly unstated: Set<string> | undefined;
}

const KEY =
  /^(?:"([^"]{1,120})"|'([^']{1,120})'|([^\s:#'"{}[\],&*!|>%@`-][^\s:{}[\],]{0,120}))[ \t]*:(?:[ \t]+(.*)|)$/s;
const MAX_NESTING = 32;

/**
 * The part of YAML that models write between tags: keys, nesting by indentation, lists, block and quoted text, flow
 * values. `undefined` when it is not a mapping.
 */
export function readYaml(raw: string, schema: SchemaNode | undefined, unstated?: Set<string>): JsonObject | undefined {
  const lines = raw
    .replace(/\r/g, "")
    .replace(/^\s*\n/, "")
    .split("\n")
    .map((text): Line => ({ indent: text.length - text.trimStart().length, text }));
  while (lines.at(-1)?.text.trim() === "") lines.pop();
  dropFrame(lines);
  if (lines.length === 0) return {};
  const reader = { lines, at: 0, unstated };
  const value = mapping(reader, lines[0]?.indent ?? 0, schema, 0);
  return reader.at < lines.length ? undefined : value;
}

/** A fence around the whole, or the marks that begin and end a document. */
function dropFrame(lines: Line[]): void {
  const [first, last] = [lines[0]?.text.trim() ?? "", lines.at(-1)?.text.trim() ?? ""];
  const fenced = /^```(?:ya?ml)?$/i.test(first) && last === "```";
  if (lines.length < 2 || !(fenced || first === "---")) return;
  lines.shift();
  if (fenced || last === "---" || last === "...") lines.pop();
}

/** The next line that is neither empty nor a comment. */
function nextLine(reader: Reader): Line | undefined {
  while (/^\s*(?:#|$)/.test(reader.lines[reader.at]?.text ?? "-")) reader.at += 1;
  return reader.lines[reader.at];
}

function mapping(
  reader: Reader,
  indent: number,
  schema: SchemaNode | undefined,
  depth: number,
): JsonObject | undefined {
  if (depth > MAX_NESTING) return undefined;
  const entries: Array<[string, Json]> = [];
  let end = reader.at;
  for (let line = nextLine(reader); line !== undefined && line.indent >= indent; line = nextLine(reader)) {
    const gap = reader.at - end;
    reader.at += 1;
    const last = entries.at(-1);
    const member = memberOf(line, indent, schema, typeof last?.[1] === "string");
    if (member === undefined) {
      if (depth > 0 || !continueText(last, line, indent, gap)) return undefined;
      reader.unstated?.delete((last as [string, Json])[0]);
    } else {
      const { key, rest } = member;
      if (depth === 0 && rest === "" && !hasBlock(reader, indent)) reader.unstated?.add(key);
      const value = memberValue(reader, rest, indent, propertyOf(schema, key), depth);
      if (value === undefined) return undefined;
      entries.push([key, value]);
    }
    end = reader.at;
  }
  return entries.length === 0 ? undefined : objectOf(entries);
}

/** Adds a line to a text value that runs on over lines, which YAML would want indented. */
function continueText(last: [string, Json] | undefined, line: Line, indent: number, gap: number): boolean {
  if (typeof last?.[1] !== "string") return false;
  last[1] += "\n".repeat(last[1].endsWith("\n") ? 1 : gap + 1) + line.text.slice(Math.min(line.indent, indent));
  return true;
}

/** The key that the line begins with, and the text behind it. Behind a text, which may run on, only a declared key is one. */
function memberOf(
  { indent: own, text }: Line,
  indent: number,
  schema: SchemaNode | undefined,
  isAfterText: boolean,
): { readonly key: string; readonly rest: string } | undefined {
  const found = own === indent ? KEY.exec(text.slice(indent)) : null;
  if (found === null) return undefined;
  const key = found[1] ?? found[2] ?? (found[3] as string);
  const isKey = schema === undefined || !isAfterText || propertyOf(schema, key) !== undefined;
  return isKey ? { key, rest: found[4]?.trim() ?? "" } : undefined;
}

function memberValue(
  reader: Reader,
  text: string,
  indent: number,
  schema: SchemaNode | undefined,
  depth: number,
): Json | undefined {
  const block = /^([|>])[+-]?\d?[+-]?(?:\s+#.*)?$/.exec(text);
  if (block !== null) return blockText(reader, indent, block[1] === ">", text);
  if (text !== "") return scalar(text, schema);
  if (!hasBlock(reader, indent)) return typedValue("", schema, new Set()) ?? null;
  const next = reader.lines[reader.at] as Line;
  if (next.text.trim().startsWith("-")) return list(reader, next.indent, itemsOf(schema), depth);
  return mapping(reader, next.indent, schema, depth + 1);
}

/** Whether the value is on the lines below its key. */
function hasBlock(reader: Reader, indent: number): boolean {
  const next = reader.lines[reader.at];
  return next !== undefined && (next.indent > indent || (next.indent === indent && next.text.trim().startsWith("- ")));
}

function scalar(text: string, schema: SchemaNode | undefined): Json {
  if (text.length > 1 && text[0] === '"' && text.at(-1) === '"') return decodeString(text.slice(1, -1), '"', new Set());
  if (text.length > 1 && text[0] === "'" && text.at(-1) === "'") return text.slice(1, -1).replaceAll("''", "'");
  return typedValue(text.replace(/\s+#\s.*$/, ""), schema, new Set());
}

function list(reader: Reader, indent: number, schema: SchemaNode | undefined, depth: number): Json | undefined {
  if (depth > MAX_NESTING) return undefined;
  const items: Json[] = [];
  for (let line = nextLine(reader); line?.indent === indent; line = nextLine(reader)) {
    const rest = /^-(?:\s+(.*)|)$/s.exec(line.text.slice(indent))?.[1] ?? "";
    if (line.text[indent] !== "-") break;
    const isMember = !/^["{]/.test(rest) && KEY.test(rest);
    // `- a: 1` opens a mapping whose keys line up behind the dash.
    const inner = line.text.length - rest.length;
    if (isMember) reader.lines[reader.at] = { indent: inner, text: " ".repeat(inner) + rest };
    else reader.at += 1;
    const value = isMember
      ? mapping(reader, inner, schema, depth + 1)
      : memberValue(reader, rest.trim(), indent, schema, depth + 1);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

function blockText(reader: Reader, indent: number, folded: boolean, head: string): string {
  const lines: string[] = [];
  let own: number | undefined;
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    const isBlank = line.text.trim() === "";
    if (!isBlank && line.indent <= indent) break;
    if (!isBlank) own ??= line.indent;
    lines.push(line.text.slice(Math.min(own ?? line.indent, line.indent)));
    reader.at += 1;
  }
  while (lines.at(-1) === "") lines.pop();
  return lines.join(folded ? " " : "\n") + (head.includes("-") ? "" : "\n");
}
