import type { Category } from "../model/outcome.ts";
import { type Finding, finding } from "./finding.ts";
import { type TextWindow, WHOLE_LIMIT } from "./text-window.ts";

/** How far into an object its own fields are looked for; servers put the verdict first or last. */
const HEAD = 2048;
const TAIL = 512;

/** Larger objects describe something; smaller ones answer. */
const ENTITY_LENGTH = 600;

const Q = `["']`;

/** A field whose value means failure, success or an exit status; JSON and Python's repr alike. One alternative per meaning. */
export const FIELD = new RegExp(
  [
    // 1: error-like key with a value that is not "nothing"
    `${Q}(?:error|err|errors|exception|error_?message|error_?msg|error_?text|error_?details?|fault|traceback)${Q}\\s*:\\s*(?!null|none|false|undefined|${Q}{2}|\\[\\s*\\]|\\{\\s*\\}|-?\\d|${Q}(?:none|no|null|ok|success|n/?a|false|0|undefined)?${Q})(["'{[t])`,
    // 2: a success word that is false
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok)${Q}\\s*:\\s*(${Q}?false\\b)`,
    // 3: a failure word that is true
    `${Q}(?:is_?error|has_?error|failed|timed_?out|permission_?denied|not_?found)${Q}\\s*:\\s*(true\\b)`,
    // 4: a status in words
    `${Q}(?:status|result|type|response)${Q}\\s*:\\s*${Q}(error|err|fail|failed|failure|exception|false)${Q}`,
    // 5: a status in numbers
    `${Q}(?:status_?code|http_?status|http_?code|response_?code|status|code|error_?code)${Q}\\s*:\\s*${Q}?([45]\\d\\d)\\b(?![.\\d])`,
    // 6: an exit status
    `${Q}(?:exit_?code|exit_?status|return_?code|returncode)${Q}\\s*:\\s*${Q}?(-?\\d{1,10})\\b`,
    // 7: a text field that starts like a failure
    `${Q}(?:result|output|content|text|response|message|msg|observation|answer|detail|reason|stderr|info)${Q}\\s*:\\s*${Q}((?:\\w+ ?){0,3}?(?:error(?=\\s*[:!"']| (?:while|when|during|in|executing|calling|occurred|from|fetching))|exception(?=\\s*[:!"'])|failed to|failed(?=["':.])|failure:|traceback|unable to|cannot |could not |invalid |not found|permission denied|access denied|unauthori[sz]ed|forbidden(?=["':.]))(?:\\b|(?<=\\s)))`,
    // 8: a success word that is true
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok)${Q}\\s*:\\s*(${Q}?true\\b)`,
    // 9: the protocol's own flag inside the text
    `${Q}is_?error${Q}\\s*:\\s*(false\\b)`,
    // 10: an error field that says there is none
    `${Q}error${Q}\\s*:\\s*(null|none|false|${Q}{2}|\\[\\s*\\]|\\{\\s*\\})`,
  ].join("|"),
  "gi",
);

/** Objects that only hold the answer: what stands inside them counts like the top level. */
const WRAPPERS = new Set(
  "result results data response output body payload metadata meta structuredcontent value return".split(" "),
);

/** An object as short as this that says only one thing is an answer in a sentence. */
const ONE_FIELD =
  /^\{\s*["'](?:message|msg|detail|details|reason|info|error_description)["']\s*:\s*["']([^"'\\\n]{3,300})/i;

/** Does this text look like data in JSON or in Python's notation? */
export function looksStructured({ text, start }: TextWindow): boolean {
  const code = text.charCodeAt(start);
  if (code === 123) {
    return true;
  }
  if (code !== 91) {
    return false;
  }
  const next = /\S/.exec(text.slice(start + 1, start + 40))?.[0] ?? "";
  return next === "{" || next === '"' || next === "[" || next === "]" || next === "'" || (next >= "0" && next <= "9");
}

/** The verdict the fields of a structured text give. */
export function findField(window: TextWindow): Finding | undefined {
  const { text, start, end } = window;
  const limit = Math.min(end, start + HEAD);
  const scanner = new Scanner(text, start, end);
  let best: Finding | undefined;
  let succeeded = false;
  FIELD.lastIndex = start;
  for (let match = nextField(text, limit, end); match !== null; match = nextField(text, limit, end)) {
    const level = scanner.levelAt(match.index);
    if (level === "inside-text") {
      // Jump over the whole string: what it quotes is not this object's word, and no place is read twice.
      FIELD.lastIndex = Math.max(FIELD.lastIndex, scanner.stringEnd);
      continue;
    }
    if (level === "nested") {
      continue;
    }
    if (match[8] !== undefined || match[10] !== undefined) {
      succeeded = true;
      continue;
    }
    const found = read(match, text, limit);
    if (found !== undefined && (best === undefined || found.confidence > best.confidence)) {
      best = found;
    }
    // The value may hold the same field again; it is read as nested.
    FIELD.lastIndex = match.index + match[0].length - 1;
  }
  // `success: true` beside an error text: the server's own verdict is the field made for it.
  return succeeded && best !== undefined && best.stated !== true ? { ...best, denied: true } : best;
}

/** The next field in the first or the last part of the text. */
function nextField(text: string, limit: number, end: number): RegExpExecArray | null {
  const from = FIELD.lastIndex;
  if (from < limit) {
    // Searching a slice keeps the cost flat: a text without such fields is not searched to its end.
    const match = execIn(text, from, limit);
    if (match !== null || limit >= end) {
      return match;
    }
  }
  return execIn(text, Math.max(from, limit, end - TAIL), end);
}

function execIn(text: string, from: number, to: number): RegExpExecArray | null {
  FIELD.lastIndex = 0;
  const match = FIELD.exec(text.slice(from, to));
  if (match !== null) {
    match.index += from;
    FIELD.lastIndex = match.index + match[0].length;
  }
  return match;
}

function read(match: RegExpExecArray, text: string, limit: number): Finding | undefined {
  const at = match.index;
  const words = (): string => valueWords(text, match.index + match[0].length - 1, limit);
  if (match[1] !== undefined) {
    return finding("failure", "field-error", at, words(), 0.92);
  }
  if (match[2] !== undefined) {
    return finding("failure", "field-success-false", at, siblingMessage(text, limit) ?? match[0], 0.9, {
      category: "failed",
    });
  }
  if (match[3] !== undefined) {
    return finding("failure", "field-flag-true", at, siblingMessage(text, limit) ?? match[0], 0.9, flagged(match[0]));
  }
  if (match[4] !== undefined) {
    const message = siblingMessage(text, limit);
    // Without a word about it, the status of a large object is that of the thing it describes.
    if (message === undefined && limit - at > ENTITY_LENGTH) {
      return undefined;
    }
    return finding("failure", "field-status-word", at, message ?? match[0], message === undefined ? 0.7 : 0.9);
  }
  if (match[5] !== undefined) {
    // A bare `code` may be a country's or an area's; beside a message it is the server's.
    if (/^.code/i.test(match[0]) && siblingMessage(text, limit) === undefined) {
      return undefined;
    }
    return finding("failure", "field-status-number", at, siblingMessage(text, limit) ?? match[0], 0.85, {
      category: match[5].startsWith("5") ? "http_server_error" : clientError(match[5]),
    });
  }
  if (match[6] !== undefined) {
    const code = Number(match[6]);
    return finding(code === 0 ? "success" : "failure", "field-exit-status", at, match[0], 0.95, {
      stated: true,
      exitCode: code,
      ...(code === 0 ? {} : { phase: "run" as const }),
    });
  }
  if (match[7] !== undefined) {
    return finding(
      "failure",
      "field-text",
      at,
      valueWords(text, at + match[0].length - match[7].length - 1, limit),
      0.8,
    );
  }
  return match[9] === undefined
    ? undefined
    : finding("success", "field-is-error", at, match[0], 0.95, { stated: true });
}

/** Harness envelopes that name the event in a field of its own. */
function flagged(field: string): { readonly category?: Category; readonly stated?: boolean } {
  const name = field.toLowerCase().replaceAll("_", "");
  if (name.includes("timedout")) {
    return { category: "timeout" };
  }
  if (name.includes("permission")) {
    return { category: "permission_denied" };
  }
  if (name.includes("notfound")) {
    return { category: "not_found" };
  }
  return name.includes("iserror") ? { stated: true } : { category: "failed" };
}

/** What an HTTP status between 400 and 499 means. */
export function clientError(status: string): Category {
  switch (status) {
    case "401":
      return "auth";
    case "403":
      return "permission_denied";
    case "404":
    case "410":
      return "not_found";
    case "408":
      return "timeout";
    case "429":
      return "rate_limited";
    case "413":
      return "oversized";
    default:
      return "http_client_error";
  }
}

/** The text of a value that starts here, unescaped enough to be read by a person. */
function valueWords(text: string, at: number, limit: number): string {
  const raw = text.slice(at, Math.min(limit, at + 600));
  const quote = raw[0];
  if (quote === '"' || quote === "'") {
    let stop = 1;
    while (stop < raw.length && raw[stop] !== quote) {
      stop += raw[stop] === "\\" ? 2 : 1;
    }
    return raw.slice(1, stop).replaceAll("\\n", "\n").replaceAll('\\"', '"').slice(0, 500);
  }
  const message = /["'](?:message|msg|detail|description|reason)["']\s*:\s*["']([^"\n]{1,300}?)["'][,}\s]/i.exec(raw);
  return message?.[1] ?? raw.slice(0, 300);
}

/** The message that stands beside a status. */
function siblingMessage(text: string, limit: number): string | undefined {
  const match =
    /["'](?:error|message|msg|error_?message|detail|details|reason|description|info|stderr)["']\s*:\s*["'](?=[^"'\s])/i.exec(
      text.slice(0, limit),
    );
  return match === null ? undefined : valueWords(text, match.index + match[0].length - 1, limit);
}

/** A short object with one sentence in it, for the sentence rules. */
export function onlySentence({ text, start, end }: TextWindow): string | undefined {
  return end - start > 400 ? undefined : ONE_FIELD.exec(text.slice(start, end))?.[1];
}

/** What a program printed, where a shell's answer is an object around it. */
export function printedText({ text, start, end }: TextWindow): string | undefined {
  if (end - start > WHOLE_LIMIT || text.charCodeAt(start) !== 123) {
    return undefined;
  }
  try {
    const { output, stdout, stderr, result } = JSON.parse(text.slice(start, end)) as Record<string, unknown>;
    const parts = [output ?? stdout ?? result, stderr].filter((part) => typeof part === "string" && part.trim() !== "");
    return parts.length === 0 ? undefined : parts.join("\n");
  } catch {
    return undefined;
  }
}

/** Walks a structured text once, from left to right, and says at which level a place stands. */
class Scanner {
  readonly #text: string;
  /** In a short answer the first object of a list counts like the top level. */
  readonly #short: boolean;
  #at: number;
  #path: string[] = [];
  #key = "";
  #lastString = "";
  /** Behind the string that a place was found in. */
  stringEnd = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#short = end - start <= ENTITY_LENGTH;
    this.#at = start;
  }

  levelAt(place: number): "top" | "nested" | "inside-text" {
    const text = this.#text;
    while (this.#at < place) {
      const code = text.charCodeAt(this.#at);
      if (code === 34 || code === 39) {
        const stop = this.#stringEnd(this.#at);
        if (stop > place) {
          this.stringEnd = stop;
          return "inside-text";
        }
        this.#lastString = text.slice(this.#at + 1, Math.min(stop - 1, this.#at + 40));
        this.#at = stop;
        continue;
      }
      if (code === 58) {
        this.#key = this.#lastString;
      } else if (code === 123 || code === 91) {
        this.#path.push(this.#path.length === 0 ? "" : code === 91 ? `[${this.#key}` : this.#key);
      } else if (code === 125 || code === 93) {
        this.#path.pop();
      }
      this.#at += 1;
    }
    return this.#path.length === 1 ||
      this.#path.slice(1).every((key) => (key === "" ? this.#short : WRAPPERS.has(key.toLowerCase())))
      ? "top"
      : "nested";
  }

  #stringEnd(at: number): number {
    const text = this.#text;
    const quote = text[at] ?? '"';
    let stop = text.indexOf(quote, at + 1);
    while (stop !== -1 && isEscaped(text, stop)) {
      stop = text.indexOf(quote, stop + 1);
    }
    return stop === -1 ? text.length : stop + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 92 && slashes < 64) {
    slashes += 1;
  }
  return slashes % 2 === 1;
}
