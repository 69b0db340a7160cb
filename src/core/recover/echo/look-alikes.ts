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
export function foldLookAlikes(text: string): string {
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
