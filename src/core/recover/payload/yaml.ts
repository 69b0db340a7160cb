import type { Json } from "../../model/tool-call.ts";
import { typedValue } from "../coerce.ts";
import { decodeString } from "../json/strings.ts";
import { objectOf } from "../json/values.ts";
import { itemSchema, propertySchema } from "../schema.ts";
import type { Schema } from "../tools.ts";

interface Line {
  readonly indent: number;
  readonly text: string;
}

const KEY =
  /^(?:"([^"]{1,120})"|'([^']{1,120})'|([^\s:#'"{}[\],&*!|>%@`-][^\s:{}[\],]{0,120}))[ \t]*:(?:[ \t]+(.*)|)$/s;
const MAX_NESTING = 32;

/**
 * The part of YAML that models write between tags: keys, nesting by indentation, lists, block and quoted text, flow
 * values. `undefined` when it is not a mapping.
 */
export function readYaml(
  raw: string,
  schema: Schema | undefined,
  unstated?: Set<string>,
): { [key: string]: Json } | undefined {
  const lines = raw
    .replace(/\r/g, "")
    .split("\n")
    .map((text): Line => ({ indent: text.length - text.trimStart().length, text }));
  while (lines.length > 0 && lines[0]?.text.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.text.trim() === "") lines.pop();
  dropFrame(lines);
  if (lines.length === 0) return {};
  const reader = { lines, at: 0, schema, unstated };
  const value = mapping(reader, lines[0]?.indent ?? 0, schema, 0);
  if (value === undefined || reader.at < lines.length) return undefined;
  return value;
}

/** A fence around the whole, or the marks that begin and end a document. */
function dropFrame(lines: Line[]): void {
  const [first, last] = [lines[0]?.text.trim() ?? "", lines.at(-1)?.text.trim() ?? ""];
  const fenced = /^```(?:ya?ml)?$/i.test(first) && last === "```";
  if (lines.length < 2 || !(fenced || first === "---")) return;
  lines.shift();
  if (fenced || last === "---" || last === "...") lines.pop();
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
  readonly schema: Schema | undefined;
  /** Keys of the whole mapping that have no value. */
  readonly unstated: Set<string> | undefined;
}

function mapping(
  reader: Reader,
  indent: number,
  schema: Schema | undefined,
  depth: number,
): { [key: string]: Json } | undefined {
  if (depth > MAX_NESTING) return undefined;
  const entries: Array<[string, Json]> = [];
  let blanks = 0;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] as Line;
    const last = entries.at(-1);
    if (/^\s*(?:#|$)/.test(line.text)) {
      if (depth === 0 && typeof last?.[1] === "string" && !last[1].endsWith("\n")) blanks += 1;
      reader.at += 1;
      continue;
    }
    if (line.indent < indent) break;
    const match = keyOf(reader, line, indent, schema, typeof last?.[1] === "string");
    if (match === null) {
      // A text value that runs on over lines, which YAML would want indented.
      if (depth > 0 || last === undefined || typeof last[1] !== "string") return undefined;
      last[1] = `${last[1]}${"\n".repeat(blanks + 1)}${line.text.slice(Math.min(line.indent, indent))}`;
      reader.unstated?.delete(last[0]);
      blanks = 0;
      reader.at += 1;
      continue;
    }
    blanks = 0;
    const key = match[1] ?? match[2] ?? (match[3] as string);
    reader.at += 1;
    const rest = match[4] ?? "";
    if (depth === 0 && rest.trim() === "" && !hasBlock(reader, indent)) reader.unstated?.add(key);
    const value = memberValue(reader, rest, indent, propertySchema(schema, key, reader.schema), depth);
    if (value === undefined) return undefined;
    entries.push([key, value]);
  }
  return entries.length === 0 ? undefined : objectOf(entries);
}

