import { decodeBase64, isBase64Char, MIN_RUN_CHARS, textShift } from "./base64.ts";
import { decodeTags, plainCharacters } from "./characters.ts";
import {
  decodeDoubledQuotes,
  decodeEntities,
  decodeEscapes,
  decodeHexDump,
  decodePercent,
  decodeQuotedPrintable,
  isInDump,
  joinBrokenEscapes,
  MIN_DUMP_GROUPS,
  stripPageElements,
} from "./decode.ts";
import { flattenJson, quotedStrings } from "./flatten-json.ts";
import { joinDecorated, joinWrapped, stripLineDecoration, stripLineEnds } from "./lines.ts";

const STEPS: readonly ((text: string) => string)[] = [
  decodeTags,
  plainCharacters,
  stripLineDecoration,
  joinBrokenEscapes,
  decodeEntities,
  decodeEscapes,
  stripPageElements,
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

/** Code units of characters that hide letters: invisible ones inside words, look-alike alphabets, colors. */
const HIDING =
  "0-8 b-c e-1f 7f-84 86-9f ad c0-58f 61c 115f-1160 17b4-17b5 180b-180f 1d00-1d7f 200b-200f 202a-202e 2060-206f 2460-24ff 2800 " +
  "2c80-2cff 3164 a730-a7ff d835 db40 fb00-fb06 fe00-fe0f feff ff01-ff5e ffa0 fff0-fffb";
/** Page elements that may split words. */
const SPLITTING = /<\/(?:span|font|td)>|(?<=[a-zA-Z0-9])<\/?(?:b|i|em|strong|mark|code|wbr)\/?>(?=[a-zA-Z0-9])/;
/** Letters that are encoded one by one, and those elements. Matches only a few characters. */
const ENCODED = new RegExp(
  /&#|&amp;#|=(?:\r?\n|[2-7][0-9A-F]|[C-F][0-9A-F]=[89AB])|\\(?:[uU][0-9a-fA-F{]|x[4-7]|1[0-7]{2}|_)|%(?:25|[4-7][0-9a-fA-F]|[c-fC-F][0-9a-fA-F]%)|\^\[\[|\ud83c[\udd10-\udd89]|/
    .source + SPLITTING.source,
  "y",
);

const PACKABLE = 1;
const HIDES = 2;
const MAY_ENCODE = 3;
/** The meaning of each code unit. A table, because every given character is checked. */
const MEANING = new Uint8Array(65_536);
for (let code = 0; code < 128; code += 1) if (isBase64Char(code)) MEANING[code] = PACKABLE;
for (const range of HIDING.split(" ")) {
  const [first = 0, last = first] = range.split("-").map((hex) => Number.parseInt(hex, 16));
  MEANING.fill(HIDES, first, last + 1);
}
for (const mark of "&=\\%<^\ud83c") MEANING[mark.charCodeAt(0)] = MAY_ENCODE;

/** Whether the text may hide words from a search. */
export function isObscured(text: string): boolean {
  let [run, groups] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const meaning = MEANING[text.charCodeAt(at)];
    if (meaning === PACKABLE) {
      run += 1;
      continue;
    }
    if (run >= MIN_RUN_CHARS && textShift(text, at - run, at) !== undefined) return true;
    if (run !== 0) groups = run === 2 || run === 4 ? groups + 1 : 0;
    if (groups === MIN_DUMP_GROUPS && isInDump(text, at)) return true;
    run = 0;
    if (meaning === HIDES) return true;
    if (meaning === MAY_ENCODE) {
      ENCODED.lastIndex = at;
      if (ENCODED.test(text)) return true;
    }
  }
  return run >= MIN_RUN_CHARS && textShift(text, text.length - run, text.length) !== undefined;
}

/** The steps that can make letters visible, in the order in which encodings usually wrap each other. */
const REVEALING: readonly ((text: string) => string)[] = [
  decodeTags,
  plainCharacters,
  decodeHexDump,
  // Only where a page is shown, because the call may contain the same elements.
  (text) => (SPLITTING.test(text) ? stripPageElements(text) : text),
  decodeEntities,
  decodeQuotedPrintable,
  decodeEscapes,
  decodePercent,
];
const MAX_ROUNDS = 3;

/** Makes hidden words searchable. The result is for searching only. */
export function reveal(text: string): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS && isObscured(current); round += 1) {
    const plain = REVEALING.reduce((view, step) => step(view), current);
    // In decorated lines, base64 is wrapped around the decoration.
    const unpacked = decodeBase64(plain);
    current = unpacked === plain ? plain : decodeBase64(stripLineDecoration(plain));
  }
  return current;
}
