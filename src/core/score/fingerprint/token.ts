/**
 * The placeholder for a run of characters, or the run itself. The kind need not be correct, only the same in every
 * occurrence of a message: `and/or` may be a path.
 */
export function token(run: string): string {
  if (PLAIN.test(run)) return run;
  const start = leading(run);
  const end = trailing(run, start);
  if (start >= end) return run;
  const placeholder = core(run.slice(start, end));
  // A dot may belong to the path or end the sentence, so it is dropped.
  const suffix = placeholder === "<url>" ? "" : placeholder === "<path>" ? colons(run.slice(end)) : run.slice(end);
  return run.slice(0, start) + placeholder + suffix;
}

function colons(text: string): string {
  return text.replace(/[^:]/g, "");
}

/** Most runs are plain words. Words of hex digits only match if they are too short for an id. */
const PLAIN = /^(?:[a-z]{1,7}|[A-Z]?[a-z]{0,40}[g-z][a-z]{0,40}|[A-Z]{1,7})[:.]?$/;

/** Punctuation around a value. */
const LEADING = ":!?*#@&$€£~+";
const TRAILING = ":.!?*#&+";

function leading(run: string): number {
  let at = 0;
  while (at < run.length && LEADING.includes(run.charAt(at))) at += 1;
  // `~/x` is a path.
  return at > 0 && run.charAt(at) === "/" && run.charAt(at - 1) === "~" ? at - 1 : at;
}

function trailing(run: string, start: number): number {
  let at = run.length;
  while (at > start && TRAILING.includes(run.charAt(at - 1))) at -= 1;
  return at;
}

const MAX_TOKEN_CHARS = 512;

function core(text: string): string {
  if (text.includes("://")) return "<url>";
  if (text.includes("/") || text.includes("\\")) return "<path>";
  if (text.length > MAX_TOKEN_CHARS) return "#";
  if (!/[\d.]/.test(text) && !HEX.test(text)) return text;
  if (text.includes("@") && /^[\w.+-]{1,64}@[\w.-]{1,255}$/.test(text)) return "<host>";
  if (IPV6.test(text) || DATE.test(text)) return "#";
  const name = text.replace(POSITION, "");
  if (isFile(name) && !isId(name) && !isHost(name)) return "<path>";
  return text.split(":").map(part).join(":");
}

const IPV6 = /^[\da-f]{0,4}(?::[\da-f]{0,4}){2,8}(?:%\w{1,16})?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}T?[\d:.,Z+-]{0,32}$/i;
const POSITION = /(?::\d{1,9}){1,2}$/;
const HEX = /^[\da-f]{8,}$/i;

function part(text: string): string {
  if (isId(text)) return "#";
  if (isHost(text)) return "<host>";
  return CODE.test(text) ? text : text.replace(DIGITS, "#");
}

/** `-12`, `1.5e-9`, `12ms`, `2m30s`, `v1.2.3`, `127.0.0.1`, `5-7`. */
const NUMBER = /^[-+v]?\d[\d._-]{0,64}(?:e[-+]?\d{1,4})?(?:[a-zµμ%]{1,4}(?:\d{1,8}(?:\.\d{1,8})?[a-zµμ]{1,2}){0,4})?$/i;
const UUID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
const SHORT_HASH = /^(?=.{0,6}\d)[\da-f]{7}$/;
const LONG_ID = /^[\w-]{16,}$/;
const TEMPORARY = /^(?:tmp|temp)[._-]?\w{4,}$/i;

function isId(text: string): boolean {
  if (SQL_STATE.test(text)) return false;
  if (NUMBER.test(text) || HEX.test(text) || SHORT_HASH.test(text) || UUID.test(text)) return true;
  if (/^0x[\da-f]{1,64}$/i.test(text)) return true;
  return (LONG_ID.test(text) && /\d/.test(text)) || (TEMPORARY.test(text) && /\d/.test(text));
}

const TOP_LEVEL =
  /\.(?:com|org|net|io|dev|app|ai|co|edu|gov|info|internal|local|localdomain|lan|cloud|svc|[a-z]{2}\.[a-z]{2})$/i;

function isHost(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+$/.test(text) && TOP_LEVEL.test(text);
}

/**
 * A name with a short extension: `package.json`, but also `client.query`. Not `Foo.Bar` or `java.lang.Error`, which are
 * class names.
 */
function isFile(text: string): boolean {
  return /^\.?[\w@+-][\w.@+-]*\.[a-z\d]{1,5}$/.test(text);
}

/** Error codes, whose digits are significant: `TS2345`, `E0502`, `ORA-00942`, `42P01`. */
const SQL_STATE = /^\d{2}(?=[\dA-Z]{0,2}[A-Z])[\dA-Z]{3}$/;
const CODE = /^(?:[A-Z]{1,8}-?\d{2,6}|\d{2}(?=[\dA-Z]{0,2}[A-Z])[\dA-Z]{3})$/;
const DIGITS = /\d+/g;
