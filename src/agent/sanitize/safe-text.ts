import { redact } from "../../core/redact/redact.ts";
import { isHighSurrogate } from "../../core/text/char-codes.ts";
import { type Checks, checkOptions, count, object, oneOf, text } from "../check-options.ts";
import type { FailureKind } from "../outcome/failure.ts";
import { USER_TEXTS, type UserTexts, userText } from "./user-texts.ts";

export interface SafeTextOptions {
  /** Values to redact, whatever their format. */
  readonly secrets?: readonly (string | RegExp)[];
  /** Paths in this text may be repeated: the model wrote these arguments itself. */
  readonly known?: string;
  /** In UTF-16 units. */
  readonly limit?: number;
  /** Whether absolute paths are replaced; default `hide`. */
  readonly paths?: "keep" | "hide";
  /** Whether the text ends before the first stack trace, and is cut at its end; default `hide`. */
  readonly traces?: "keep" | "hide";
}

/** Longer texts are read at their start and end only. */
const READ = 64_000;
const USER_LIMIT = 500;
/** Long enough for the failures and the summary of a test run. */
const MODEL_LIMIT = 8000;

/** Start of stack traces and similar output. */
const TRACES: readonly RegExp[] = [
  /Traceback \(most recent call last\)/,
  /(?:^|\n)\s{0,8}at [^\n]{1,300}[:(][^\n]{1,300}(?::\d+|\))/,
  /(?:^|\n)\s{0,8}File "[^"\n]{1,300}", line \d+/,
  /(?:^|\n)goroutine \d+ \[/,
  /(?:^|\n)(?:stack backtrace|Stack trace|Call stack|Backtrace):/i,
  /(?:^|\n)#0\s/,
];

