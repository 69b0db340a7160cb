import { closesOutput, namesSystemError } from "./category.ts";
import { hintsIn } from "./hints.ts";

/** Lines without a reason by their start: frames, headings, notes, rules. */
const NOISE_START = startOf(
  'node.js v|file "|in <|traceback (most|during handling|the above exception|stack trace|call stack|backtrace|at line:|+ |+categoryinfo|categoryinfo|fullyqualifiederrorid|note:|hint: |help: |command: |directory: |process group pgid: |standarderror: an error has occurred, this|(background on this error|on branch |your branch |(use "git |-->|... |===|---|___|[errors]|[current working directory|[python interpreter',
);

/** A pattern for texts that start with one of these, in any case. One pattern is faster than a search for each. */
function startOf(starts: string): RegExp {
  return new RegExp(`^(?:${starts.replace(/[\\^$.*+?()[\]{}]/g, "\\$&")})`, "i");
}

/** Fields of an error object, which a runtime prints below the message. */
const FIELDS = new Set(
  "code errno syscall path dest requirestack signal killed cmd address port stdout stderr failuretype duration_ms location operator generatedmessage".split(
    " ",
  ),
);

/** Characters before the colon of a field. */
const MAX_FIELD = 22;

/** Headings without a text of their own. */
const HEADINGS = new Set(["output:", "stdout:", "stderr:", "stack:", "[error]", "[fatal]"]);
const MAX_HEADING = 7;

/** The same with variable parts: no letters, tags, frames, numbers, versions. */
const NOISE =
  /^(?:[^\p{L}]*$|(?:<\/?[\w:-]{1,40}>)+$|at \S|from \S+:\d|goroutine \d|#{1,6} |"[\w-]{1,40}": ?(?:-?[\d.]+|true|false|null|\{|\[)?,?$|\d+ \||\d+: (?:\(|<?\w+::)|exit[ _](?:code|status)\b.{0,12}$|\S{1,200}:\d+: in |[\w.-]{1,20}: v?\d+(?:\.\d+)+$|(?:done|ok|status: ?\d+)$)/iu;

/** Whether a line without decoration names no reason. */
export function matchesNoise(text: string): boolean {
  if (NOISE_START.test(text) || (text.length <= MAX_HEADING && HEADINGS.has(text.toLowerCase()))) {
    return true;
  }
  const colon = text.indexOf(": ");
  return (
    (colon !== -1 && colon <= MAX_FIELD && FIELDS.has(lowerInside(text.slice(0, colon).trimEnd()))) ||
    (mayBeNoise(text) && NOISE.test(text))
  );
}

/** Lower case, but for `Stderr`: with a capital it labels what a client shows of a program. */
function lowerInside(name: string): string {
  return name === "Stderr" ? name : name.toLowerCase();
}

/** First letters of the words in {@link NOISE}. */
const NOISE_LETTERS = "afgedos";

/** Cheap test before the pattern: a sign or such a letter at the start, a number at the end, or a frame. */
function mayBeNoise(text: string): boolean {
  const code = text.charCodeAt(0) | 32;
  const last = text.charCodeAt(text.length - 1);
  return (
    code < 97 ||
    code > 122 ||
    NOISE_LETTERS.includes(String.fromCharCode(code)) ||
    (last >= 48 && last <= 57) ||
    text.includes(": in ")
  );
}

/** Values of fields that name no reason: `Error: (none)`, `errors: 0`, `Project version: undefined`. */
const EMPTY_VALUES = new Set(
  "none null nil no false empty 0 n/a undefined unknown"
    .split(" ")
    .flatMap((word) => [word, `(${word})`, `[${word}]`, `'${word}'`, `"${word}"`]),
);
const MIN_NAME = 3;
const MAX_EMPTY_LENGTH = 36;
/** Signs in names of files, hosts and fields of data. */
const NAME_SIGNS = [..."\"'-./()[]{}=,"];

function isEmptyField(text: string): boolean {
  if (text.length > MAX_EMPTY_LENGTH || !text.includes(":")) {
    return false;
  }
  const [name = "", value = "", more] = text.split(":", 3);
  const isEmpty = more === undefined && EMPTY_VALUES.has(value.trim().toLowerCase());
  return isEmpty && name.length >= MIN_NAME && !NAME_SIGNS.some((sign) => name.includes(sign));
}

/** Whether a line names no reason, as it stands in the text. */
export function isNoise(text: string, line: string): boolean {
  return (
    text.length < 2 ||
    isEmptyField(text) ||
    matchesNoise(text) ||
    isProgress(text) ||
    (line.startsWith("    ") && /^[\w.[\]]+(?: = |\().*[;)]$/.test(text))
  );
}

const PROGRESS_STARTS = "PcSC0123456789";

/** Progress of test runners and compose: `PASS src/a.test.ts`, `Start 4: lexer`, `Container db  Error`, `console.error`. */
function isProgress(text: string): boolean {
  // Most lines start with another character.
  if (!PROGRESS_STARTS.includes(text.charAt(0))) {
    return false;
  }
  const [first = "", second = ""] = text.split(" ", 2);
  return (
    first === "PASS" ||
    (first.startsWith("console.") && second === "") ||
    (second === "Test" && text.includes(" Passed ") && first.includes("/")) ||
    (first === "Start" && second.endsWith(":") && Number(second.slice(0, -1)) > 0) ||
    (first === "Container" && text.endsWith(" Error"))
  );
}

/** Closing remarks at the start of a line; see {@link TRAILER_PHRASES} for those anywhere in it. */
const TRAILER_START = startOf(
  "for more information|re-run|rerun|run with|to see the full|after correcting|npm warn|info visit|try --help|for help|please report|for details|usage of|error: aborting|to fix|or use|did you mean|alternatively, |if you |see |please |hint|note|time:|[help |jest did not|'this usually means|available fixtures|available options|available commands|available targets|valid options|valid values|possible values|summary|1 failed|errors occurred|make: target|add a ",
);

const COUNT =
  /^\W{0,4}(?:\d+ \w+(?:,| and|;|$)|(?:found|generated|total|failures?|errors?|tests?(?: run)?|fail|passed|failed)\s?:? ?\d+(?:\s*$|[,;.)]| (?:error|warning|problem|fail|pass|test))|fail(?:ed|ures?)?!?$|fail\s+\S+$|errors?!?$|--- fail|=+ )/i;

