import { HINT } from "./hints.ts";
import { isCause, isDiagnosis, isRaised, isSignal, isUsageLine, RANK, rankOf, rankOfRaised } from "./line-rank.ts";
import { cleanLine, hintsOfClean, hintsOfLine, linesOf } from "./lines.ts";
import { messageAt } from "./message.ts";
import { isNoise, isTrailer } from "./noise.ts";
import { labelAt } from "./severity-words.ts";

/**
 * Of lines of the same rank the first one decides, except where programs print the reason last: the raised exception of
 * a chain, the client's own sentence, plain output.
 */
const LAST_WINS: ReadonlySet<number> = new Set([RANK.harness, RANK.exception, RANK.plain, RANK.trailer]);

const MAX_MESSAGE_LENGTH = 400;

/** The line of a text that names its failure. */
export interface TellingLine {
  readonly kind: "telling-line";
  readonly line: string;
  /** The line itself, without what was added to complete it. */
  readonly own: string;
  /** 0 to 100; below 30 the line is only the last one that is not noise. */
  readonly rank: number;
  /** A pointer to the program's help follows: the call was wrong. */
  readonly pointsToHelp: boolean;
  /** What the shell printed of the signal that ended the program, if another line is the reason. */
  readonly signal?: string | undefined;
}

let latest: { readonly text: string; readonly programs: string; readonly found: TellingLine | undefined } | undefined;

/**
 * Finds the line a person would quote as the reason of a failure; undefined if every line is noise. Remembers the latest
 * text: the wording model and the message of a failure ask for the same one.
 */
export function findTellingLine(text: string, programs: readonly string[] = []): TellingLine | undefined {
  const key = programs.join(" ");
  if (latest?.text !== text || latest.programs !== key) {
    latest = { text, programs: key, found: searchTellingLine(text, programs) };
  }
  return latest.found;
}

function searchTellingLine(text: string, programs: readonly string[]): TellingLine | undefined {
  const lines = linesOf(text);
  let best = -1;
  let bestRank: number = RANK.junk;
  let cause: string | undefined;
  let signal: string | undefined;
  const ranks = new LineRanks(lines, programs);
  for (const index of comparedLines(lines, ranks)) {
    const line = lines[index] ?? "";
    // Of the messages of a compiler the first one counts.
    if (bestRank === RANK.compiler && isDiagnosis(line)) {
      continue;
    }
    const rank = ranks.at(index);
    signal = rank === RANK.signal ? line.trim() : signal;
    if (rank > bestRank || (rank === bestRank && rank !== RANK.junk && LAST_WINS.has(rank))) {
      // "Caused by" explains the exception above it; both together are the reason.
      if (rank === RANK.exception && bestRank === RANK.exception && isCause(line)) {
        cause = cleanLine(lines, index);
        continue;
      }
      best = index;
      bestRank = rank;
      cause = undefined;
      // Below the head of a group its members follow, which are no causes.
      if (line.includes(SUB_EXCEPTION)) {
        break;
      }
    }
  }
  if (bestRank <= RANK.plain) {
    const last = lastPlainLine(lines);
    // Below a line that says as much as any other, a warning is no reason.
    const isLess = bestRank === RANK.plain && rankOf(lines[last] ?? "", "", "", programs) < RANK.plain;
    const plain = isLess ? -1 : last;
    best = plain === -1 ? best : plain;
    bestRank =
      plain === -1 ? bestRank : isRaised(lines[plain] ?? "") || isSignal(lines[plain] ?? "") ? RANK.worded : RANK.plain;
  }
  if (best === -1) {
    return undefined;
  }
  // A text that starts with the usage: what follows describes options, unless it is a complaint.
  if (bestRank < RANK.complaint && isUsageLine(lines[0] ?? "")) {
    best = 0;
  }
  const message = messageAt(lines, best, bestRank);
  const line = cause === undefined || message.includes(statementOf(cause)) ? message : `${message} (${cause})`;
  return {
    kind: "telling-line",
    line: line.slice(0, MAX_MESSAGE_LENGTH),
    own: cleanLine(lines, best),
    // A signal says as much as an exception; only its line explains less.
    rank: signal === undefined ? bestRank : Math.max(bestRank, RANK.exception),
    pointsToHelp: pointsToHelp(lines, best),
    signal,
  };
}

