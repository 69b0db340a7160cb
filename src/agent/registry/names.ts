import { distance } from "fastest-levenshtein";
import type { ToolFailure } from "../outcome/failure.ts";

/** Below it two names have nothing to do with each other. */
const NEAR = 0.6;
const MAX_SUGGESTIONS = 3;
/** Longer than any tool's name; bounds the work on what a model invents. */
const MAX_NAME_CHARS = 200;
/** Shorter names are contained in anything. */
const MIN_CONTAINED_CHARS = 4;

/** The words of a name: `mcp__server__listFiles` → mcp, server, list, files. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, MAX_NAME_CHARS)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** How near two names are, 0 to 1: by their words first, by their letters last. */
function nearness(left: readonly string[], right: readonly string[]): number {
  const a = left.join("");
  const b = right.join("");
  if (a === "" || b === "") return 0;
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  const isContained = shorter >= MIN_CONTAINED_CHARS && (a.includes(b) || b.includes(a));
  const contained = isContained ? 0.65 + (0.3 * shorter) / longer : 0;
  const inBoth = new Set(left.filter((word) => right.includes(word))).size;
  const inEither = new Set([...left, ...right]).size;
  const fewest = Math.min(new Set(left).size, new Set(right).size);
  const words = (inBoth / fewest + inBoth / inEither) / 2;
  const letters = 1 - distance(a, b) / longer;
  return Math.max(contained, words, letters);
}

/** All names, nearest first; equals keep their order. */
export function rankNames(wanted: string, names: Iterable<string>): { readonly name: string; readonly near: number }[] {
  const words = wordsOf(wanted);
  return [...names].map((name) => ({ name, near: nearness(words, wordsOf(name)) })).sort((a, b) => b.near - a.near);
}

/** The names that may have been meant; none rather than a bad one. */
export function suggestNames(wanted: string, names: Iterable<string>): string[] {
  return rankNames(wanted, names)
    .filter(({ near }) => near >= NEAR)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** What is said about a name nobody has. */
export interface UnknownName {
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly listed: readonly string[];
}

/** The error result for a name that is not registered. Its words are relied upon: change none. */
export function describeUnknown(wanted: string, names: readonly string[], most: number): UnknownName {
  const suggestions = suggestNames(wanted, names);
  const listed =
    names.length <= most
      ? names
      : rankNames(wanted, names)
          .slice(0, most)
          .map(({ name }) => name);
  const left = names.length - listed.length;
  const list = `${listed.join(", ")}${left > 0 ? ` (and ${left} more)` : ""}`;
  const text = [
    `Error: Tool '${shown(wanted)}' not found.`,
    ...(suggestions.length > 0 ? [`Did you mean: ${suggestions.join(", ")}?`] : []),
    `Available tools: ${list}`,
    "Please try again with one of the available tools.",
  ].join("\n\n");
  return { text, suggestions, listed };
}

/** On one line, and not longer than a name can be. */
function shown(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS)}…` : line;
}

/** Thrown for an unknown name in strict mode, and for nothing else. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.modelMessage);
    this.failure = failure;
  }
}
