import { redact } from "../../core/redact/redact.ts";
import { isHighSurrogate } from "../../core/text/char-codes.ts";
import type { FailureKind } from "../outcome/failure.ts";
import { USER_TEXTS, type UserTexts, userText } from "./user-texts.ts";

export interface SafeTextOptions {
  /** Values to redact, whatever their format. */
  readonly secrets?: readonly (string | RegExp)[];
  /** Paths in this text may be repeated: the model wrote these arguments itself. */
  readonly known?: string;
  /** In UTF-16 units. */
  readonly limit?: number;
}

const READ = 8000;
const LIMIT = 500;

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
 * Sanitizes a tool's text for the model or the user: removes secrets, paths, stack traces and terminal codes, and
 * truncates it.
 *
 * @example
 * safeText("connect failed: postgres://admin:s3cret@db/x") // "connect failed: [url with credentials]"
 */
export function safeText(text: string, { secrets, known = "", limit = LIMIT }: SafeTextOptions = {}): string {
  const isCut = text.length > READ;
  let safe = text.slice(0, READ);
  // A secret that is cut in half would not be recognized.
  if (isCut) safe = safe.replace(/\S{0,2000}$/, "");
  for (const trace of TRACES) {
    const at = safe.search(trace);
    if (at !== -1) safe = safe.slice(0, at);
  }
  safe = safe.replace(ESCAPES, "").replace(CONTROLS, "");
  safe = redactForOthers(safe, secrets);
  safe = safe.replace(PATHS, (path) =>
    known.includes(path) || known.includes(JSON.stringify(path).slice(1, -1)) ? path : "[path]",
  );
  safe = safe.trim();
  return safe.length > limit || isCut ? `${wholeCharacters(safe.slice(0, limit - 1))}…` : safe;
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
  /** A tool's text for the model that wrote `known`. */
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
  /** Maximum length of a tool's text, in UTF-16 units. */
  readonly limit?: number;
}

/**
 * @example
 * const sanitizer = createSanitizer({ secrets: [databasePassword] });
 */
export function createSanitizer(options: SanitizerOptions = {}): Sanitizer {
  const texts: UserTexts = { ...USER_TEXTS, ...options.userTexts };
  const base: SafeTextOptions = {
    secrets: [...(options.secrets ?? [])],
    ...(options.limit !== undefined && { limit: options.limit }),
  };
  return {
    forModel: (text, known) => safeText(text, { ...base, ...(known !== undefined && { known }) }),
    forUser: (text) => safeText(text, base),
    userText: (kind, tool) => userText(texts, kind, tool),
  };
}