/** What an exception says, without its name and the full stop. */
function statementOf(cause: string): string {
  const statement = cause.slice(cause.lastIndexOf("Exception: ") + 1);
  return statement.endsWith(".") ? statement.slice("xception: ".length, -1) : cause;
}

/** The ranks of the lines of a text, each computed once. */
class LineRanks {
  readonly #lines: readonly string[];
  readonly #programs: readonly string[];
  readonly #raised: number[] = [];
  readonly #ranks: number[] = [];

  constructor(lines: readonly string[], programs: readonly string[]) {
    this.#lines = lines;
    this.#programs = programs;
  }

  /** Whether a line has the form of one that outranks others, or of a signal: cheaper than its rank. */
  mayOutrank(index: number): boolean {
    const line = this.#lines[index] ?? "";
    const raised = rankOfRaised(cleanLine(this.#lines, index), line, this.#lines[index + 1] ?? "");
    this.#raised[index] = raised;
    return raised >= RANK.signal || endsTraceback(this.#lines, index) || line.includes(SUB_EXCEPTION);
  }

  at(index: number): number {
    const known = this.#ranks[index];
    if (known !== undefined) {
      return known;
    }
    const lines = this.#lines;
    const before = lines[index - 1] ?? "";
    const raised = this.#raised[index];
    const text = cleanLine(lines, index);
    const own = rankOf(lines[index] ?? "", lines[index + 1] ?? "", before, this.#programs, {
      text,
      raised,
      hints: hintsOfClean(lines, index, text),
    });
    const isValue = own === RANK.assertion && isComparedValue(lines, index);
    const rank = own > RANK.trailer && endsTraceback(lines, index) ? RANK.exception : isValue ? RANK.plain : own;
    this.#ranks[index] = rank;
    return rank;
  }
}

/** Lines that could name a reason. If an exception was raised, what else was printed need not be ranked. */
function comparedLines(lines: readonly string[], ranks: LineRanks): readonly number[] {
  const hinted = hintedLines(lines);
  const outranking = hinted.filter((index) => ranks.mayOutrank(index));
  return outranking.some((index) => ranks.at(index) >= RANK.exception) ? outranking : hinted;
}

/** Labels of values that an error above them compares: `Error: checksum mismatch`, `Expected: …`, `Actual: …`. */
const VALUES = new Set(["expected", "actual", "got", "received"]);
const VALUE_LINES = [1, 2, 3];

function isComparedValue(lines: readonly string[], index: number): boolean {
  return (
    VALUES.has(labelAt(cleanLine(lines, index), 0)?.word ?? "") &&
    VALUE_LINES.some((above) => labelAt(lines[index - above] ?? "", 0)?.word === "error")
  );
}

/** In the head of a group of exceptions. */
const SUB_EXCEPTION = " sub-exception";

/** Whether a Python traceback ends here, whatever the name of its exception is. */
function endsTraceback(lines: readonly string[], index: number): boolean {
  const isBelowCode = lines[index - 1]?.startsWith("    ") === true && lines[index]?.startsWith(" ") === false;
  // Python marks the failing part of the code on a line of its own.
  return isBelowCode && [2, 3].some((above) => lines[index - above]?.startsWith('  File "') === true);
}

/**
 * Finds the line of a tool's own answer that names its failure: the most telling one, or else the first one. An answer
 * of a single line needs no comparison, and its rank is unknown.
 */
export function findAnswerLine(text: string): TellingLine | undefined {
  const lines = linesOf(text);
  if (lines.length !== 1 || lines[0]?.startsWith("npm ") === true) {
    const found = findTellingLine(text);
    // A program prints its reason last; a tool answers with it.
    return found !== undefined && found.rank <= RANK.plain ? (firstPlainLine(text) ?? found) : found;
  }
  const cleaned = cleanLine(lines, 0);
  if (isNoise(cleaned, lines[0] ?? "") || (!isLabeled(lines, 0) && !isWorded(lines, 0) && isTrailer(cleaned))) {
    return undefined;
  }
  const found = plainLineAt(lines, 0);
  return { ...found, own: found.line };
}

/** A line that is the reason because no other one is known. */
function plainLineAt(lines: readonly string[], index: number): TellingLine {
  const line = messageAt(lines, index, RANK.plain).slice(0, MAX_MESSAGE_LENGTH);
  const own = cleanLine(lines, index);
  return { kind: "telling-line", line, own, rank: RANK.plain, pointsToHelp: pointsToHelp(lines, index) };
}

/**
 * Of many lines that could name a reason, only the first and the last are compared: of those with a word of failure, and
 * of those with a label or below a heading, of which a log may have many.
 */
const MAX_FIRST_LINES = 10;
const MAX_LAST_LINES = 20;

/** Indexes of lines that could name a reason. Stops at both ends when it has enough. */
function hintedLines(lines: readonly string[]): readonly number[] {
  const worded: number[] = [];
  const labeled: number[] = [];
  let index = 0;
  for (; index < lines.length && worded.length < MAX_FIRST_LINES; index += 1) {
    if (isWorded(lines, index)) {
      worded.push(index);
    } else if (labeled.length < MAX_FIRST_LINES && isLabeled(lines, index)) {
      labeled.push(index);
    }
  }
  let wordedLast = 0;
  let labeledLast = 0;
  for (let back = lines.length - 1; back >= index && wordedLast < MAX_LAST_LINES; back -= 1) {
    if (isWorded(lines, back)) {
      worded.push(back);
      wordedLast += 1;
    } else if (labeledLast < MAX_LAST_LINES && isLabeled(lines, back)) {
      labeled.push(back);
      labeledLast += 1;
    }
  }
  const all = labeled.length === 0 && wordedLast === 0 ? worded : [...worded, ...labeled];
  return all.sort((one, other) => one - other);
}

function isWorded(lines: readonly string[], index: number): boolean {
  return (hintsOfLine(lines, index) & HINT.failure) !== 0;
}

function isLabeled(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return line.includes(":") || line.startsWith("! ") || lines[index - 1]?.charCodeAt(0) === HASH;
}
const HASH = 35;

/** "Try 'x --help' for more information", in any language; or the usage line itself. */
function pointsToHelp(lines: readonly string[], index: number): boolean {
  for (let at = Math.max(0, index - 4); at < Math.min(lines.length, index + 4); at += 1) {
    const line = lines[at] ?? "";
    if (line.length <= 160 && (line.includes("help") || line.includes("sage")) && HELP_POINTER.test(line)) {
      return true;
    }
  }
  return false;
}

const HELP_POINTER = /(?:^|[\s'"`\u2018\u201c\u201e\u00ab])(?:\S{1,40} )?--?(?:help|usage)\b|^usage ?:/i;

/** Lines from the end that are searched for one that is not noise. */
const MAX_PLAIN_LINES = 40;

/** The last line that is not noise. Indented lines and announcements are examples, so that others go before them. */
function lastPlainLine(lines: readonly string[]): number {
  let fallback = -1;
  for (let index = lines.length - 1; index >= Math.max(0, lines.length - MAX_PLAIN_LINES); index -= 1) {
    const line = lines[index] ?? "";
    const text = cleanLine(lines, index);
    if (closes(lines, index)) {
      continue;
    }
    if (!line.startsWith("    ") && !text.endsWith(":") && !text.startsWith("[INFO]")) {
      return index;
    }
    fallback = fallback === -1 && !text.startsWith("[INFO]") ? index : fallback;
  }
  return fallback;
}

/** Whether the line is noise, or only closes the output. */
function closes(lines: readonly string[], index: number): boolean {
  const text = cleanLine(lines, index);
  return isNoise(text, lines[index] ?? "") || isTrailer(text);
}

/** Returns the first line that is not noise, with what completes it. */
function firstPlainLine(text: string): TellingLine | undefined {
  const lines = linesOf(text);
  const index = lines.findIndex((_, at) => !closes(lines, at));
  return index === -1 ? undefined : plainLineAt(lines, index);
}
