import { decodeBase64, isBase64Char, MIN_RUN_CHARS, textShift } from "./base64.ts";
import { plainCharacters } from "./characters.ts";
import { decodeEntities, decodeEscapes, decodePercent, stripPageElements } from "./decode.ts";
import { stripLineDecoration } from "./lines.ts";

/** Characters that hide letters: invisible ones inside words, letters of look-alike alphabets, colors. First and last of each range. */
const HIDING: readonly (readonly [number, number])[] = [
  ...([
    [0x00, 0x08],
    [0x0b, 0x0c],
    [0x0e, 0x1f],
    [0x7f, 0x84],
    [0x86, 0x9f],
    [0xad, 0xad],
    [0xc0, 0x58f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
  ] as const),
  ...([
    [0x180b, 0x180f],
    [0x1d00, 0x1d7f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
  ] as const),
  ...([
    [0x2460, 0x24ff],
    [0x2800, 0x2800],
    [0x2c80, 0x2cff],
    [0x3164, 0x3164],
    [0xa730, 0xa7ff],
  ] as const),
  ...([
    [0xd835, 0xd835],
    [0xdb40, 0xdb40],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xff01, 0xff5e],
    [0xffa0, 0xffa0],
  ] as const),
];
/** Letters that are encoded one by one, and pages whose elements may divide words. At most a few characters are read. */
const ENCODED =
  /&#|&amp;#|\\(?:[uU][0-9a-fA-F{]|x[4-7]|1[0-7]{2}|_)|%(?:25|[4-7][0-9a-fA-F]|[c-fC-F][0-9a-fA-F]%)|<\/(?:span|font|b|i|em|strong|mark|code|td)>|\^\[\[|\ud83c[\udd10-\udd89]/y;
const ENCODED_STARTS = "&\\%<^\ud83c";

const PACKABLE = 1;
const HIDES = 2;
const MAY_ENCODE = 3;
/** What each character may mean. A table, because everything that was given is looked at. */
const MEANING = new Uint8Array(65_536);
for (let code = 0; code < 128; code += 1) if (isBase64Char(code)) MEANING[code] = PACKABLE;
for (const [first, last] of HIDING) MEANING.fill(HIDES, first, last + 1);
for (const mark of ENCODED_STARTS) MEANING[mark.charCodeAt(0)] = MAY_ENCODE;

/** May words of the text be hidden from a search? */
export function isObscured(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const meaning = MEANING[text.charCodeAt(at)];
    if (meaning === PACKABLE) {
      run += 1;
      continue;
    }
    if (run >= MIN_RUN_CHARS && textShift(text, at - run, at) !== undefined) return true;
    run = 0;
    if (meaning === HIDES) return true;
    if (meaning === MAY_ENCODE) {
      ENCODED.lastIndex = at;
      if (ENCODED.test(text)) return true;
    }
  }
  return run >= MIN_RUN_CHARS && textShift(text, text.length - run, text.length) !== undefined;
}

const MAX_ROUNDS = 3;

/** The text with its words visible. The result is for searching only. */
export function reveal(text: string): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS && isObscured(current); round += 1) {
    const plain = decodeEntities(withoutSpans(plainCharacters(current)));
    const next = decodePercent(decodeEscapes(plain));
    // Where lines are decorated, base64 is wrapped around the decoration.
    const unpacked = decodeBase64(next);
    current = unpacked === next ? next : decodeBase64(stripLineDecoration(next));
  }
  return current;
}

/** Elements that a call in markup may have itself are left where no page is shown. */
function withoutSpans(text: string): string {
  return /<\/(?:span|font|code|td)>/i.test(text) ? stripPageElements(text) : text;
}
