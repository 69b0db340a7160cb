import { closesOutput, namesSystemError } from "./category.ts";
import { clientSentence } from "./client-sentence.ts";
import { HINT, hintsIn, reportsFailure } from "./hints.ts";
import { labelAt, USAGE_LABELS } from "./severity-words.ts";

/**
 * How well a line names the reason of a failure. Higher is better. Of equal lines the first one decides, except where
 * programs print the reason last: the raised exception of a chain, the harness's own sentence, plain output.
 */
const HARNESS = 95;
const EXCEPTION = 90;
const COMPILER = 85;
const ASSERTION = 82;
const REJECTED = 78;
const SYSTEM_COMPLAINT = 76;
const LABELED = 75;
const COMPLAINT = 72;
const LOCATED = 68;
const NAMED = 64;
const LOGGED = 60;
const WORDED = 40;
const PLAIN = 20;
const TRAILER = 8;
const JUNK = 0;

const LAST_WINS: ReadonlySet<number> = new Set([HARNESS, EXCEPTION, PLAIN, TRAILER]);

/** Characters that are read from each end. The reason of a long output is near one of them. */
const HEAD_LENGTH = 6000;
const TAIL_LENGTH = 12_000;
const MAX_LINES = 400;
const MAX_LINE_LENGTH = 600;
const MAX_MESSAGE_LENGTH = 400;

/** The line of a text that names its failure. */
export interface TellingLine {
  readonly kind: "telling-line";
  readonly line: string;
  /** 0 to 100; below 30 the line is only the last one that is not noise. */
  readonly rank: number;
  /** A pointer to the program's help follows: the call was wrong. */
  readonly pointsToHelp: boolean;
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
  let bestRank = JUNK;
  let cause: string | undefined;
  for (const index of hintedLines(lines)) {
    const line = lines[index] ?? "";
    const before = lines[index - 1] ?? "";
    const rank = rankOf(line, lines[index + 1] ?? "", before, programs);
    if (rank > bestRank || (rank === bestRank && rank !== JUNK && LAST_WINS.has(rank))) {
      // "Caused by" explains the exception above it; both together are the reason.
      if (rank === EXCEPTION && bestRank === EXCEPTION && isCause(line)) {
        cause = clean(line);
        continue;
      }
      best = index;
      bestRank = rank;
      cause = undefined;
    }
  }
  if (bestRank < PLAIN) {
    const plain = lastPlainLine(lines);
    best = plain === -1 ? best : plain;
    bestRank = plain === -1 ? bestRank : PLAIN;
  }
  if (best === -1) {
    return undefined;
  }
  // A text that starts with the usage: what follows describes options, unless it is a complaint.
  if (bestRank < COMPLAINT && isUsageLine(lines[0] ?? "")) {
    best = 0;
  }
  const message = withPlace(withContinuation(lines, best, bestRank), lines, best, bestRank);
  const line = cause === undefined || message.includes(cause) ? message : `${message} (${cause})`;
  return {
    kind: "telling-line",
    line: line.slice(0, MAX_MESSAGE_LENGTH),
    rank: bestRank,
    pointsToHelp: pointsToHelp(lines, best),
  };
}

function isUsageLine(line: string): boolean {
  const label = labelAt(line, 0);
  return label !== undefined && USAGE_LABELS.has(label.word) && line.length > label.end + 2;
}

/** Of many lines that could name a reason, only the first and the last are compared. */
const MAX_FIRST_LINES = 6;
const MAX_LAST_LINES = 10;

/** Indexes of lines that could name a reason. Stops at both ends when it has enough. */
function hintedLines(lines: readonly string[]): readonly number[] {
  const found: number[] = [];
  let index = 0;
  for (; index < lines.length && found.length < MAX_FIRST_LINES; index += 1) {
    if (isHinted(lines, index)) {
      found.push(index);
    }
  }
  const last: number[] = [];
  for (let back = lines.length - 1; back >= index && last.length < MAX_LAST_LINES; back -= 1) {
    if (isHinted(lines, back)) {
      last.push(back);
    }
  }
  return last.length === 0 ? found : [...found, ...last.reverse()];
}

