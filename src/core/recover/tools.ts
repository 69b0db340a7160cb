import type { Repair } from "../json/values.ts";
import { isObject } from "../model/narrow.ts";
import { compileSchema, type SchemaNode } from "../schema/compile.ts";
import type { DeclaredTool } from "./types.ts";

/** The declared tools by name. */
export interface ToolIndex {
  readonly size: number;
  has(name: string): boolean;
  /** Schema of the arguments, if declared. */
  schema(name: string): SchemaNode | undefined;
  readonly names: readonly string[];
  /**
   * The declared tools that have this name in another spelling: another case, `-` or nothing for `_`, a namespace too
   * many (`functions.f`, `ns:f`) or too few (`f` for `mcp__server__f`).
   */
  like(name: string): readonly string[];
}

/** Indexes the tool lists of the three APIs. */
export function indexTools(tools: readonly DeclaredTool[] | undefined): ToolIndex {
  const byName = new Map<string, DeclaredTool>();
  for (const tool of tools ?? []) {
    const name = tool.function?.name ?? tool.name;
    if (typeof name === "string" && name !== "") byName.set(name, tool);
  }
  const schemas = new Map<string, SchemaNode | undefined>();
  const schema = (name: string): SchemaNode | undefined => {
    if (!schemas.has(name)) schemas.set(name, schemaOf(byName.get(name)));
    return schemas.get(name);
  };
  const names = [...byName.keys()];
  return { size: names.length, has: (name) => byName.has(name), schema, names, like: (name) => likeNames(name, names) };
}

function likeNames(name: string, names: readonly string[]): readonly string[] {
  const own = segmentsOf(name);
  if (own.length === 0) return [];
  const same = names.filter((other) => segmentsOf(other).join("") === own.join(""));
  return same.length > 0 ? same : names.filter((other) => isInNamespace(own, segmentsOf(other)));
}

/** The parts of a name with its namespaces, in one spelling. */
function segmentsOf(name: string): readonly string[] {
  const segments = name
    .split(/__|[.:/]/)
    .map((part) => part.toLowerCase().replace(/[_\s-]/g, ""))
    .filter((part) => part !== "");
  return segments[0] === "mcp" ? segments.slice(1) : segments;
}

/** Whether one name is the other one in a namespace. */
function isInNamespace(a: readonly string[], b: readonly string[]): boolean {
  const shorter = Math.min(a.length, b.length);
  return shorter > 0 && a.slice(-shorter).join(" ") === b.slice(-shorter).join(" ");
}

/** Evaluated lazily, because a tool may generate its schema in a getter. */
function schemaOf(tool: DeclaredTool | undefined): SchemaNode | undefined {
  const schema = tool?.function?.parameters ?? tool?.parameters ?? tool?.input_schema ?? tool?.inputSchema;
  // The AI SDK nests the schema one level deeper.
  const inner = isObject(schema) && isObject(schema.jsonSchema) ? schema.jsonSchema : schema;
  return isObject(inner) ? compileSchema(inner) : undefined;
}

const PREFIXES: readonly string[] = ["functions.", "function.", "tools.", "tool.", "default_api."];
const MAX_NAME = 256;
/** Longer text, including special tokens, is not a name. */
const MAX_WRITTEN = 1024;
/**
 * Special tokens, with the channel name that may follow: `read<|channel|>commentary`. Bounded, so that matching stays
 * fast.
 */
const TOKENS = /<[|｜][^<>|｜]{1,48}[|｜]>(?:commentary|analysis|final|json)?/;

/** `undefined`: this cannot be a name. */
export interface CleanName {
  readonly name: string;
  readonly repairs: readonly Repair[];
}

/** The words between special tokens in a written name, without quotes. They are never concatenated. */
function nameWords(written: string): readonly string[] {
  if (written.length > MAX_WRITTEN) return [];
  return written
    .split(TOKENS)
    .map((word) => word.trim().replace(/^["'`]+|["'`]+$/g, ""))
    .filter((word) => word !== "");
}

/** The possible meanings of a word, most literal first: as is, without a trailing `:0`, without a template's prefix. */
function meanings(word: string): readonly string[] {
  const name = withoutIndex(word);
  const prefixes = PREFIXES.filter((prefix) => name.startsWith(prefix));
  return [word, name, ...prefixes.map((prefix) => name.slice(prefix.length))];
}

function withoutIndex(word: string): string {
  return word.replace(/:\d{1,6}$/, "");
}

/** All names that a written name may mean after removing template artifacts: special tokens, quotes, prefixes, `:0`. */
export function nameCandidates(written: string): readonly string[] {
  return [...new Set(nameWords(written).flatMap(meanings))];
}

/**
 * The declared tool that a written name means, without what templates add to it (special tokens, `functions.`, `:0`) and
 * in the declared spelling. Of other names only what templates add is removed: dotted and non-Latin names are valid.
 */
export function cleanName(raw: string, tools: ToolIndex): CleanName | undefined {
  const before = raw.trim();
  if (tools.has(before)) return { name: before, repairs: [] };
  const words = nameWords(before);
  const name = declaredName(words, tools) ?? (words.length === 1 ? undeclaredName(words[0] as string) : undefined);
  if (name === undefined || name.length > MAX_NAME || /\s/.test(name) || isPlaceholder(name)) return undefined;
  return { name, repairs: name === before ? [] : ["cleaned-name"] };
}

function declaredName(words: readonly string[], tools: ToolIndex): string | undefined {
  const known = words.flatMap(meanings).find((name) => tools.has(name));
  if (known !== undefined || words.length !== 1) return known;
  // Another spelling, or a namespace: Muse Glimmer writes the name twice, `f.f`.
  const [alike, ...others] = tools.like(withoutIndex(words[0] as string));
  return others.length === 0 ? alike : undefined;
}

function undeclaredName(word: string): string {
  const name = withoutIndex(word);
  return name.startsWith("functions.") && name.length > 10 ? name.slice(10) : name;
}

/** Placeholders of documentation: `...`, `$FUNCTION_NAME`, `{{name}}`. */
function isPlaceholder(name: string): boolean {
  return /^[$<{]/.test(name) || !/[\p{L}\p{N}]/u.test(name);
}