/** First letters of the words in {@link COUNT}. */
const COUNT_LETTERS = "fgtepFGTEP";

/** Cheap test before the pattern. */
function mayCount(line: string): boolean {
  const code = line.charCodeAt(0) | 32;
  return code < 97 || code > 122 || COUNT_LETTERS.includes(line.charAt(0));
}

/** `make: *** [Makefile:4: a.o] Error 1`; other programs give the reason behind the target. */
const MAX_TARGET_RESULT = 40;

function closesTarget(line: string): boolean {
  const mark = line.indexOf("*** [");
  return mark !== -1 && line.length - line.indexOf("]", mark) <= MAX_TARGET_RESULT;
}

/** Whether the line only closes the output. */
export function isTrailer(line: string, hints?: number): boolean {
  if ((mayCount(line) && COUNT.test(line)) || closesTarget(line)) {
    return true;
  }
  // A pointer to the program's help; the complaint itself may contain one too.
  if ((line.includes("--help") || line.includes("--usage")) && !/^[\w.+/-]{1,40}\s?: /.test(line)) {
    return true;
  }
  if (startsTrailer(line)) {
    return true;
  }
  const known = hints ?? hintsIn(line, 0, line.length);
  return closesOutput(line, known) && (line.startsWith("npm ") || !namesSystemError(line, known));
}

/** Maven writes it before its advice too. */
const MAVEN_LABEL = "[ERROR] ";

/** Whether the line starts like a closing remark. */
export function startsTrailer(line: string): boolean {
  return TRAILER_START.test(line.startsWith(MAVEN_LABEL) ? line.slice(MAVEN_LABEL.length) : line);
}
