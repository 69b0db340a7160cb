import { decodeEntities } from "./decode.ts";

/** Colors and other terminal codes, including those whose escape character a viewer wrote as two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
const TERMINAL = /(?:\x1b|\^\[|\u241b)(?:\[[0-9;:?]{0,32}[A-Za-z]|\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
/**
 * Characters without a glyph: zero-width and direction marks, soft hyphens, variation selectors, tags, control
 * characters.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex lint/suspicious/noMisleadingCharacterClass: each of them alone is meant
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e01ef}]+/gu;
/** Unicode tags: each one is an invisible copy of an ASCII character. */
const TAGS = /[\u{e0009}\u{e000a}\u{e0020}-\u{e007e}]+/gu;
/** Line breaks outside ASCII, and carriage returns. */
const LINE_ENDS = /\r\n?|[\x85\u2028\u2029]/g;

const NOT_PLAIN = /[^\t\n\x20-\x7e]/;

/**
 * Replaces Unicode tags, which a model reads but people do not see, with the characters they copy. The result is
 * separated from the word before it.
 */
export function decodeTags(text: string): string {
  if (!text.includes("\udb40")) return text;
  return text.replace(TAGS, (tags, at: number) => {
    const copied = Array.from(tags, copiedCharacter).join("");
    return /[A-Za-z0-9]/.test(text[at - 1] ?? "") ? `\n${copied}` : copied;
  });
}

function copiedCharacter(tag: string): string {
  return String.fromCharCode((tag.codePointAt(0) as number) - 0xe0000);
}

/**
 * Returns the text as people see it: without invisible characters, and in ASCII where it looks like ASCII. For
 * comparison only.
 */
export function plainCharacters(text: string): string {
  if (!NOT_PLAIN.test(text) && !text.includes("^[")) return text;
  return foldLookAlikes(text.replace(TERMINAL, "").replace(INVISIBLE, "").replace(LINE_ENDS, "\n"));
}

/** Removes case and everything that quoting, indenting and escaping change, so that equal contents compare equal. */
export function squeeze(text: string): string {
  return plainCharacters(text)
    .toLowerCase()
    .replace(/[\s\\"'`>*]+/g, "");
}

/** Also removes punctuation at the end, which a model may add when it repeats a value. */
export function squeezeValue(text: string): string {
  return squeeze(decodeEntities(text)).replace(/[;,.&]{1,8}$/, "");
}

/** Letters that look like Latin ones, each followed by the letter it resembles. */
const LETTERS: readonly string[] = [
  // Cyrillic
  "аaвbсcԁdеeғfԍgһhнhіiјjкkӏlмmпnоoрpԛqгrѕsтtцuуyѵvԝwшwхxҽe",
  "АAВBСCЕEҒFԌGНHІIЈJКKМMОOРPԚQЅSТTУYХXԜWҮYүyӀIѴVЬb",
  // Greek
  "αaβbγyδdεeηnιiκkμuνvοoρpσoτtυuχxωwϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹC",
  // Small capitals, phonetic letters, Armenian, Coptic
  "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡgɩiıiȷjոnսuօoցgհhⲟo",
];
/** Punctuation that looks like ASCII: each line begins with the ASCII character that the others resemble. */
const MARKS: readonly string[] = [
  '"“”„‟«»″〝〞＂❝❞',
  "'‘’‚‛′｀´ʹʼˈ❛❜",
  "<‹＜〈⟨❮❰˂ᐸ≺⧼",
  ">›＞〉⟩❯❱˃ᐳ≻⧽",
  "-‐‑‒–—―−﹣－⁃",
  "/⁄∕⧸╱／",
  "\\∖⧵╲＼",
  "|∣ǀ❘│┃￨",
  ":։׃∶ː꞉：",
  "=꞊═゠＝",
  "{❴⦃",
  "}❵⦄",
  "[〔❲⟦【「『",
  "]〕❳⟧】」』",
  "(❨⦅",
  ")❩⦆",
  "_ˍ＿",
  ".․‧∙⋅",
  ",‚⸲，、",
  ";;；",
  "*∗⁎✱＊",
  "~∼˜〜～",
];

const FOLDS: ReadonlyMap<string | undefined, string | undefined> = new Map([
  ...LETTERS.flatMap((pairs) => [...pairs.matchAll(/(.)(.)/gu)].map(([, strange, plain]) => [strange, plain] as const)),
  ...MARKS.flatMap((line) => {
    const [plain = "", ...strange] = [...line];
    return strange.filter((mark) => mark > "\x7f").map((mark) => [mark, plain] as const);
  }),
]);

/** Ranges that cover the whole table and few other frequent characters. */
const STRANGE =
  /[\u00ab\u00b4\u00bb\u0131\u0237-\u03ff\u0400-\u058f\u05c3\u1400-\u1dff\u2010-\u2060\u2200-\u29ff\u2c80-\u2e5d\u3000-\u30ff\ua700-\ua7ff\uff00-\uffef]+/g;
/** White letters on a black background, which Unicode normalization does not decompose. */
const NEGATIVE = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone is meant
const MARKS_ON_LETTERS = /[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g;

/**
 * Replaces characters that look like ASCII with ASCII: full-width and mathematical forms, Cyrillic and Greek letters,
 * typographic quotes, accented letters, the space and newline symbols of tokenizers. For comparison only.
 */
function foldLookAlikes(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text
    .replaceAll("Ġ", " ")
    .replaceAll("Ċ", "\n")
    .normalize("NFKD")
    .replace(MARKS_ON_LETTERS, "")
    .replace(STRANGE, foldRun)
    .replace(NEGATIVE, (sign) => String.fromCharCode(97 + (((sign.codePointAt(0) as number) - 0x1f150) % 32)))
    .normalize("NFC");
}

function foldRun(run: string): string {
  let folded = "";
  for (const letter of run) folded += FOLDS.get(letter) ?? letter;
  return folded;
}
