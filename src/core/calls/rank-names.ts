import { distance } from "fastest-levenshtein";

/** Similarity of equal tool names with the prefixes of two servers. */
const SAME_TOOL = 0.8;
/** Longer than any real tool name; limits the work for invented ones. */
export const MAX_NAME_CHARS = 200;
/** Shorter names occur in too many others. */
const MIN_CONTAINED_CHARS = 4;

/** Splits a name into words: `mcp__server__listFiles` → mcp, server, list, files. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, MAX_NAME_CHARS)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Similarity of two names from 0 to 1: by words or by letters, whichever is higher. */
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

/** All names, most similar first; equal ones keep their order. */
export function rankNames(wanted: string, names: Iterable<string>): { readonly name: string; readonly near: number }[] {
  return [...names].map((name) => ({ name, near: nameNearness(wanted, name) })).sort((a, b) => b.near - a.near);
}

/** A server's prefix, as in `server__tool`, is the same for all its tools, so it does not distinguish them. */
function nameNearness(wanted: string, name: string): number {
  const [left, right] = [wanted, name].map((one) => one.slice(0, MAX_NAME_CHARS).split("__"));
  if (left === undefined || right === undefined) return 0;
  let shared = 0;
  const most = Math.min(left.length, right.length) - 1;
  while (shared < most && left[shared]?.toLowerCase() === right[shared]?.toLowerCase()) shared += 1;
  const rest = nearness(wordsOf(left.slice(shared).join("__")), wordsOf(right.slice(shared).join("__")));
  const isSameTool = shared < most && nearness(wordsOf(left.at(-1) ?? ""), wordsOf(right.at(-1) ?? "")) === 1;
  return isSameTool ? Math.max(rest, SAME_TOOL) : rest;
}