/** The key that the line begins with. Behind a text, which may run on, only a declared key is one. */
function keyOf(
  reader: Reader,
  { indent: own, text }: Line,
  indent: number,
  schema: Schema | undefined,
  isAfterText: boolean,
): RegExpExecArray | null {
  const found = own === indent ? KEY.exec(text.slice(indent)) : null;
  if (found === null || schema === undefined || !isAfterText) return found;
  const key = found[1] ?? found[2] ?? (found[3] as string);
  return propertySchema(schema, key, reader.schema) === undefined ? null : found;
}

function memberValue(
  reader: Reader,
  rest: string,
  indent: number,
  schema: Schema | undefined,
  depth: number,
): Json | undefined {
  const text = rest.trim();
  const block = /^([|>])[+-]?\d?[+-]?(?:\s+#.*)?$/.exec(text);
  if (block !== null) return blockText(reader, indent, block[1] === ">", text);
  if (text === "") {
    if (!hasBlock(reader, indent)) return typedValue("", schema, reader.schema, new Set()) ?? null;
    const next = reader.lines[reader.at] as Line;
    if (next.text.trim().startsWith("-")) return list(reader, next.indent, itemSchema(schema, reader.schema), depth);
    return mapping(reader, next.indent, schema, depth + 1);
  }
  return scalar(text, schema, reader.schema);
}

/** Whether the value is on the lines below its key. */
function hasBlock(reader: Reader, indent: number): boolean {
  const next = reader.lines[reader.at];
  return next !== undefined && (next.indent > indent || (next.indent === indent && next.text.trim().startsWith("- ")));
}

function scalar(text: string, schema: Schema | undefined, root: Schema | undefined): Json {
  if (text.length > 1 && text[0] === '"' && text.at(-1) === '"') return decodeString(text.slice(1, -1), '"', new Set());
  if (text.length > 1 && text[0] === "'" && text.at(-1) === "'") return text.slice(1, -1).replaceAll("''", "'");
  return typedValue(text.replace(/\s+#\s.*$/, ""), schema, root, new Set());
}

function list(reader: Reader, indent: number, itemsOf: Schema | undefined, depth: number): Json | undefined {
  if (depth > MAX_NESTING) return undefined;
  const items: Json[] = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] as Line;
    if (line.text.trim() === "") {
      reader.at += 1;
      continue;
    }
    const match = line.indent === indent ? /^-(?:\s+(.*)|)$/s.exec(line.text.slice(indent)) : null;
    if (match === null) break;
    reader.at += 1;
    const rest = match[1] ?? "";
    const member = KEY.exec(rest);
    if (member === null || rest.startsWith('"') || rest.startsWith("{")) {
      const value = memberValue(reader, rest, indent, itemsOf, depth + 1);
      if (value === undefined) return undefined;
      items.push(value);
      continue;
    }
    // `- a: 1` opens a mapping whose keys line up behind the dash.
    const inner = indent + line.text.slice(indent).indexOf(rest);
    const first = memberValue(
      reader,
      member[4] ?? "",
      inner,
      propertySchema(itemsOf, member[3] ?? "", reader.schema),
      depth + 1,
    );
    const more = reader.lines[reader.at]?.indent === inner ? mapping(reader, inner, itemsOf, depth + 1) : {};
    if (first === undefined || more === undefined) return undefined;
    items.push(objectOf([[member[1] ?? member[2] ?? (member[3] as string), first], ...Object.entries(more)]));
  }
  return items;
}

function blockText(reader: Reader, indent: number, folded: boolean, head: string): string {
  const lines: string[] = [];
  let own = -1;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] as Line;
    if (line.text.trim() !== "") {
      if (line.indent <= indent) break;
      if (own === -1) own = line.indent;
    }
    lines.push(line.text.slice(own === -1 ? line.indent : Math.min(own, line.indent)));
    reader.at += 1;
  }
  while (lines.at(-1) === "") lines.pop();
  return lines.join(folded ? " " : "\n") + (head.includes("-") ? "" : "\n");
}
