/** A shorter run cannot contain a call. */
export const MIN_RUN_CHARS = 16;
/** How much of a run is checked before it is decoded. */
const PROBE_CHARS = 24;
const MAX_STRANGE_SHARE = 0.05;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;
/** How long a word before the first group may be, and the characters that end it. */
const MAX_LEAD_CHARS = 64;
const SEPARATORS = "/_-+";
/** The next line of a wrapped run. */
const WRAPPED = /[ \t]{0,16}\n[ \t]{0,16}[A-Za-z0-9+/_-]{2,}/y;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The 6-bit value of each character, or 64 if it is not base64. Covers the standard and the URL-safe alphabet. */
const BITS = new Uint8Array(128).fill(64);
for (let at = 0; at < ALPHABET.length; at += 1) BITS[ALPHABET.charCodeAt(at)] = at;
BITS[45] = 62;
BITS[95] = 63;

export function isBase64Char(code: number): boolean {
  return code < 128 && (BITS[code] as number) < 64;
}

/** Replaces base64 that decodes to text with that text, on separate lines. Other base64 is left unchanged. */
export function decodeBase64(text: string): string {
  let decoded = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    while (at < text.length && isBase64Char(text.charCodeAt(at))) at += 1;
    const shift = at - start < MIN_RUN_CHARS ? undefined : textShift(text, start, at);
    if (shift === undefined) continue;
    const end = wrappedEnd(text, at);
    const inner = decodeRun(text.slice(start + shift, end));
    at = end;
    if (inner === undefined) continue;
    decoded += `${text.slice(from, start + shift)}\n${inner}\n`;
    while (text[at] === "=") at += 1;
    from = at;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

/**
 * Offset in a run at which base64 of text begins, if any: a word such as a path may directly precede the first group.
 * Nearly every identifier is valid base64 of bytes that are not text, which shows within the first few bytes.
 */
export function textShift(text: string, start: number, end: number): number | undefined {
  const last = Math.min(end - MIN_RUN_CHARS, start + MAX_LEAD_CHARS);
  for (let at = start; at <= last; at += 1) {
    const isStart = at - start < 4 || SEPARATORS.includes(text[at - 1] as string);
    if (isStart && beginsText(text, at, end)) return at - start;
  }
  return undefined;
}

function beginsText(text: string, start: number, end: number): boolean {
  const stop = Math.min(end, start + PROBE_CHARS);
  let bits = 0;
  /** Continuation bytes of the current UTF-8 character that are still expected. */
  let following = 0;
  for (let at = start; at < stop; at += 1) {
    bits = ((bits << 6) | (BITS[text.charCodeAt(at)] as number)) & 0xfff;
    const offset = (at - start) % 4;
    if (offset === 0) continue;
    const byte = (bits >> (6 - 2 * offset)) & 0xff;
    if (following > 0 ? byte >> 6 !== 2 : !beginsCharacter(byte)) return false;
    following = following > 0 ? following - 1 : continuationBytes(byte);
  }
  return true;
}

/** Whether a byte begins a character of text in UTF-8. */
function beginsCharacter(byte: number): boolean {
  if (byte >= 127) return byte >= 0xc2 && byte <= 0xf4;
  return byte >= 32 || byte === 9 || byte === 10 || byte === 13 || byte === 27;
}

function continuationBytes(first: number): number {
  if (first < 128) return 0;
  return first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
}

function wrappedEnd(text: string, from: number): number {
  let end = from;
  for (;;) {
    WRAPPED.lastIndex = end;
    if (!WRAPPED.test(text)) return end;
    end = WRAPPED.lastIndex;
  }
}

function decodeRun(run: string): string | undefined {
  const joined = run.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  const binary = atob(joined.length % 4 === 1 ? joined.slice(0, -1) : joined);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const decoded = new TextDecoder().decode(bytes);
  return (decoded.match(NOT_TEXT)?.length ?? 0) <= decoded.length * MAX_STRANGE_SHARE ? decoded : undefined;
}
