/** A shorter run holds no call. */
const MIN_RUN_CHARS = 24;
const MAX_STRANGE_SHARE = 0.05;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;
/** How much of a run is decoded before it is known to be text. */
const PROBE_CHARS = 32;
/** Of the eight groups of the probe; words of other alphabets have some that do not fit. */
const MIN_FITTING_GROUPS = 5;
/** Runs, also wrapped over lines: every line but the last has at least as many characters as the shortest run. */
const RUN = /[A-Za-z0-9+/_-]{24,}(?:[ \t]{0,16}\r?\n[ \t]{0,16}[A-Za-z0-9+/_-]{4,})*={0,2}/g;

/** Replaces base64 that holds text by this text, on lines of its own. What decodes to something else stays. */
export function decodeBase64(text: string): string {
  return text.replace(RUN, (run) => {
    const decoded = decodeRun(run);
    return decoded === undefined ? run : `\n${decoded}\n`;
  });
}

function decodeRun(run: string): string | undefined {
  const joined = run.replace(/[\s=]+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  // A word before it, such as a path, may stand directly in front of the first group.
  for (let shift = 0; shift < 4; shift += 1) {
    const body = joined.slice(shift);
    if (body.length < MIN_RUN_CHARS) return undefined;
    if (!mayBeText(body) || !isText(bytesOf(body.slice(0, PROBE_CHARS)))) continue;
    const bytes = bytesOf(body);
    if (isText(bytes)) return new TextDecoder().decode(bytes);
  }
  return undefined;
}

function bytesOf(base64: string): Uint8Array {
  const whole = base64.length % 4 === 1 ? base64.slice(0, -1) : base64;
  const binary = atob(whole);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Are nearly all characters printable? Bytes that are no text have many that belong to no character. */
function isText(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return (text.match(NOT_TEXT)?.length ?? 0) <= text.length * MAX_STRANGE_SHARE;
}

/** The first character of a group of four holds the upper bits of a byte: in ASCII, the highest is never set. */
function mayBeText(base64: string): boolean {
  let fitting = 0;
  for (let at = 0; at < PROBE_CHARS; at += 4) {
    const code = base64.charCodeAt(at);
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 102) || Number.isNaN(code)) fitting += 1;
  }
  return fitting >= MIN_FITTING_GROUPS;
}
