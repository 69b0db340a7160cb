import { type FormatIndex, indexFormats } from "../formats/index-formats.ts";
import { isNameChar, M3_PREFIX } from "../lex/token.ts";
import { indexTools, type ToolIndex } from "../tools.ts";
import type { RecoverMode, RecoverOptions, ThinkPolicy } from "../types.ts";
import { LineStarts } from "./line-starts.ts";
import { LINE_WORDS } from "./line-words.ts";
import { RESULT_LINES, RESULT_MARKS, WATCHED_KEYS } from "./markers.ts";
import { type StopTable, stopTable } from "./stops.ts";
import { MAX_TAG_NAME, TagFilter } from "./tag-filter.ts";

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
  /** Is the tag at `at`, on a line that is complete, of no interest? */
  readonly foreign: (text: string, at: number) => boolean;
  /** Judges nothing: every candidate that can be read is a call. For reading the texts a model was given. */
  readonly ungated: boolean;
}

const MAX_CANDIDATE = 4 * 1024 * 1024;
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
  const filter = new TagFilter(keys);
  const tagMarks = (formats.marks.get("<") ?? []).map((mark) => mark.text.slice(0, 2));
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
      ...["`", "~", ">", ...LINE_WORDS, ...[...formats.marks.values()].flat().map((mark) => mark.text)],
      ...[...formats.lines.map((line) => line.text), ...tools.names, ...RESULT_LINES, ...RESULT_MARKS],
    ]),
    toolInitials: new Set(toolTags.size === 0 ? [] : tools.names.map((name) => name[0] as string)),
    relevant: (text, at, final) => filter.relevant(text, at, final),
    foreign: (text, at) =>
      filter.relevant(text, at, false) === false && !tagMarks.some((mark) => text.startsWith(mark, at)),
    ungated,
  };
}

function isTagName(name: string): boolean {
  if (name.length > MAX_TAG_NAME - 2) return false;
  for (let i = 0; i < name.length; i++) if (!isNameChar(name.charCodeAt(i))) return false;
  return true;
}