function isHinted(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return (
    line.includes(":") ||
    (hintsIn(line, 0, line.length) & HINT.failure) !== 0 ||
    lines[index - 1]?.charCodeAt(0) === HASH
  );
}

const HASH = 35;
const STAR = 42;

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

function lastPlainLine(lines: readonly string[]): number {
  for (let index = lines.length - 1; index >= Math.max(0, lines.length - MAX_PLAIN_LINES); index -= 1) {
    const line = lines[index] ?? "";
    const text = clean(line);
    if (!isNoise(text, line) && !isTrailer(text)) {
      return index;
    }
  }
  return -1;
}

/** Splits both ends of a text into lines without blank ones. */
function linesOf(text: string): readonly string[] {
  const part =
    text.length > HEAD_LENGTH + TAIL_LENGTH ? `${text.slice(0, HEAD_LENGTH)}\n${text.slice(-TAIL_LENGTH)}` : text;
  const raw = (part.includes("\u001b") ? part.replace(ANSI, "") : part).split("\n");
  const hasReturns = part.includes("\r");
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 1) {
    if (raw.length > MAX_LINES && index === MAX_LINES / 4) {
      index = raw.length - (MAX_LINES * 3) / 4;
    }
    let line = raw[index] ?? "";
    if (hasReturns) {
      // A progress bar rewrites its line; only the last part is visible.
      const end = line.endsWith("\r") ? line.length - 1 : line.length;
      line = line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    }
    if (line.length > MAX_LINE_LENGTH) {
      line = line.slice(0, MAX_LINE_LENGTH);
    }
    const kept = line.charCodeAt(line.length - 1) <= 32 ? line.trimEnd() : line;
    if (kept !== "") {
      lines.push(kept);
    }
  }
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors start with the escape character.
const ANSI = /\u001b\[[0-9;?]{0,16}[A-Za-z]/g;

/** Marks before a message: bullets, crosses, box drawings, quotation marks of diffs and of pytest's `E   `. */
const DECORATION =
  /^(?:[\s>|#*\u2022\u25cf\u2500-\u257f\u2716\u2717\u2718\u00d7\u274c\u2a2f\u2192\u21b3\u26a0\u203c]|\ufe0f|E {2,})+/;

function clean(line: string): string {
  const undecorated = line.replace(DECORATION, "");
  const ended = undecorated.endsWith("*") ? undecorated.replace(/\*+$/, "") : undecorated;
  // Most lines have single blanks only; replacing each of them costs more than the rest.
  const isSpaced = ended.includes("  ") || ended.includes("\t");
  return (isSpaced ? ended.replace(/[ \t]+/g, " ") : ended).trim();
}

/** `TypeError: x`, `java.io.IOException: x`, `Foo::BarError: x`, `MyException`, `[cause]: Error: x`. */
const EXCEPTION_LINE =
  /^(?:Caused by: |\[cause\]: |\[|Uncaught |Unhandled exception\. |Exception in thread "[^"\n]{0,60}" |\*\* \()?(?:[\w$]{1,60}[.:\\]{1,2}){0,8}[A-Z][\w$]{0,60}(?:Error|Exception|Exit|Interrupt|Failure|Fault|Warning|Panic|Iteration)\)?(?: \[[\w-]{1,40}\])?(?::|\)? (?=\S)|$)/;

/** A source location at the start of a line: `a.c:3:5:`, `a.ts(3,5):`, `a.py:3:`, `a.java:[5,9]`. */
const LOCATION =
  /^(?:[A-Za-z]:)?[^\s:()[\]"']{1,200}(?::\d{1,7}(?::\d{1,7})?:|\(\d{1,7}(?:,\d{1,7})?\) ?:|:\[\d{1,7},\d{1,7}\]|:\(\.[\w+.]{1,40}\):)\s*|^\(\.[\w+.]{1,40}\)\s?:\s*/;

/** Rows of linter tables: `  3:7  error  message`. */
const TABLE_ROW = /^\s{0,8}\d{1,7}:\d{1,5}\s{1,4}(?:error|\u2716)\s/i;

/** `CONFLICT (content): …`, in any language. */
const CAPITALS = /^\p{Lu}{4,}\s?\([^()\n]{2,40}\)\s?:/u;

/** Assertions, with what was expected and what was found. */
const ASSERTS =
  /^(?:assert(?:ion)?\b|failed asserting|expected\b.{0,200}\b(?:but|got|received|actual|was)\b|expect\(|expected\b.{1,120} to (?:be|equal|have|match|contain|throw)\b|expected ?:|(?:got|want|actual|received) ?:)|\bassertion\b.{0,200}\bfailed|\bgot\b.{1,120}\bwant\b|\bwant\b.{1,120}\bgot\b|\bexpected\b.{1,120}\bgot\b/i;

/** A logger's line: time and level, then the message. */
const LOG_LINE =
  /^[[(]?\d{4}[-/.]\d\d[-/.]\d\d[T ][\d:.,]{5,16}\S{0,8}[\s|-]{1,6}[[(]?(?:ERROR|FATAL|CRITICAL|SEVERE|error|fatal|crit)\b/;

/** `error[E0308]: …`, `error TS2304: …`, the first line of an HTTP response. */
const CODED = /^(?:error(?:\[\w{1,12}\]|\s[A-Z]{1,4}\d{2,6})\s?:|HTTP\/[\d.]{1,3} [45]\d\d )/i;

/** The raised object of other languages. */
const RAISED_START =
  /^(?:panic: |thread '.{0,60}' panicked at|fatal error: |terminate called after|\*\* \(\w|=+\d+=+ ?ERROR: |FATAL ERROR: |Fatal error: |PHP (?:Fatal|Parse) error|PHP Warning: {2}Uncaught)/;
const RAISED_IN_RUBY = /^.{0,200}:in [`'].{0,300}\(\w[\w:]{0,60}\)$/;
const RAISED_AT_LINE = /^.{0,200} at \S{1,200} line \d{1,7}\.$/;
const KILLED = /(?:^|\s)(?:Killed|Aborted|Terminated)(?: \(core dumped\))?$/;

/** The cheap search for a word comes first: most lines have none of them. */
function isRaised(line: string): boolean {
  if (RAISED_START.test(line)) {
    return true;
  }
  const runtime = line.indexOf("runtime error: ");
  return (
    (runtime !== -1 && runtime <= 80) ||
    (line.includes(":in ") && RAISED_IN_RUBY.test(line)) ||
    (line.includes(" line ") && RAISED_AT_LINE.test(line)) ||
    ((line.endsWith("ed") || line.endsWith(")")) && line.length <= 240 && KILLED.test(line))
  );
}

/** What happened to the call as a whole, in a client's own sentence. */
const STOPPED = [
  "timed out",
  "timeout",
  "time limit",
  "aborted",
  "cancelled",
  "canceled",
  "interrupted",
  "killed",
  "rejected",
  "denied by",
];

function isClientSentence(text: string): boolean {
  const sentence = text.length <= 240 ? clientSentence(text) : undefined;
  return (
    sentence !== undefined &&
    STOPPED.some((words) => sentence.rest.includes(words)) &&
    !sentence.rest.includes("aborted due to compil")
  );
}

/** The heading of an error, in Markdown or in a report of Gradle. */
const ERROR_HEADING = /^#{1,6} .{0,20}(?:error|failure|exception)|^\* What went wrong/i;

/** Rank of one line alone. */
export function rankLine(line: string, programs: readonly string[]): number {
  return rankOf(line, "", "", programs);
}

function rankOf(line: string, next: string, before: string, programs: readonly string[]): number {
  const text = clean(line);
  if (isNoise(text, line)) {
    return JUNK;
  }
  const above = before.charCodeAt(0);
  if ((above === HASH || above === STAR) && ERROR_HEADING.test(before)) {
    return LABELED;
  }
  const hints = hintsIn(text, 0, text.length);
  // Fast path for most lines: no word of a failure, no label, no address.
  if ((hints & HINT.failure) === 0 && !text.includes(":")) {
    return startsTrailer(text) ? TRAILER : PLAIN;
  }
  if (isTrailer(text)) {
    return TRAILER;
  }
  if (isClientSentence(text)) {
    return HARNESS;
  }
  const trimmed = line.trimStart();
  if (isRaised(text) || (trimmed !== text && isRaised(trimmed))) {
    return EXCEPTION;
  }
  if (isCause(line) || (isFrame(next) && labelAt(text, 0)?.sense === "error")) {
    return EXCEPTION;
  }
  if (EXCEPTION_LINE.test(text)) {
    // Code that mentions an exception is indented and not decorated.
    return /^\s{4,}/.test(line) && !/^\s*(?:Caused by|\[cause\])/.test(line) && !isFrame(next) ? LABELED : EXCEPTION;
  }
  if (TABLE_ROW.test(line)) {
    return COMPILER;
  }
  const location = LOCATION.exec(text);
  if (location !== null) {
    const label = labelAt(text, location[0].length);
    return label?.sense === "error" ? COMPILER : label?.sense === "lesser" ? JUNK : LOCATED;
  }
  if ((hints & HINT.assertion) !== 0 && ASSERTS.test(text)) {
    return ASSERTION;
  }
  if (line.startsWith(" ! [") || CAPITALS.test(text)) {
    return REJECTED;
  }
  return rankOfLabel(text, programs);
}

function rankOfLabel(text: string, programs: readonly string[]): number {
  if (CODED.test(text)) {
    return COMPILER;
  }
  const npm = /^(?:npm (?:ERR!|error)|yarn error|pnpm error)\s/i.exec(text);
  if (npm !== null) {
    return LABELED;
  }
  const label = labelAt(text, 0);
  if (label?.sense === "error") {
    // `ERROR: usage: …` repeats the usage; the complaint is another line.
    return isUsageLine(text.slice(label.end).trimStart())
      ? WORDED
      : namesSystemError(text)
        ? SYSTEM_COMPLAINT
        : LABELED;
  }
  if (label?.sense === "lesser") {
    return JUNK + 1;
  }
  if (LOG_LINE.test(text)) {
    return LOGGED;
  }
  if (label !== undefined && text.charCodeAt(label.end) === 32) {
    // `program: error: message`, `program: message`
    const inner = labelAt(text, label.end + 1);
    if (inner?.sense === "error") {
      return LABELED;
    }
    if (inner?.sense === "lesser") {
      return JUNK + 1;
    }
    if (!label.word.includes(" ") && namesSystemError(text)) {
      return SYSTEM_COMPLAINT;
    }
    if (reportsFailure(text) && !label.word.includes(" ")) {
      return COMPLAINT;
    }
    const name = label.word.slice(label.word.lastIndexOf("/") + 1);
    if (LOCATION.test(text.slice(label.end + 1)) && isOwn(name, programs)) {
      return COMPLAINT;
    }
    if (SHELLS.has(name) || isOwn(name, programs)) {
      return NAMED;
    }
  }
  return namesSystemError(text) ? LOCATED : reportsFailure(text) ? WORDED : PLAIN;
}

/** Shells complain in their own name about commands they could not run. */
const SHELLS = new Set("bash sh zsh dash ksh fish ash -bash".split(" "));

function isOwn(name: string, programs: readonly string[]): boolean {
  return programs.some((program) => isNamed(name, program.toLowerCase()));
}

/** `dpkg-query` speaks for `dpkg`. */
function isNamed(name: string, program: string): boolean {
  return program !== "" && (name === program || name.startsWith(`${program}-`));
}

function isFrame(line: string): boolean {
  return /^\s+(?:at |File "|from |in )/.test(line);
}

/** Java and Node.js mark the cause; Ruby prints it below the raised exception in the same form. */
function isCause(line: string): boolean {
  return (line.includes(":in ") && RAISED_IN_RUBY.test(line)) || /^\s*(?:Caused by: |\[cause\]: )/.test(line);
}

/** Lines without a reason: frames, headings, notes, rules, in lower case. */
const NOISE_STARTS =
  'node.js v|file "|in <|traceback (most|during handling|the above exception|stack trace|call stack|backtrace|at line:|+ |+categoryinfo|categoryinfo|fullyqualifiederrorid|note:|hint: |help: |-->|... |===|---|___|[errors]'.split(
    "|",
  );

/** Fields of an error object, which a runtime prints below the message. */
const FIELDS = new Set(
  "code errno syscall path dest requirestack signal killed cmd address port stdout stderr".split(" "),
);

/** Headings without a text of their own. */
const HEADINGS = new Set(["output:", "stdout:", "stderr:", "stack:"]);

/** The same with variable parts: no letters, tags, frames, numbers, versions. */
const NOISE =
  /^(?:[^\p{L}]*$|<\/?[\w:-]{1,40}>$|at \S|from \S+:\d|goroutine \d|#{1,6} |"[\w-]{1,40}": ?(?:-?[\d.]+|true|false|null|\{|\[)?,?$|\d+ \||exit[ _](?:code|status)\b.{0,12}$|\S{1,200}:\d+: in |[\w.-]{1,20}: v?\d+(?:\.\d+)+$|(?:done|ok|status: ?\d+)$)/iu;

function matchesNoise(text: string): boolean {
  const lower = text.slice(0, 24).toLowerCase();
  for (const start of NOISE_STARTS) {
    if (lower.startsWith(start)) {
      return true;
    }
  }
  const colon = lower.indexOf(": ");
  return HEADINGS.has(lower) || (colon !== -1 && FIELDS.has(lower.slice(0, colon).trimEnd())) || NOISE.test(text);
}

/** `Error: (none)`, `errors: 0`. */
const EMPTY_VALUE = /^[\w ]{3,24}:\s*[("'[{]?(?:none|null|nil|no|false|empty|0|n\/a)[)"'\]}]?$/i;

function isNoise(text: string, line: string): boolean {
  return (
    text.length < 2 ||
    EMPTY_VALUE.test(text) ||
    matchesNoise(text) ||
    (line.startsWith("    ") && /^[\w.[\]]+(?: = |\().*[;)]$/.test(text))
  );
}

/** Where a compiler or linter points to, on a separate line: `--> a.rs:2:18`, `on main.tf line 2`, `In a.sh line 2:`. */
const PLACE =
  /^\s*(?:-->|on|In|File|at file)\s+"?([^\s",]{1,200}\.\w{1,10}(?::\d+)*)"?(?:,? line \d+)?|^\s*((?:\/|\.{0,2}[\w-]+)[^\s:]{0,200}\.\w{1,10})(?::\d+(?::\d+)?:?)?$/;

/** Appends the file that the message is about, if only a line near it names the file. */
function withPlace(message: string, lines: readonly string[], index: number, rank: number): string {
  if (rank < LOCATED || rank === HARNESS) {
    return message;
  }
  const code = NPM_ERROR.test(message) ? npmCode(lines) : undefined;
  const place = code ?? placeNear(lines, index, rank);
  return place === undefined || message.includes(place) ? message : `${message} (${place})`;
}

const NPM_ERROR = /^npm (?:error|ERR!) /;

/** npm prints the code of its error on a line before the message. */
function npmCode(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => NPM_ERROR.test(one) && one.slice(9).trimStart().startsWith("code "));
  const code = line?.slice(line.indexOf("code ") + 5);
  // A system error is in the message already, or belongs to a file of npm's own.
  return code === undefined || namesSystemError(code) ? undefined : code;
}

function placeNear(lines: readonly string[], index: number, rank: number): string | undefined {
  for (let below = index + 1; below < Math.min(lines.length, index + 3); below += 1) {
    const place = placeIn(lines[below] ?? "")?.[1];
    if (place !== undefined) {
      return place;
    }
  }
  for (let above = index - 1; above >= Math.max(0, index - 6); above -= 1) {
    const match = placeIn(lines[above] ?? "");
    // A bare path is the heading of the lines below it.
    const place = match?.[1] ?? (rank >= LABELED ? match?.[2] : undefined);
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

function placeIn(line: string): RegExpExecArray | null {
  return line.includes(".") ? PLACE.exec(line.slice(0, 240)) : null;
}

/** Lines that announce the message below them. */
const ANNOUNCES =
  /[:\uff1a]$|panicked at .{0,200}:$|^(?:terminate called after|ERROR in )|^\d+ validation errors? for |^Assertion with |assertion `?.{0,80}failed/i;

/** Lines that belong to the one above: what was expected and what was found. */
const CONTINUES = /^(?:(?:left|right|expected|received|actual|got|want|reason|what\(\)|message|details?)\s?:|\+ |- )/i;

/** TAP explains a failed test in comments below it; the first one may only name the file. */
function isDiagnosis(message: string, raw: string): boolean {
  return message.startsWith("not ok ") && raw.startsWith("#") && message.length < 200;
}

/** Appends the lines without which the message is not complete. */
function withContinuation(lines: readonly string[], index: number, rank: number): string {
  let message = clean(lines[index] ?? "");
  for (let next = index + 1; next <= index + 3 && next < lines.length; next += 1) {
    const raw = lines[next] ?? "";
    const line = clean(raw);
    if (isDiagnosis(message, raw)) {
      message = `${message} ${line}`;
      continue;
    }
    if (line === "" || matchesNoise(line) || isTrailer(line)) {
      if (ANNOUNCES.test(message) && line !== "") {
        continue;
      }
      break;
    }
    const wanted =
      ANNOUNCES.test(message) ||
      CONTINUES.test(line) ||
      (rank === ASSERTION && ASSERTS.test(line)) ||
      (rank === EXCEPTION && message.length < 24 && /^\s/.test(raw));
    if (!wanted || isFrame(raw)) {
      break;
    }
    message = `${message} ${line}`;
  }
  return message;
}

/** Closing remarks at the start of a line; see {@link TRAILER_PHRASES} for those anywhere in it. */
const STARTS: readonly string[] =
  "for more information|re-run|rerun|run with|to see the full|after correcting|npm warn|info visit|try --help|for help|please report|for details|usage of|error: aborting|to fix|or use|did you mean|if you |see |please |hint|note|time:|summary|1 failed|errors occurred|make: target".split(
    "|",
  );

/** One pattern is faster than a search for each part. */
const TRAILER_START = new RegExp(`^(?:${STARTS.map(escaped).join("|")})`);

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

const COUNT =
  /^\W{0,4}(?:\d+ \w+(?:,| and|;|$)|(?:found|generated|total|failures?|errors?|tests?(?: run)?|fail|passed|failed)\s?:? ?\d+(?:\s*$|[,;.)]| (?:error|warning|problem|fail|pass|test))|fail(?:ed|ures?)?!?$|fail\s+\S+$|errors?!?$|--- fail|=+ )/i;

/** Whether the line only closes the output. */
export function isTrailer(line: string): boolean {
  if (COUNT.test(line) || line.includes("*** [")) {
    return true;
  }
  const lower = line.toLowerCase();
  // A pointer to the program's help; the complaint itself may contain one too.
  if ((lower.includes("--help") || lower.includes("--usage")) && !/^[\w.+/-]{1,40}\s?: /.test(line)) {
    return true;
  }
  return startsTrailer(lower) || closesOutput(lower);
}

/** Whether the line starts like a closing remark. */
export function startsTrailer(line: string): boolean {
  return TRAILER_START.test(line.slice(0, 24).toLowerCase());
}
