/** A shorter run holds no call. */
const MIN_RUN_CHARS = 16;
const MAX_STRANGE_SHARE = 0.05;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;
/** How much of a run is looked at before it is decoded. */
const PROBE_CHARS = 24;
/** Runs, also wrapped over lines. */
const RUN = /[A-Za-z0-9+/_-]{16,}(?:[ \t]{0,16}\n[ \t]{0,16}[A-Za-z0-9+/_-]{2,})*={0,2}/g;

/** Replaces base64 that holds text by this text, on lines of its own. What decodes to something else stays. */
export function decodeBase64(text: string): string {
  return text.replace(RUN, (run) => {
    const decoded = decodeRun(run);
    return decoded === undefined ? run : `\n${decoded}\n`;
  });
}

function decodeRun(run: string): string | undefined {
  const joined = run
    .replace(/[\s=]+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  // A word before it, such as a path, may stand directly in front of the first group.
  for (let shift = 0; shift < 4; shift += 1) {
    const body = joined.slice(shift);
    if (body.length < MIN_RUN_CHARS) return undefined;
    if (!mayBeText(body)) continue;
    const decoded = new TextDecoder().decode(bytesOf(body));
    if ((decoded.match(NOT_TEXT)?.length ?? 0) <= decoded.length * MAX_STRANGE_SHARE) return decoded;
  }
  return undefined;
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIX_BITS = new Uint8Array(128);
for (let at = 0; at < ALPHABET.length; at += 1) SIX_BITS[ALPHABET.charCodeAt(at)] = at;

/** Has the beginning no control characters? Most names in code have one as base64, and decoding them all would take long. */
function mayBeText(base64: string): boolean {
  const end = Math.min(base64.length, PROBE_CHARS);
  let bits = 0;
  for (let at = 0; at < end; at += 1) {
    bits = ((bits << 6) | (SIX_BITS[base64.charCodeAt(at)] as number)) & 0xfff;
    if (at % 4 === 0) continue;
    const byte = (bits >> (6 - 2 * (at % 4))) & 0xff;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27) return false;
  }
  return true;
}
