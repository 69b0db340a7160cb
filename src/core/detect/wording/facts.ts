import type { ToolKind } from "../call/tool-kind.ts";
import { categoryOfMessage } from "../reason/category.ts";
import { reportsFailure } from "../reason/hints.ts";
import { RANK, rankLine } from "../reason/line-rank.ts";
import { findTellingLine } from "../reason/telling-line.ts";
import type { TextWindow } from "../text/text-window.ts";
import { addFact, extendHash, type Features, groupOf, hashOf, type WordingContext } from "./features.ts";

/** Characters of a long result in which the telling line is searched: its head and its tail. */
const HEAD = 400;
const TAIL = 900;
const LINE = 300;

/** Kinds whose results are written by the tool itself; others show text from elsewhere. */
const OWN_WORDS: ReadonlySet<ToolKind> = new Set<ToolKind>(["shell", "api", "edit", "sql", "agent"]);

/** A summary of a test runner or linter with at least one failure, or with none. */
const FAILED_COUNT =
  /(?<![\d.:#-])[1-9]\d{0,5} (?:tests? |examples? |specs? |files? |checks? )?(?:failed|failing|failures?|errors?)\b|\b(?:failures|errors|failed|fail)[:=]? {0,4}[1-9]\d{0,5}\b|(?:^|\n)not ok \d/i;
const CLEAN_COUNT =
  /(?<![\d.])(?:0|no) (?:failed|failing|failures?|errors?|problems?|issues?)\b|\b(?:failures|errors|failed|fail)[:=]? {0,4}0\b/i;

/**
 * Adds what the structure of the text says: how well its first, last and most telling line name a failure, and of which
 * category. These facts are the same in every language, which words are not. Returns whether any line could report a
 * failure: without one the words alone decide nothing.
 */
export function addFacts(into: Features, window: TextWindow, context: WordingContext): boolean {
  const { text, start, end } = window;
  const group = groupOf(context);
  const top = afterHeading(text, start, end);
  const newline = text.indexOf("\n", top);
  const single = newline === -1 || newline >= end;
  const first = text.slice(top, Math.min(single ? end : newline, top + LINE));
  const length = end - start;
  const size = length < 120 ? "s" : length < 400 ? "m" : length < 1500 ? "l" : "x";
  const lines = single ? "1" : "n";
  const programs = context.command.filter((word) => !word.startsWith("#"));
  const masks = context.command.filter((word) => word.startsWith("#")).join("");
  const add = (fact: number): void => {
    addFact(into, fact, group);
    addFact(into, fact, 0);
    if (masks !== "") {
      addFact(into, extendHash(fact, masks), group);
    }
  };
  const rank = rankLine(first, programs);
  const category = categoryOfMessage(first.slice(0, 200));
  for (const fact of [extendHash(FIRST, `${rank}`), extendHash(FIRST, `${category}`)]) {
    add(fact);
    add(withWord(fact, lines));
    add(withWord(fact, size));
  }
  // Tools that act may refuse in a sentence that contains no failure word.
  let found =
    rank >= RANK.worded || category !== undefined || (isShortResult(context.kind, window) && isSentence(first));
  if (!single) {
    const last = rankLine(
      text.slice(Math.max(start, text.lastIndexOf("\n", end - 1) + 1), end).slice(0, LINE),
      programs,
    );
    const fact = extendHash(LAST, `${last}`);
    add(fact);
    add(withWord(fact, size));
    found ||= context.kind === "shell" ? last >= RANK.worded : last >= RANK.labeled;
  }
  if (context.kind === "shell" || (OWN_WORDS.has(context.kind) && length <= HEAD + TAIL)) {
    const part =
      length > HEAD + TAIL
        ? `${text.slice(start, start + HEAD)}\n${text.slice(end - TAIL, end)}`
        : text.slice(start, end);
    const telling = addTelling(add, part, programs, size);
    found ||=
      telling >= (context.kind === "shell" ? RANK.logged : RANK.worded) ||
      (context.kind === "shell" && reportsFailure(text.slice(Math.max(start, end - LAST_LINES), end)));
  }
  return found;
}

/** Facts by the hashes of their names. What they consist of is added to the hash, because joining texts costs more. */
const FIRST = hashOf("first ");
const LAST = hashOf("last ");
const TELLING = hashOf("telling ");
const FAILURE_COUNT = hashOf("count of failures");
const NO_FAILURES = hashOf("no failures");
const HELP = hashOf("points to help");

function withWord(fact: number, word: string): number {
  return extendHash(extendHash(fact, " "), word);
}

/** Longest result that may be a refusal without a failure word. */
const REFUSAL = 200;
const SENTENCE_WORDS = 2;
const UNSPACED = /[\u3040-\u9fff]/;

/** Whether a result is so short that it may refuse in any words. What a page says is its own. */
export function isShortResult(kind: ToolKind, { text, start, end }: TextWindow): boolean {
  if (kind === "shell" || end - start > REFUSAL) {
    return false;
  }
  return OWN_WORDS.has(kind) || ((kind === "read" || kind === "search") && !text.slice(start, end).includes("\n"));
}

/** Whether a line is a sentence or two, not an address, a number or a list. */
function isSentence(line: string): boolean {
  return UNSPACED.test(line) || line.split(" ", SENTENCE_WORDS).length === SENTENCE_WORDS;
}

/** The message is below a heading: `### Error`. */
function afterHeading(text: string, start: number, end: number): number {
  const newline = text.indexOf("\n", start);
  return newline !== -1 && newline < end && newline - start < 40 && text.startsWith("##", start) ? newline + 1 : start;
}

/** Characters at the end of a program's output in which any word of failure counts. */
const LAST_LINES = 400;

function addTelling(add: (fact: number) => void, part: string, programs: readonly string[], size: string): number {
  const counted = FAILED_COUNT.test(part);
  if (counted) {
    add(FAILURE_COUNT);
  } else if (CLEAN_COUNT.test(part)) {
    add(NO_FAILURES);
  }
  const telling = findTellingLine(part, programs);
  if (telling === undefined) {
    return counted ? RANK.labeled : 0;
  }
  const category = categoryOfMessage(telling.line);
  const below = part.length - part.lastIndexOf(telling.line.slice(0, 30));
  const place = below > part.length ? "?" : below < 160 ? "end" : below < 500 ? "near" : "far";
  const byRank = extendHash(TELLING, `${telling.rank}`);
  add(byRank);
  add(withWord(byRank, size));
  add(withWord(byRank, place));
  const byCategory = extendHash(TELLING, `${category}`);
  add(byCategory);
  add(withWord(byCategory, `${telling.rank}`));
  if (telling.pointsToHelp) {
    add(HELP);
  }
  return counted ? RANK.labeled : telling.rank;
}
