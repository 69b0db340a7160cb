import { Text } from "../../text/cursor.ts";
import { attributesOf, type Token, tokenAt } from "../lex/token.ts";
import { FORMATS, type FormatRow, TURN_ENDS } from "./table.ts";

/** An opener found in the text. `bodyAt`: where its body starts. */
export interface Opening {
  readonly rows: readonly FormatRow[];
  readonly token?: Token;
  readonly key: string;
  readonly name?: string;
  readonly start: number;
  readonly bodyAt: number;
  /** A stray word that belongs to the leak precedes the opener. */
  readonly stray?: boolean;
}

/** A literal opener that is no tag: `[TOOL_CALLS]`, `functools[`, `Action:`. */
interface Literal {
  readonly text: string;
  readonly row: FormatRow;
}

/** How the opener carries the tool's name: `<function=f>`, `<function name="f">`, or not at all. */
type Naming = "value" | "attribute" | "none";

type RowsByNaming = Readonly<Record<Naming, readonly FormatRow[]>>;

/** The table of formats, prepared for looking things up. */
export interface FormatIndex {
  /** Rows by token key, with the namespace first, and by how the token carries the name. */
  readonly tokens: ReadonlyMap<string, RowsByNaming>;
  /** Literals that are valid anywhere, by first character. */
  readonly marks: ReadonlyMap<string, readonly Literal[]>;
  /** Literals that start with a letter: found by searching for the whole of them. */
  readonly words: readonly Literal[];
  /** Literals at the start of a line only, by first character. */
  readonly lines: ReadonlyMap<string, readonly Literal[]>;
  /** Rows by the info string of a code fence. */
  readonly fences: ReadonlyMap<string, readonly Literal[]>;
  readonly closers: ReadonlySet<string>;
  /** Closers that are written like an opener: `<bot_end>`. */
  readonly plainClosers: ReadonlySet<string>;
  /** Closers that are no tags, by first character. */
  readonly literalClosers: ReadonlyMap<string, readonly string[]>;
  /** Words that may be alone on the line before an opener. */
  readonly strays: readonly string[];
  /** Formats by the separator that only they have. */
  readonly separators: ReadonlyMap<string, string>;
  /** Keys that end a message of the model to itself. */
  readonly thoughtEnds: readonly string[];
}

/** Builds the index; with `formats`, names restrict and rows are added in front. */
export function indexFormats(formats?: readonly (string | FormatRow)[]): FormatIndex {
  const added = formats?.filter((one) => typeof one !== "string") ?? [];
  const names = new Set(formats?.filter((one) => typeof one === "string"));
  const kept = names.size === 0 ? FORMATS : FORMATS.filter((row) => names.has(row.format));
  return build([...added, ...kept]);
}

function build(rows: readonly FormatRow[]): FormatIndex {
  const tokens = new Map<string, Record<Naming, FormatRow[]>>();
  const fences: Literal[] = [];
  const lines: Literal[] = [];
  const words: Literal[] = [];
  const marks: Literal[] = [];
  const closers = new Set<string>();
  const plainClosers = new Set<string>();
  const literalClosers = new Set<string>();
  const addOpener = (row: FormatRow, opener: string): void => {
    const isLine = row.anchor === "line";
    const token = isLine ? undefined : wholeToken(opener);
    if (token !== undefined) {
      const key = token.skin === "" || token.skin === "xtml" ? token.key : token.skin + token.key;
      addRow(tokens, key, namingOf(token, nameIn(token)), row);
      if (!token.key.includes("|")) closers.add(token.key);
      return;
    }
    const list = isLine ? (opener.startsWith("```") ? fences : lines) : /^\p{L}/u.test(opener) ? words : marks;
    list.push({ text: opener, row });
  };
  for (const row of rows) for (const opener of row.openers) addOpener(row, opener);
  for (const closer of [...rows.flatMap((row) => row.closers ?? []), ...TURN_ENDS]) {
    const token = wholeToken(closer);
    if (token === undefined) literalClosers.add(closer);
    else closers.add(token.key);
    if (token?.close === false) plainClosers.add(token.key);
  }
  return {
    ...{ tokens, words, closers, plainClosers },
    literalClosers: Map.groupBy(literalClosers, (closer) => closer[0] as string),
    marks: Map.groupBy(marks, ({ text }) => text[0] as string),
    lines: Map.groupBy(lines, ({ text }) => text[0] as string),
    fences: Map.groupBy(fences, ({ text }) => text.slice(3).trim()),
    strays: [...new Set(rows.flatMap((row) => row.strays ?? []))],
    separators: new Map(rows.flatMap((row) => Object.entries(row.separators ?? {}))),
    thoughtEnds: rows.flatMap((row) => row.thoughts ?? []).flatMap(({ ends }) => ends),
  };
}

/** The token that the whole text is, or undefined. */
function wholeToken(text: string): Token | undefined {
  const token = tokenAt(new Text(text, true), 0);
  return token?.end === text.length ? token : undefined;
}

/** One row counts once, however many of its openers come to the same key. */
function addRow(tokens: Map<string, Record<Naming, FormatRow[]>>, key: string, naming: Naming, row: FormatRow): void {
  const rows = tokens.get(key) ?? { value: [], attribute: [], none: [] };
  tokens.set(key, rows);
  if (!rows[naming].includes(row)) rows[naming].push(row);
}

/** The tool's name in an opener: after `=`, or in `name`, `tool`, `function`. */
export function nameIn(token: Token): string | undefined {
  if (token.value !== undefined) return token.value;
  if (token.attributes === "") return undefined;
  const attributes = attributesOf(token.attributes);
  return (attributes.get("name") ?? attributes.get("tool") ?? attributes.get("function"))?.trim();
}

function namingOf(token: Token, name: string | undefined): Naming {
  return token.value !== undefined ? "value" : name === undefined ? "none" : "attribute";
}

/** The opening a token is, or undefined. */
export function openingOf(index: FormatIndex, token: Token): Opening | undefined {
  if (token.close) return undefined;
  const rows = index.tokens.get(token.skin + token.key) ?? index.tokens.get(token.key);
  if (rows === undefined) return undefined;
  const name = nameIn(token);
  const found = rowsFor(rows, namingOf(token, name));
  if (found.length === 0) return undefined;
  const opening = { rows: found, token, key: token.key, start: token.start, bodyAt: token.end };
  return name === undefined ? opening : { ...opening, name };
}

/** `<tool_call id="1">`: an attribute that is no name does not change what the tag is. */
function rowsFor(rows: RowsByNaming, naming: Naming): readonly FormatRow[] {
  if (rows[naming].length > 0 || naming === "none") return rows[naming];
  const other = naming === "value" ? rows.attribute : rows.value;
  return other.length > 0 ? other : rows.none;
}

/** The literal opener at `at`. Longer ones come first. */
export function literalAt(literals: readonly Literal[], source: Text, at: number): Opening | undefined {
  let rows: FormatRow[] | undefined;
  let found = "";
  for (const literal of literals) {
    if (!source.startsWith(literal.text, at)) continue;
    if (literal.text.length > found.length) {
      found = literal.text;
      rows = [literal.row];
    } else if (literal.text === found) rows?.push(literal.row);
  }
  if (rows === undefined) return undefined;
  const bare = rows[0]?.bare === true;
  return { rows, key: "", start: at, bodyAt: bare ? at : at + found.length };
}
