import { redact } from "../../core/redact/redact.ts";

/** What a text of a tool may not show besides secrets: addresses of systems inside, and whatever is long and unreadable. */
const INTERNAL: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/https?:\/\/hooks\.[a-z.]{3,40}\/[^\s"'<>]*/gi, "[webhook]"],
  [/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@"'<>]{1,300}@[^\s"'<>]*/gi, "[url with credentials]"],
  [
    /\b(?:jdbc:)?(?:mongodb|mysqlx?|postgres(?:ql)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+srv)?:\/\/[^\s"'<>]*/gi,
    "[connection string]",
  ],
];
const ACCOUNT = /(account[-_]?id\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)(?!\[|["'])[^\s"',;&}]{3,}/gi;
/** Long, without a gap, letters and digits mixed. A UUID is an id. */
const OPAQUE =
  /(?<![A-Za-z0-9_+/=-])(?![0-9a-f]{8}-[0-9a-f]{4}-)(?=[A-Za-z_+/=-]{0,64}[0-9])(?=[0-9_+/=-]{0,64}[A-Za-z])[A-Za-z0-9_+=-]{32,}/g;

/** Shorter values are parts of ordinary words. */
const MIN_SECRET_CHARS = 4;

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

/**
 * Replaces credentials by the rules that the recorder uses too, what the caller knows to be secret, and what shows the inside of a system. Here a false
 * alarm costs a word of an error message.
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
