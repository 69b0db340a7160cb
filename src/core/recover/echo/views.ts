import { decodeBase64 } from "./base64.ts";
import { decodeTags, plainCharacters } from "./characters.ts";
import {
  decodeDoubledQuotes,
  decodeEntities,
  decodeEscapes,
  decodeMarkdown,
  decodePercent,
  decodeQuotedPrintable,
  joinBrokenEscapes,
  stripPageElements,
} from "./decode.ts";
import { flattenJson, quotedStrings } from "./flatten-json.ts";
import { decodeHexDump } from "./hex-dump.ts";
import { joinDecorated, joinWrapped, stripLineDecoration, stripLineEnds } from "./lines.ts";

type Step = (text: string) => string;

const STEPS: readonly Step[] = [
  decodeTags,
  plainCharacters,
  stripLineDecoration,
  joinBrokenEscapes,
  decodeEntities,
  decodeEscapes,
  stripPageElements,
  decodeMarkdown,
  decodeQuotedPrintable,
  decodeDoubledQuotes,
  (text) => decodeBase64(decodePercent(decodeHexDump(text))),
  (text) => flattenJson(text) ?? quotedStrings(text) ?? text,
  stripLineEnds,
  joinWrapped,
  joinDecorated,
];
/** How many nested decorations and encodings are undone: `> 12: + ` before an escaped string in base64. */
const MAX_STEPS = 6;
/** How often the same step may be repeated. */
const MAX_REPEATS = 3;
const MAX_VIEWS = 40;

interface Path {
  readonly view: string;
  /** How often each step was applied. */
  readonly taken: readonly number[];
}

/**
 * Returns a text as given, and all variants of it with line decoration and encodings removed. Steps are tried in every
 * order, because each one may destroy what another needs. All views are distinct; plain text has only one.
 */
export function viewsOf(text: string): readonly string[] {
  const views = new Set([text]);
  let paths: readonly Path[] = [{ view: text, taken: STEPS.map(() => 0) }];
  for (let depth = 0; depth < MAX_STEPS && paths.length > 0; depth += 1) {
    const next: Path[] = [];
    for (const { view, taken } of paths)
      for (const [at, step] of STEPS.entries()) {
        if ((taken[at] as number) >= MAX_REPEATS) continue;
        const result = step(view);
        if (views.has(result) || result.trim() === "") continue;
        if (views.size >= MAX_VIEWS) return [...views];
        views.add(result);
        next.push({ view: result, taken: taken.with(at, (taken[at] as number) + 1) });
      }
    paths = next;
  }
  return [...views];
}
