import { innerText } from "./inner-text.ts";
import { isFrame } from "./line-rank.ts";
import { clean, cleanLine } from "./lines.ts";
import { isTrailer, matchesNoise } from "./noise.ts";
import { hasSpecifics } from "./specifics.ts";

/** A longer message leaves no room for a detail: a status message shows 100 characters. */
const MAX_MESSAGE = 80;

/** Appends what only lines near the message tell: the values that differ, the cause drawn below it, its JSON body. */
export function withDetails(message: string, lines: readonly string[], index: number): string {
  const chain = causeAbove(lines, index);
  if (chain !== undefined) {
    return `${chain}: ${withoutNumber(message)}`;
  }
  if (message.length > MAX_MESSAGE) {
    return message;
  }
  const values = valuesBelow(lines, index, message);
  if (values !== undefined) {
    return `${message} ${values}`;
  }
  const detail =
    jsonBelow(lines, message.startsWith("HTTP/") ? lines.length - 2 : index) ??
    fieldBelowCaret(lines, index) ??
    sentenceBelowPlace(lines, index) ??
    nestedBelow(lines, index, hasSpecifics(message));
  const start = message.endsWith(".") || message.endsWith(":") ? message.slice(0, -1) : message;
  return detail === undefined || message.includes(detail) ? message : `${start}: ${detail}`;
}

/** Words that introduce a value that a test compared. */
const VALUES = new Set(["expected", "received", "actual", "got", "want", "left", "right"]);
const MAX_VALUE_LINES = 10;
const MAX_VALUE_LABEL = 32;

/** What a test expected and what it got, on lines of their own. */
function valuesBelow(lines: readonly string[], index: number, message: string): string | undefined {
  if (!asserts(message)) {
    return undefined;
  }
  const values: string[] = [];
  const last = Math.min(lines.length, index + MAX_VALUE_LINES);
  for (let below = index + 1; below < last && values.length < 2 && !isFrame(lines[below] ?? ""); below += 1) {
    const line = cleanLine(lines, below);
    if (isValue(line)) {
      values.push(line);
    }
  }
  return values.length === 0 || message.includes(values[0] ?? "") ? changesBelow(lines, index) : values.join(" ");
}

/** Words of an assertion, in a message that is about one. */
function asserts(message: string): boolean {
  const lower = message.toLowerCase();
  return lower.includes("expect") || lower.includes("assert");
}

/** `Expected: 5`, `Received string: "x"`. */
function isValue(line: string): boolean {
  const colon = line.indexOf(":");
  return colon > 0 && colon <= MAX_VALUE_LABEL && colon < line.length - 1 && VALUES.has(firstWord(line));
}

function firstWord(line: string): string {
  return line.slice(0, MAX_VALUE_LABEL).replace(":", " ").split(" ", 1)[0]?.toLowerCase() ?? "";
}

const MAX_CHANGE_LINES = 24;

/** The first removed and the first added line of a diff below its legend: `- Expected`, `+ Received`. */
function changesBelow(lines: readonly string[], index: number): string | undefined {
  const last = Math.min(lines.length, index + MAX_CHANGE_LINES);
  const changes = new Map<string, string>();
  let isDiff = false;
  for (let below = index + 1; below < last && changes.size < 2; below += 1) {
    const line = (lines[below] ?? "").trim();
    const sign = line.charAt(0);
    const text = line.slice(1).trim();
    const isLegend = VALUES.has(firstWord(text));
    isDiff ||= isLegend;
    // A rule, or the name of a file in a patch, is no change.
    const isChange = (sign === "-" || sign === "+") && text !== "" && !text.startsWith(sign);
    if (isChange && isDiff && !isLegend && !changes.has(sign)) {
      changes.set(sign, `${sign} ${text}`);
    }
  }
  return changes.size === 0 ? undefined : [...changes.values()].join(" ");
}

/** Lines of a place and the code there, between a title and its explanation. */
const MAX_PLACE_LINES = 6;

/** The sentence that explains a title, below the place that Terraform shows: `  on main.tf line 2`. */
function sentenceBelowPlace(lines: readonly string[], index: number): string | undefined {
  if (!isPlaceOrCode(cleanLine(lines, index + 1))) {
    return undefined;
  }
  for (let below = index + 2; below < Math.min(lines.length, index + MAX_PLACE_LINES); below += 1) {
    const line = cleanLine(lines, below);
    if (!(lines[below] ?? "").startsWith(" ")) {
      return isTrailer(line) || matchesNoise(line) || hasLabel(line) ? undefined : line;
    }
  }
  return undefined;
}

