import { cleanName } from "../name.ts";
import { readJsonArguments } from "./json-calls.ts";
import { readParenthesized } from "./key-values.ts";
import { type Envelope, no, type Payload, type Read, type Source, skipFence } from "./payload.ts";

const MAX_NAME = 200;
/** Words between the name and its arguments. */
const LABELS = ["Arguments", "arguments", "Args", "args", "Input", "input", "Parameters", "parameters"].flatMap(
  (label) => [`${label}:`, `**${label}:**`],
);
/** Words between a name in a bracket and its arguments in the same bracket. */
const JOINS = [
  "with arguments:",
  "with args:",
  "with arguments",
  "with args",
  "with input:",
  "with parameters:",
  "with",
];

/**
 * A name and its arguments without an envelope: `f[ARGS]{…}`, `f{…}`, `f({…})`, `f(a=1)`; `f` on its own line and then
 * a fence with Python; `[f]{…}[/f]`; and after a label in a bracket, `[Tool Use: f({…})]`, `[Called f with args: {…}]`,
 * `[tool: f] {…}`.
 */
export const callLine: Payload = {
  starts: (source, at) => nameAt(source, at) !== undefined,
  read: (source, at, envelope) => {
    const named = nameAt(source, at);
    if (named === undefined) return no(at);
    const read = readArguments(source, named, envelope);
    if (read.kind === "no") return read;
    const end = bracketEnd(source, read.end, named);
    const isOpen = named.bracket !== "none" || read.fenced === true;
    return isOpen || source.reading.standsAlone(end) ? { ...read, end } : no(end, "not-anchored", named.name);
  },
};

interface Named {
  readonly name: string;
  readonly at: number;
  readonly end: number;
  /** The call is in a bracket that is still open, or was closed behind the name. */
  readonly bracket: "none" | "open" | "closed";
}

/** The declared name at `at`, behind an opening bracket if there is one. */
function nameAt(source: Source, at: number): Named | undefined {
  const isBracket = source.at(at) === "[";
  const isLabeled = !isBracket && isInBracket(source, at);
  const from = isBracket ? source.skipBlanks(at + 1) : at;
  const end = source.skipWhile(from, MAX_NAME, (c) => c > 32 && !"[](){}<>\"'`,;=".includes(String.fromCharCode(c)));
  const written = source.text.slice(from, end).replace(/:$/, "");
  const name = cleanName(written, source.tools)?.name;
  if (name === undefined || end - from >= MAX_NAME || !source.tools.has(name)) return undefined;
  if (source.at(end) === "]") return isBracket || isLabeled ? { name, at, end: end + 1, bracket: "closed" } : undefined;
  return isBracket ? undefined : { name, at, end, bracket: isLabeled ? "open" : "none" };
}

/** Whether the label of a bracket (`[Tool Use:`) precedes the name. */
function isInBracket({ text, reading }: Source, at: number): boolean {
  return text.slice(reading.origin, at).includes("[");
}

function readArguments(source: Source, named: Named, envelope: Envelope): Read {
  const { name, at, end, bracket } = named;
  const isMark = source.startsWith("[ARGS]", end);
  const isLabeled = at > source.reading.origin;
  let i = isMark ? end + "[ARGS]".length : isLabeled || bracket !== "none" ? source.skipBlanks(end) : end;
  const label =
    isLabeled || bracket !== "none" ? [...LABELS, ...JOINS].find((one) => source.startsWith(one, i)) : undefined;
  if (label !== undefined) i = source.skipBlanks(i + label.length);
  if (source.at(i) === ":") i += 1;
  if (source.at(i) === " ") i += 1;
  if (source.at(i) === "{") return readJsonArguments(source, i, envelope, name);
  if (source.at(i) === "(") return readParenthesized(source, i, name);
  if (bracket === "open" || source.at(i) !== "\n") return no(i, "malformed", name);
  return readFenced(source, source.skipBlanks(i), name);
}

/** ChatGLM: the call is written in Python, as a call to `tool_call`. */
function readFenced(source: Source, at: number, name: string): Read {
  const { at: start, fenced } = skipFence(source, at);
  const open = start + "tool_call".length;
  if (!fenced || !source.startsWith("tool_call(", start)) return no(start, "malformed", name);
  const read = readParenthesized(source, open, name);
  return read.kind === "no" ? read : { ...read, fenced: true };
}

/** The end of the call with the bracket that closes it: `]`, or `[/f]`. */
function bracketEnd(source: Source, end: number, { name, bracket }: Named): number {
  if (bracket === "none") return end;
  const at = source.skipBlanks(end);
  if (bracket === "open") return source.at(at) === "]" ? at + 1 : end;
  return source.startsWith(`[/${name}]`, at) ? at + name.length + 3 : end;
}

/** Whether a name on a line is followed by what {@link callLine} reads. */
export function startsArguments(source: Pick<Source, "at" | "startsWith">, end: number): boolean {
  const c = source.at(end);
  if (c === "[") return source.startsWith("[ARGS]", end);
  const isApart = c === " " || (c === ":" && source.at(end + 1) === " ");
  return c === "{" || c === "(" || (isApart && source.at(c === ":" ? end + 2 : end + 1) === "{");
}
