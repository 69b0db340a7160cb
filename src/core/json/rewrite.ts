import { Text } from "../text/cursor.ts";
import { readWholeTree } from "./json-tree.ts";
import { readTolerant } from "./tolerant.ts";
import { applyEdits } from "./values.ts";

/**
 * Rewrites text that is nearly JSON to JSON: comments, trailing commas, single quotes, bare keys, Python's literals and
 * tuples, raw control characters in strings. Every rewrite has only one reading, and everything else keeps its bytes,
 * because a stream has already sent the text before a fault. Returns undefined for anything else, such as text that
 * ends early, missing brackets, calls, arithmetic, NaN.
 */
export function rewriteLooseJson(text: string): string | undefined {
  const source = new Text(text, true);
  const { value, reader } = readTolerant(source, 0, { python: true, isRewritten: true });
  if (value === undefined || reader.isOpen || reader.keyDoubts.size > 0 || reader.next() !== "") return undefined;
  const json = applyEdits(text, reader.edits).replace(/^[\u00a0\ufeff]+|[\u00a0\ufeff]+$/g, " ");
  return readWholeTree(json) === undefined ? undefined : json;
}