function hasLabel(line: string): boolean {
  const colon = line.indexOf(":");
  return colon !== -1 && !line.slice(0, colon).includes(" ");
}

/** `on main.tf line 12, in resource "a" "b":`, `with a.b,`, `12:   size = 3`. */
export function isPlaceOrCode(line: string): boolean {
  const word = line.slice(0, line.indexOf(" "));
  return (
    (word === "on" && line.includes(" line ")) ||
    word === "with" ||
    (word.endsWith(":") && Number(word.slice(0, -1)) > 0)
  );
}

/** Lines below a message that may be nested in it. */
const MAX_NESTED = 6;
const BRANCHES = ">\u2570\u2514\u21b3\u25b6\u2192";

/**
 * The innermost of the lines that are drawn or indented below a message, each deeper than the one before: the causes of
 * Gradle, the conflicts of a solver. Below a message that names something only drawn lines belong to it.
 */
function nestedBelow(lines: readonly string[], index: number, onlyDrawn: boolean): string | undefined {
  let column = columnOf(lines[index] ?? "");
  let found: string | undefined;
  for (let below = index + 1; below < Math.min(lines.length, index + MAX_NESTED); below += 1) {
    const raw = lines[below] ?? "";
    const text = cleanLine(lines, below);
    const at = columnOf(raw);
    const isDrawn = BRANCHES.includes(raw.trimStart().charAt(0));
    if (
      at <= column ||
      (onlyDrawn && !isDrawn) ||
      isFrame(raw) ||
      isQuoted(raw) ||
      matchesNoise(text) ||
      isTrailer(text)
    ) {
      break;
    }
    column = at;
    found = text;
  }
  return found !== undefined && hasSpecifics(found) ? found : undefined;
}

/** Whether the line shows source code beside its number. */
function isQuoted(raw: string): boolean {
  const bar = raw.indexOf("\u2502");
  return bar > 0 && Number(raw.slice(0, bar)) > 0;
}

/** Characters before the text of a line. */
function columnOf(line: string): number {
  let at = 0;
  while (at < line.length && !isText(line.charCodeAt(at))) {
    at += 1;
  }
  return at;
}

function isText(code: number): boolean {
  return code >= 48 && code !== 62 && (code < 0x2000 || code > 0x2bff);
}

/** What javac prints below the place in the code, in any language: `symbol:   class Basket`. */
function fieldBelowCaret(lines: readonly string[], index: number): string | undefined {
  const caret = lines.slice(index + 1, index + MAX_CARET).findIndex((line) => line.trim() === "^");
  const field = caret === -1 ? "" : (lines[index + caret + 2] ?? "");
  return field.startsWith("  ") && field.includes(": ") ? clean(field) : undefined;
}
const MAX_CARET = 4;

/** The reason in a JSON body below the message, which ends the output; below a status the headers go before it. */
function jsonBelow(lines: readonly string[], index: number): string | undefined {
  const next = lines[index + 1] ?? "";
  if (!next.startsWith("{") && !next.startsWith("[")) {
    return undefined;
  }
  const inner = innerText(next) ?? innerText(lines.slice(index + 1).join("\n"));
  return inner?.split("\n", 1)[0];
}

/** Rust and others number the causes below a heading of their own; the message stands above it. */
const CAUSES = "Caused by:";
const MAX_CAUSES = 6;

function causeAbove(lines: readonly string[], index: number): string | undefined {
  for (let above = index - 1; above > 0 && above >= index - MAX_CAUSES; above -= 1) {
    const line = lines[above] ?? "";
    if (line.trim() === CAUSES) {
      return cleanLine(lines, above - 1);
    }
    if (!line.startsWith(" ")) {
      return undefined;
    }
  }
  return undefined;
}

/** `1: No such file or directory`. */
function withoutNumber(message: string): string {
  const colon = message.indexOf(": ");
  return colon > 0 && colon <= 2 && Number(message.slice(0, colon)) >= 0 ? message.slice(colon + 2) : message;
}
