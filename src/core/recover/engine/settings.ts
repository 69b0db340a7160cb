import { type FormatIndex, indexFormats } from "../formats/index-formats.ts";
import { isBar, isNameChar, M3_PREFIX } from "../lex/token.ts";
import { indexTools, type ToolIndex } from "../tools.ts";
import type { RecoverMode, RecoverOptions, ThinkPolicy } from "../types.ts";
import { LINE_WORDS } from "./line-words.ts";
import { LineStarts } from "./line-starts.ts";
import { RESULT_LINES, RESULT_MARKS, WATCHED_KEYS } from "./markers.ts";
import { type StopTable, stopTable } from "./stops.ts";

/** Options, prepared for the loop. */
export interface Settings {
  readonly formats: FormatIndex;
  readonly tools: ToolIndex;
  readonly mode: RecoverMode;
  readonly think: ThinkPolicy;
  readonly startsInThink: boolean;
  readonly newId: () => string;
  readonly maxCandidate: number;
  readonly context: readonly string[];
  /** What the loop must look at. */
  readonly stops: StopTable;
  /** Tools by the lower-cased tag they would be written as. */
  readonly toolTags: ReadonlyMap<string, string>;
  /** What means something at the start of a line. */
  readonly lineStarts: LineStarts;
  /** First characters of the tools' names. */
  readonly toolInitials: ReadonlySet<string>;
  /** Could the tag at `at` matter? `undefined`: too short to tell. */
  readonly relevant: (text: string, at: number, final: boolean) => boolean | undefined;
  /** Judges nothing: every candidate that can be read is a call. For reading the texts a model was given. */
  readonly ungated: boolean;
}

const MAX_CANDIDATE = 4 * 1024 * 1024;
/** Longest name of a tag worth waiting for. */
const MAX_TAG_NAME = 64;
/** Longest namespace worth waiting for, with its bracket. */
const MAX_NAMESPACE = 8;
const DEFAULT_FORMATS = indexFormats();
const DEFAULT_STOPS = stopTable(DEFAULT_FORMATS);

export function prepare(options: RecoverOptions, ungated = false): Settings {
  const tools = indexTools(options.tools);
  const formats = options.formats === undefined ? DEFAULT_FORMATS : indexFormats(options.formats);
  const restricted =
    options.formats?.some((one) => typeof one === "string") === true && !options.formats.includes("tag-per-tool");
  const toolTags = new Map(
    restricted ? [] : tools.names.filter((name) => isTagName(name)).map((name) => [name.toLowerCase(), name]),
  );
  const keys = new Set<string>(["functionname", "invokename", ...WATCHED_KEYS, ...toolTags.keys()]);
  for (const key of formats.tokens.keys())
    keys.add(
      key
        .slice(key.lastIndexOf(":") + 1)
        .replace(/^dsml/, "")
        .replace(M3_PREFIX, ""),
    );
  return {
    formats,
    tools,
    mode: options.mode ?? "safe",
    think: options.think ?? "whole",
    startsInThink: options.startsInThink ?? false,
    newId: options.newId ?? (() => globalThis.crypto.randomUUID()),
    maxCandidate: options.maxCandidate ?? MAX_CANDIDATE,
    context: options.context ?? [],
    stops: formats === DEFAULT_FORMATS ? DEFAULT_STOPS : stopTable(formats),
    toolTags,
    lineStarts: new LineStarts([
      ...["`", "~", ">", ...LINE_WORDS, ...formats.marks.keys()],
      ...[...formats.lines.map((line) => line.text), ...tools.names, ...RESULT_LINES, ...RESULT_MARKS],
    ]),
    toolInitials: new Set(toolTags.size === 0 ? [] : tools.names.map((name) => name[0] as string)),
    relevant: (text, at, final) => isRelevant(keys, text, at, final),
    ungated,
  };
}

/** Could the name that the text cuts off still become one of the keys, or the namespace of one? */
function mayGrow(keys: ReadonlySet<string>, text: string, at: number, from: number, to: number): boolean {
  const part = text.slice(from, to).toLowerCase();
  if (isNamespace(text, at, from, to)) return true;
  for (const key of keys) if (key.startsWith(part)) return true;
  return false;
}

function isNamespace(text: string, at: number, from: number, to: number): boolean {
  return to - at <= MAX_NAMESPACE && !text.slice(from, to).includes(".");
}

function isTagName(name: string): boolean {
  if (name.length > MAX_TAG_NAME - 2) return false;
  for (let i = 0; i < name.length; i++) if (!isNameChar(name.charCodeAt(i))) return false;
  return true;
}

function isRelevant(keys: ReadonlySet<string>, text: string, at: number, final: boolean): boolean | undefined {
  if (text.charCodeAt(at) === 93) {
    if (text.startsWith(M3_PREFIX, at)) return true;
    return !final && M3_PREFIX.startsWith(text.slice(at, at + M3_PREFIX.length)) ? undefined : false;
  }
  let i = at + 1;
  if (text.charCodeAt(i) === 47) i += 1;
  if (i >= text.length) return final ? false : undefined;
  if (isBar(text.charCodeAt(i))) return true;
  if (text.charCodeAt(i) === 32)
    return i + 1 >= text.length ? (final ? false : undefined) : isBar(text.charCodeAt(i + 1));
  let from = i;
  const stop = Math.min(text.length, i + MAX_TAG_NAME);
  while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  if (i < stop && text.charCodeAt(i) === 58 && i > from) {
    // A stream has let go of anything longer by now.
    if (!isNamespace(text, at, from, i)) return false;
    from = i + 1;
    i = from;
    while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  }
  if (i >= stop) return stop === text.length && !final && mayGrow(keys, text, at, from, i) ? undefined : false;
  if (i === from) return false;
  if (isBar(text.charCodeAt(i))) return true;
  return keys.has(text.slice(from, i).toLowerCase());
}
