/** Entities that can be part of a call's markup. Letters and accents are not needed. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " ", ensp: " ", emsp: " ", tab: "\t", newline: "\n" },
    ...{ lcub: "{", lbrace: "{", rcub: "}", rbrace: "}", lsqb: "[", lbrack: "[", rsqb: "]", rbrack: "]", lpar: "(" },
    ...{ rpar: ")", equals: "=", sol: "/", bsol: "\\", colon: ":", semi: ";", comma: ",", vert: "|", verbar: "|" },
    ...{ lowbar: "_", hyphen: "-", dash: "-", num: "#", period: ".", dollar: "$", percnt: "%", grave: "`", ast: "*" },
    ...{ plus: "+", commat: "@", excl: "!", quest: "?", ldquo: '"', rdquo: '"', lsquo: "'", rsquo: "'", lang: "<" },
    ...{ rang: ">", shy: "", zwnj: "", zwj: "" },
  }),
);

/** Decodes one level of HTML entities. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8})(?=;)|(lt|gt|quot|amp));?/g,
    (whole, decimal?: string, hex?: string, closed?: string, open?: string) => {
      const name = closed ?? open;
      if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
      return character(Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10)) ?? whole;
    },
  );
}

const LETTER_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: "\n", r: "\n", t: "\t", b: "", f: "", v: "", 0: "", e: "\x1b" }),
);

/** Decodes one level of string escapes in JSON and source code, and backslashes before punctuation. */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{3})|([nrtbfv0e])|(_|[^\w\s]))/g,
    (whole, ...groups: readonly (string | undefined)[]) => {
      const [braced, wide, narrow, octal, letter, mark] = groups;
      if (mark !== undefined) return mark;
      if (letter !== undefined) return LETTER_ESCAPES.get(letter) ?? whole;
      const hex = braced ?? wide ?? narrow;
      return character(hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16)) ?? whole;
    },
  );
}

/** Joins lines that end in the middle of an escape or an entity. */
export function joinBrokenEscapes(text: string): string {
  return text.replace(/(\\(?:u[\da-fA-F]{0,3}|x[\da-fA-F]?)?|&(?:#?\w{0,6}))\n(?=[\w;#\\"])/g, "$1");
}

/** A single encoded byte in a word is a percentage or a path with a space, not a call. */
const ENCODED_WORD = /%[0-9a-fA-F]{2}\S*?%[0-9a-fA-F]{2}/;
/** Encoded letters are a sign of obfuscation, because letters never need encoding. */
const ENCODED_LETTER = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;
const ENCODED_BYTES = /(?:%[0-9a-fA-F]{2})+/g;

/** Decodes words with enough percent encoding; a plus sign in them is a space. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/\S+/g, (word) => {
    if (!word.includes("%") || !(ENCODED_LETTER.test(word) || ENCODED_WORD.test(word))) return word;
    return word.replaceAll("+", " ").replace(ENCODED_BYTES, decodeHex);
  });
}

/** Decodes pairs of hexadecimal digits as UTF-8, whatever separates them. */
function decodeHex(pairs: string): string {
  const bytes = pairs.match(/[0-9a-fA-F]{2}/g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (pair) => Number.parseInt(pair, 16)));
}

const QUOTED_BYTES = /(?:=[0-9A-F]{2})+/g;

/** Decodes quoted-printable as in mail: `=3C`, and soft line breaks after `=`. */
export function decodeQuotedPrintable(text: string): string {
  if (!/=(?:\r?\n|[2-7][0-9A-F]|[C-F][0-9A-F]=[89AB])/.test(text)) return text;
  return text.replace(/=\r?\n/g, "").replace(QUOTED_BYTES, decodeHex);
}

/** Undoubles the quotes that CSV and SQL double. */
export function decodeDoubledQuotes(text: string): string {
  return text.includes('""') || text.includes("''") ? text.replaceAll('""', '"').replaceAll("''", "'") : text;
}

/** Inline elements of a page or a syntax highlighter, which do not separate words. */
const INLINE =
  /<\/?(?:span|code|pre|b|i|u|em|strong|font|mark|samp|kbd|tt|a|small|big|sub|sup|ins|del|wbr|tbody|thead|table|body|html|blockquote|ul|ol|section|article|main)(?:\s[^<>]{0,512})?\/?>/gi;
/** Elements that end a line, and elements that end a table cell. */
const BLOCK = /<(?:br|\/?(?:tr|p|div|li|h[1-6]|hr))(?:\s[^<>]{0,512})?\/?>/gi;
const CELL = /<\/?t[dh](?:\s[^<>]{0,512})?>/gi;
const PAGE = /<(?:span|br|td|div|code|pre|font|mark|p|li|b|i|em|strong|kbd|samp|tt)[\s>/]/i;

/** Returns the text of a page without its elements. */
export function stripPageElements(text: string): string {
  return PAGE.test(text) ? text.replace(INLINE, "").replace(CELL, "\t").replace(BLOCK, "\n") : text;
}

function character(code: number): string | undefined {
  if (Number.isNaN(code) || code > 0x10ffff) return undefined;
  return String.fromCodePoint(code);
}

/** A line of `hexdump -C` or `xxd`: an offset, then single bytes or pairs of bytes. */
const DUMP_LINE = /^[ \t]{0,8}[\da-fA-F]{4,16}:?[ \t]{1,4}((?:(?:[\da-fA-F]{2}){1,2}(?:[ \t]{1,3}|$)){1,17})/;
const MAX_LINE_CHARS = 128;
/** The bytes of a line. The line as text, which follows, may begin with a pair of digits too. */
const DUMPED_BYTES = /^(?:\s*[\da-fA-F]{2}){1,16}/;

/** Replaces the lines of a hex dump with the text they show. */
export function decodeHexDump(text: string): string {
  const decoded: string[] = [];
  let dump = "";
  let isAny = false;
  for (const line of [...text.split("\n"), undefined]) {
    const shown = line !== undefined && line.length <= MAX_LINE_CHARS ? DUMP_LINE.exec(line)?.[1] : undefined;
    if (shown !== undefined) {
      isAny = true;
      dump += DUMPED_BYTES.exec(shown)?.[0] ?? "";
      continue;
    }
    if (dump !== "") decoded.push(decodeHex(dump));
    dump = "";
    if (line !== undefined) decoded.push(line);
  }
  return isAny ? decoded.join("\n") : text;
}

/** The beginning of a dump line, up to `MIN_DUMP_GROUPS`. */
const DUMP_START = /^[ \t]{0,8}[\da-fA-F]{4,16}:?[ \t]{1,4}(?:(?:[\da-fA-F]{2}){1,2}[ \t]{1,3}){4}/;
/** This many consecutive groups of 2 or 4 characters are rare in other texts. */
export const MIN_DUMP_GROUPS = 6;
/** Longer than the offset and that many groups. */
const MAX_START_CHARS = 64;

/** Whether `at` is in a dump line, after its first groups. */
export function isInDump(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_START_CHARS), at);
  return DUMP_START.test(before.slice(before.lastIndexOf("\n") + 1));
}
