import { commandLine } from "./command-line.ts";
import type { Io } from "./io.ts";

const STEPS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** Time since a moment in its largest unit: `3d`, `14h`, `5m`. */
export function ago(at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at));
  const [unit, size] = STEPS.find(([, length]) => past >= length) ?? ["s", 1000];
  return `${Math.floor(past / size)}${unit}`;
}

/** A rate as a percentage with one decimal; a dash if there is no rate. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : (100 * rate).toFixed(1);
}

/** The difference of two rates in percentage points, with its sign. */
export function points(change: number | null): string {
  if (change === null) return "–";
  const text = (100 * change).toFixed(1);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? "0.0" : text;
}

/** `1 call`, `2 calls`. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

export type Style = "bad" | "good" | "doubtful" | "faint" | "strong";

const CODES: Readonly<Record<Style, string>> = { bad: "31", good: "32", doubtful: "33", faint: "2", strong: "1" };

export type Colors = (style: Style | undefined, text: string) => string;

/** Colors for a terminal; plain text for files, pipes and NO_COLOR. */
export function createColors({ isTerminal, environment }: Pick<Io, "isTerminal" | "environment">): Colors {
  const off = (environment.NO_COLOR ?? "") !== "" || environment.TERM === "dumb";
  if (!isTerminal || off) return (_style, text) => text;
  return (style, text) => (style === undefined || text === "" ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`);
}

/** Shown instead of an empty table. */
export const NO_CALLS_MESSAGE = `No tool calls recorded yet. \`${commandLine("env")}\` shows how to point a client here; \`${commandLine("demo")}\` shows Toolmend with generated data.\n`;

/** Comma-separated values: a header, then one line per row. Missing values are empty cells. */
export function renderCsv<T extends object>(fields: readonly (keyof T & string)[], rows: readonly T[]): string {
  return [fields.join(","), ...rows.map((row) => fields.map((name) => cell(row[name])).join(","))]
    .map((line) => `${line}\n`)
    .join("");
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? harmless(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Tool names come from models: escapes formulas for spreadsheets and control characters for terminals. */
function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to remove
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
  return /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
}