/** Absolute paths on Unix and Windows. After a letter or a colon, it would be part of a URL or a word. */
const PATHS =
  /file:\/\/[^\s"'`<>]+|(?<![\w/.:~-])~?\/(?:[\w.@+~-]{1,128}\/)+[\w.@+~-]{0,128}|(?<![\w/.:~-])\/(?:home|users|root|etc|var|usr|opt|srv|tmp|mnt|app|proc)\b|\b[A-Za-z]:(?:\\|\/(?!\/))[^\s"'`<>|]+|\\\\[\w.-]{1,64}\\[^\s"'`<>|]+/gi;

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to remove
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
const CONTROLS = /(?![\n\r\t])\p{Cc}/gu;

/**
 * Sanitizes a tool's text: removes secrets and terminal codes; for users also paths and stack traces. Truncates it.
 *
 * @example
 * safeText("connect failed: postgres://admin:s3cret@db/x") // "connect failed: [url with credentials]"
 */
export function safeText(text: string, options: SafeTextOptions = {}): string {
  const { secrets, known = "", limit = USER_LIMIT, paths = "hide", traces = "hide" } = options;
  let safe = ends(text);
  if (traces === "hide") {
    for (const trace of TRACES) {
      const at = safe.search(trace);
      if (at !== -1) safe = safe.slice(0, at);
    }
  }
  safe = safe.replace(ESCAPES, "").replace(CONTROLS, "");
  safe = redactForOthers(safe, secrets);
  if (paths === "hide") {
    safe = safe.replace(PATHS, (path) =>
      known.includes(path) || known.includes(JSON.stringify(path).slice(1, -1)) ? path : "[path]",
    );
  }
  safe = safe.trim();
  if (safe.length <= limit) return safe;
  return traces === "hide" ? `${wholeCharacters(safe.slice(0, limit - 1))}…` : headAndTail(safe, limit);
}

/** Start and end of a very long text. A secret that is cut in half would not be recognized, so whole words are kept. */
function ends(text: string): string {
  if (text.length <= READ) return text;
  const head = text.slice(0, READ / 2);
  const tail = text.slice(-READ / 2).replace(/^\S{0,2000}/, "");
  return `${withoutLastWord(head)}\n[…]\n${tail}`;
}

const MAX_WORD_CHARS = 2000;

/** A loop: a regular expression would search for the final word at every character. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && end > text.length - MAX_WORD_CHARS && /\S/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Keeps the start and the end of a text: the cause is often in the last lines. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = wholeCharacters(text.slice(0, half));
  const tail = wholeStart(text.slice(-half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Removes half a surrogate pair at the start. */
export function wholeStart(text: string): string {
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}

/** Removes half a surrogate pair at the end. */
export function wholeCharacters(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** Internal addresses, which are redacted like secrets. */
const INTERNAL: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/https?:\/\/hooks\.[a-z.]{3,40}\/[^\s"'<>]*/gi, "[webhook]"],
  [/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@"'<>]{1,300}@[^\s"'<>]*/gi, "[url with credentials]"],
  [
    /\b(?:jdbc:)?(?:mongodb|mysqlx?|postgres(?:ql)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+srv)?:\/\/[^\s"'<>]*/gi,
    "[connection string]",
  ],
];
const ACCOUNT = /(account[-_]?id\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)(?!\[|["'])[^\s"',;&}]{3,}/gi;
/** Long tokens of mixed letters and digits. UUIDs are ids and stay. */
const OPAQUE =
  /(?<![A-Za-z0-9_+/=-])(?![0-9a-f]{8}-[0-9a-f]{4}-)(?=[A-Za-z_+/=-]{0,64}[0-9])(?=[0-9_+/=-]{0,64}[A-Za-z])[A-Za-z0-9_+=-]{32,}/g;

/** Shorter values are parts of ordinary words. */
const MIN_SECRET_CHARS = 4;

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

/**
 * Redacts credentials by the recorder's rules, secrets known to the caller, and internal details. A false positive
 * costs little: a few characters of an error message.
 */
export function redactForOthers(text: string, known: readonly (string | RegExp)[] = []): string {
  let redacted = text;
  for (const secret of known) {
    if (typeof secret !== "string") redacted = redacted.replace(everywhere(secret), "[secret]");
    else if (secret.length >= MIN_SECRET_CHARS) {
      redacted = redacted.replaceAll(secret, "[secret]").replaceAll(JSON.stringify(secret).slice(1, -1), "[secret]");
    }
  }
  for (const [pattern, by] of INTERNAL) redacted = redacted.replace(pattern, by);
  return redact(redacted).replace(ACCOUNT, "$1[secret]").replace(OPAQUE, "[opaque]");
}

/** Sanitizes everything that a model or a user reads about a failure. */
export interface Sanitizer {
  /** A tool's text for the model that wrote `known`: without secrets, otherwise complete. */
  forModel(text: string, known?: string): string;
  /** A tool's text for users. */
  forUser(text: string): string;
  /** The standard message for a failure. */
  userText(kind: FailureKind, tool: string): string;
}

export interface SanitizerOptions {
  /** Values to redact, whatever their format. */
  readonly secrets?: Iterable<string | RegExp>;
  /** Custom or translated messages; `{tool}` is the tool's name. */
  readonly userTexts?: Partial<UserTexts>;
  /** Maximum length of a tool's text for the model, in UTF-16 units; default 8000. Start and end are kept. */
  readonly limit?: number;
  /** Maximum length of a tool's text for users; default 500. */
  readonly userLimit?: number;
  /** Whether the model receives absolute paths in a tool's text; default `keep`. Users never do. */
  readonly paths?: "keep" | "hide";
}

const isSecret = (value: unknown): boolean => typeof value === "string" || value instanceof RegExp;
const CHECKS: Checks<keyof SanitizerOptions> = {
  secrets: {
    expected: "a list of texts and regular expressions",
    isValid: (value) =>
      typeof value === "object" &&
      value !== null &&
      Symbol.iterator in value &&
      (!Array.isArray(value) || value.every(isSecret)),
  },
  userTexts: object,
  limit: count(1),
  userLimit: count(1),
  paths: oneOf("keep", "hide"),
};
const TEXT_CHECKS: Checks = Object.fromEntries(Object.keys(USER_TEXTS).map((kind) => [kind, text]));

/**
 * @example
 * const sanitizer = createSanitizer({ secrets: [databasePassword] });
 */
export function createSanitizer(options: SanitizerOptions = {}): Sanitizer {
  checkOptions("createSanitizer", options, CHECKS);
  if (options.userTexts !== undefined) checkOptions("createSanitizer", options.userTexts, TEXT_CHECKS, "userTexts");
  const texts: UserTexts = { ...USER_TEXTS, ...options.userTexts };
  const secrets = [...(options.secrets ?? [])];
  const { limit = MODEL_LIMIT, userLimit = USER_LIMIT, paths = "keep" } = options;
  return {
    forModel: (text, known = "") => safeText(text, { secrets, known, limit, paths, traces: "keep" }),
    forUser: (text) => safeText(text, { secrets, limit: userLimit }),
    userText: (kind, tool) => userText(texts, kind, tool),
  };
}
