import { namesSystemError } from "./category.ts";
import { isPlaceOrCode, withDetails } from "./details.ts";
import { withoutObject } from "./inner-text.ts";
import { ASSERTS, isFrame, isSignal, RANK } from "./line-rank.ts";
import { clean, cleanLine } from "./lines.ts";
import { isTrailer, matchesNoise } from "./noise.ts";
import { hasSpecifics } from "./specifics.ts";

/** Returns the message of the line at this index: with the lines that complete it, and the file that it is about. */
export function messageAt(lines: readonly string[], index: number, rank: number): string {
  const message = withContinuation(lines, index, rank);
  const diagnosis = message.startsWith("not ok ")
    ? diagnosisBelow(lines, index)
    : (lines[index] ?? "").startsWith(BOX)
      ? sentenceInBox(lines, index)
      : undefined;
  const whole = withoutObject(message);
  const complete = diagnosis === undefined ? withDetails(whole, lines, index) : `${message}: ${diagnosis}`;
  return withPlace(complete, lines, index, rank);
}

/** Terraform draws a line beside an error: a title, the place, and a sentence that explains it. */
const BOX = "\u2502 ";
const MAX_BOX_LINES = 12;

function sentenceInBox(lines: readonly string[], index: number): string | undefined {
  for (let below = index + 1; below < Math.min(lines.length, index + MAX_BOX_LINES); below += 1) {
    if (!(lines[below] ?? "").startsWith("\u2502")) {
      return undefined;
    }
    const line = cleanLine(lines, below);
    if (line.includes(" ") && !isPlaceOrCode(line)) {
      return line;
    }
  }
  return undefined;
}

/** Lines of YAML below a failed test of TAP, up to its `error` field. */
const MAX_DIAGNOSIS_LINES = 8;

function diagnosisBelow(lines: readonly string[], index: number): string | undefined {
  for (let below = index + 1; below < Math.min(lines.length, index + MAX_DIAGNOSIS_LINES); below += 1) {
    const line = (lines[below] ?? "").trim();
    if (line.startsWith("error: ")) {
      const value = line.slice("error: ".length);
      return value.startsWith("|")
        ? lines
            .slice(below + 1, below + 3)
            .map(clean)
            .join(" ")
        : value;
    }
  }
  return undefined;
}

/** Where a compiler or linter points to, on a separate line: `--> a.rs:2:18`, `on main.tf line 2`, `In a.sh line 2:`. */
const PLACE =
  /^\s*(?:-->|on|[Ii]n|File|at file)\s+"?([^\s",]{1,200}\.\w{1,10}(?::\d+)*)"?(?:,? line \d+)?|^\s*((?:\/|\.{0,2}[\w-]+)[^\s:]{0,200}\.\w{1,10})(?::\d+(?::\d+)?:?)?$/;

/** Appends the file that the message is about, if only a line near it names the file. */
function withPlace(message: string, lines: readonly string[], index: number, rank: number): string {
  if (rank < RANK.located || rank === RANK.harness) {
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
    const place = match?.[1] ?? (rank >= RANK.labeled ? match?.[2] : undefined);
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
  /[:;\uff1a]$|panicked at .{0,200}:$|^(?:terminate called after|ERROR in )|^Assertion with |[Aa]ssertion `?.{0,80}failed/;

/** Lines that belong to the one above: what was expected and what was found, the source that TeX stopped at. */
const CONTINUES =
  /^(?:(?:left|right|expected|received|actual|got|want|reason|what\(\)|message|details?)\s?:|which is|l\.\d)/i;

/** `Token.hs:33:18: error: [GHC-83865]`: the message of the compiler is below its code. */
function isOnlyCode(message: string): boolean {
  const label = message.indexOf(": error: [");
  return label !== -1 && message.indexOf("]", label) === message.length - 1;
}

/** `Error: P3009`, `Input Error`, `App\\QueryException`, `Error: a::not_found`: a title, with its message below it. */
function isOnlyTitle(message: string): boolean {
  const [first = "", second = "", more] = message.split(" ", 3);
  const last = second === "" ? first : second;
  const isCode = first === "Error:" && Number(last.slice(1)) > 0;
  return (
    more === undefined &&
    (isCode || last === "Error" || (last.endsWith("Exception") && last.includes("\\")) || last.includes("::"))
  );
}

const SENTENCE_WORDS = 4;

export function isSentence(line: string): boolean {
  return line.split(" ", SENTENCE_WORDS).length === SENTENCE_WORDS;
}

/** Whether an exception is named in brackets, and its message stands on the next line. */
function isException(message: string, next: string): boolean {
  return message.endsWith("Error)") && next.startsWith("  ");
}

/** Removes what only explains the message: the label of a client, the mark of a block in YAML, the comment of jest. */
function withoutMark(message: string): string {
  const own = message.startsWith(STDERR) ? message.slice(STDERR.length) : message;
  const shown = own.endsWith("|-") ? own.slice(0, -2).trimEnd() : own;
  return shown.startsWith("expect(") || shown.endsWith(JEST_COMMENT) ? (shown.split(" // ", 1)[0] ?? shown) : shown;
}

const STDERR = "Stderr: ";
const JEST_COMMENT = " // Object.is equality";

/** Characters that a status message shows: a detail must not displace the statement itself. */
const MAX_SHOWN = 100;

/** pydantic: `2 validation errors for Order`, then each field and its error below. */
const INVALID_MODEL = /\b\d+ validation errors? for /;

function withInvalidField(message: string, lines: readonly string[], index: number): string {
  const field = cleanLine(lines, index + 1);
  const reason = cleanLine(lines, index + 2).split(" [type=", 1)[0] ?? "";
  return field === "" || reason === "" ? message : `${message}: ${field}: ${reason}`;
}

/** Appends the lines without which the message is not complete. */
function withContinuation(lines: readonly string[], index: number, rank: number): string {
  let message = withoutMark(cleanLine(lines, index));
  if (INVALID_MODEL.test(message)) {
    return withInvalidField(message, lines, index);
  }
  for (let next = index + 1; next <= index + 3 && next < lines.length; next += 1) {
    const raw = lines[next] ?? "";
    const line = cleanLine(lines, next).replace("[error] ", "");
    // TAP explains a failed test in comments below it; the first one may only name the file.
    if (message.startsWith("not ok ") && raw.startsWith("#") && message.length < 200) {
      message = `${message} ${line}`;
      continue;
    }
    const announces = ANNOUNCES.test(message) || isOnlyCode(message) || (isOnlyTitle(message) && isSentence(line));
    const wanted =
      announces ||
      CONTINUES.test(line) ||
      (rank === RANK.assertion && ASSERTS.test(line)) ||
      (message.startsWith("AssertionError") && line.startsWith("assert ")) ||
      (rank === RANK.exception && message.length < 24 && /^\s/.test(raw)) ||
      isException(message, raw);
    const hasRoom = message.length + line.length < MAX_SHOWN || rank === RANK.assertion || !hasSpecifics(message);
    if (!wanted || !(announces || hasRoom)) {
      break;
    }
    if (line === "" || matchesNoise(line) || isTrailer(line) || isSignal(line)) {
      if (announces && line.startsWith("+ actual")) {
        break;
      }
      // The values that differ: `3 !== 4`.
      if (announces && line.includes("!=")) {
        return `${message} ${line}`;
      }
      if (announces && line !== "") {
        continue;
      }
      break;
    }
    if (isFrame(raw)) {
      break;
    }
    message = isException(message, raw) ? `${message}: ${line}` : `${message} ${line}`;
  }
  return message;
}
