import type { Text } from "../../text/cursor.ts";
import { type FormatIndex, indexFormats } from "../formats/index-formats.ts";
import { SELF_ENDS } from "../formats/table.ts";
import { isNameChar, MINIMAX_PREFIX } from "../lex/token.ts";
import { indexTools, type ToolIndex } from "../tools.ts";
import type { ContextText, DeclaredTool, RecoverMode, RecoverOptions, ThinkPolicy } from "../types.ts";
import { RESULT_LINES, RESULT_MARKS, SELF, THINK_ENDS, THINK_MARKS, WATCHED_KEYS } from "./markers.ts";
import {
  beginningFilter,
  MAX_TAG_NAME,
  type StopTable,
  stopPattern,
  stopTable,
  tagFilter,
  tagPattern,
} from "./stops.ts";

/** The options, prepared for the scanner. */
export interface Settings extends FormatTables {
  readonly tools: ToolIndex;
  readonly mode: RecoverMode;
  readonly think: ThinkPolicy;
  readonly startsInThink: boolean;
  readonly newId: () => string;
  readonly maxCandidateChars: number;
  readonly context: readonly (string | ContextText)[];
  /** The tools as declared. Their descriptions and schemas were given to the model too. */
  readonly declared: readonly DeclaredTool[];
  readonly strictCommands: boolean;
  /** Turns all gates off: every candidate that can be parsed is a call. Used for the texts the model was given. */
  readonly ungated: boolean;
}

/** The part of the settings that depends only on the formats and the tool names. */
interface FormatTables {
  readonly formats: FormatIndex;
  readonly stops: StopTable;
  readonly stop: RegExp;
  /** Tool names by the lower-cased tag that would call them. */
  readonly toolTags: ReadonlyMap<string, string>;
  /** Whether a line that begins here may matter. */
  readonly isLineStart: (text: string, at: number) => boolean;
  /** Whether the tag at `at` may be significant. */
  readonly isRelevantTag: (source: Text, at: number) => boolean;
}

const MAX_CANDIDATE_CHARS = 4 * 1024 * 1024;
const DEFAULT_FORMATS = indexFormats();
const DEFAULT_STOPS = stopTable(DEFAULT_FORMATS);

export function prepare(options: RecoverOptions, ungated = false): Settings {
  const tools = indexTools(options.tools);
  return {
    ...(options.formats === undefined
      ? cachedTables(tools.names)
      : buildTables(tools.names, indexFormats(options.formats), isRestricted(options.formats))),
    tools,
    mode: options.mode ?? "safe",
    think: options.think ?? "whole",
    startsInThink: options.startsInThink ?? false,
    newId: options.newId ?? (() => globalThis.crypto.randomUUID()),
    maxCandidateChars: options.maxCandidateChars ?? MAX_CANDIDATE_CHARS,
    context: options.context ?? [],
    declared: options.tools ?? [],
    strictCommands: options.strictCommands ?? false,
    ungated,
  };
}

function isRestricted(formats: NonNullable<RecoverOptions["formats"]>): boolean {
  return formats.some((one) => typeof one === "string") && !formats.includes("tag-per-tool");
}

const MAX_CACHED_TABLES = 16;
/** A longer list of names is not cached. */
const MAX_KEY_CHARS = 8192;
/** Least recently used first. */
const cache = new Map<string, FormatTables>();

/**
 * Caches the tables for all formats: an agent sends the same tools with every request, and building the tables costs
 * more than scanning most responses.
 */
function cachedTables(names: readonly string[]): FormatTables {
  const key = JSON.stringify(names);
  const tables = cache.get(key) ?? buildTables(names, DEFAULT_FORMATS, false);
  if (key.length > MAX_KEY_CHARS) return tables;
  cache.delete(key);
  cache.set(key, tables);
  if (cache.size > MAX_CACHED_TABLES) cache.delete(cache.keys().next().value as string);
  return tables;
}

function buildTables(names: readonly string[], formats: FormatIndex, restricted: boolean): FormatTables {
  const tagNames = restricted ? [] : names.filter(isTagName);
  const toolTags = tagsOf(tagNames);
  const keys = new Set<string>([
    "functionname",
    "invokename",
    ...WATCHED_KEYS,
    ...formats.thoughtEnds,
    ...SELF_ENDS,
    ...toolTags.keys(),
  ]);
  for (const key of formats.tokens.keys())
    keys.add(
      key
        .slice(key.lastIndexOf(":") + 1)
        .replace(/^dsml/, "")
        .replace(MINIMAX_PREFIX, ""),
    );
  const tag = tagPattern(keys);
  const stops = formats === DEFAULT_FORMATS ? DEFAULT_STOPS : stopTable(formats);
  return {
    ...{ formats, stops, stop: stopPattern(stops, tag) },
    toolTags,
    isLineStart: beginningFilter([
      ...["`", "~", ">", SELF, ...formats.strays, ...[...formats.marks.values()].flat().map((mark) => mark.text)],
      ...[
        ...[...formats.lines.values()].flat().map((line) => line.text),
        ...names,
        ...RESULT_LINES,
        ...RESULT_MARKS,
        ...THINK_MARKS.keys(),
        ...THINK_ENDS,
      ],
    ]),
    isRelevantTag: tagFilter(tag),
  };
}

function isTagName(name: string): boolean {
  if (name.length > MAX_TAG_NAME - 2) return false;
  for (let i = 0; i < name.length; i++) if (!isNameChar(name.charCodeAt(i))) return false;
  return true;
}

/** The tags that call a tool: its name, and other spellings of it that fit no other tool. */
function tagsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const own = new Map(names.map((name) => [name.toLowerCase(), name] as const));
  const other = new Map<string, string | undefined>();
  for (const [key, name] of own)
    for (const spelling of tagSpellings(key))
      other.set(spelling, other.has(spelling) && other.get(spelling) !== name ? undefined : name);
  const unique = [...other].filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Map([...unique, ...own]);
}

/** OpenHands' `<execute_bash>`, `-` for `_`, the prefix of templates, and a tool of an MCP server without its server. */
function tagSpellings(key: string): readonly string[] {
  const local = /^mcp__.{1,60}?__(.{3,})$/.exec(key)?.[1];
  const spellings = [`execute_${key}`, key.replaceAll("_", "-"), key.replaceAll("-", "_"), `functions.${key}`];
  return local === undefined ? spellings : [...spellings, local];
}
