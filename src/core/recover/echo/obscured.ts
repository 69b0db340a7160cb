import { decodeBase64 } from "./base64.ts";
import { plainCharacters } from "./characters.ts";
import { decodeEntities, decodeEscapes, decodePercent, stripPageElements } from "./decode.ts";
import { stripLineDecoration } from "./lines.ts";

/** Characters that hide letters: invisible ones inside words, letters of look-alike alphabets, colors. */
const HIDING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex lint/suspicious/noMisleadingCharacterClass: each of them alone is meant
  /[\x1b\xad\xc0-\u024f\u0250-\u036f\u0370-\u058f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1d00-\u1d7f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2460-\u24ff\u2800\u2c80-\u2cff\u3164\ua730-\ua7ff\ud835\udb40\ufe00-\ufe0f\ufeff\uff01-\uff5e\uffa0]|\ud83c[\udd10-\udd89]|\^\[\[/;
/** Letters that are encoded one by one. */
const ENCODED = /&#|\\u[0-9a-f{]|\\x[4-7]|\\1[0-7]{2}|%[4-7][0-9a-f]|%25|%[c-f][0-9a-f]%|\\_/i;
const PAGE = /<\/(?:span|font|b|i|em|strong|mark|code|td)>/i;
const MAX_WORD_CHARS = 48;
const CALL_WORDS = ["name", "tool", "argument", "invoke", "function", "parameter", "command", "Action"];
/** Words of calls as they look in base64, at each of the three places in a group; and runs too long to be a word. */
const PACKED = new RegExp([...CALL_WORDS.flatMap(inBase64), "[A-Za-z0-9+/]{60}"].join("|"));
const MAX_ROUNDS = 3;

/** May words of the text be hidden from a search? */
export function isObscured(text: string): boolean {
  return HIDING.test(text) || ENCODED.test(text) || PAGE.test(text) || PACKED.test(text);
}

/** The text with its words visible. The result is for searching only. */
export function reveal(text: string): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || isObscured(current)); round += 1) {
    const plain = HIDING.test(current) ? plainCharacters(current) : current;
    const next = decodePercent(decodeEscapes(decodeEntities(stripPageElements(plain))));
    current = decodeBase64(PACKED.test(next) ? stripLineDecoration(next) : next);
  }
  return current;
}

/** The characters that stand for a word in base64, wherever in a group of three bytes it begins. */
export function inBase64(word: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(word.slice(0, MAX_WORD_CHARS)));
  return [0, 1, 2].map((shift) => {
    const encoded = btoa(" ".repeat(shift) + bytes);
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    return encoded.slice(Math.ceil((shift * 8) / 6), whole);
  });
}
