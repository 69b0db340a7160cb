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

/** Removes only the backslashes that Markdown needs before its punctuation. */
export function decodeMarkdown(text: string): string {
  return text.includes("\\") ? text.replace(/\\([<>[\]_*{}#|`()!~+.-])/g, "$1") : text;
}

/** A single encoded byte in a word is a percentage or a path with a space, not a call. */
const MIN_ENCODED_BYTES = 2;

/** How far before its first encoded byte a word is examined. */
const MAX_HEAD_CHARS = 256;

/** Decodes words with enough percent encoding; a plus sign in them is a space. */
export function decodePercent(text: string): string {
  let decoded = "";
  let from = 0;
  for (let at = text.indexOf("%"); at !== -1; at = text.indexOf("%", at)) {
    const head = wordStart(text, at, Math.max(from, at - MAX_HEAD_CHARS));
    const end = wordEnd(text, at);
    const word = text.slice(head, end);
    if ((word.match(ENCODED_BYTE)?.length ?? 0) >= MIN_ENCODED_BYTES || ENCODED_LETTER.test(word)) {
      decoded += text.slice(from, head) + word.replaceAll("+", " ").replace(ENCODED_BYTES, decodeBytes);
      from = end;
    }
    at = end;
  }
  return decoded + text.slice(from);
}

const ENCODED_BYTE = /%[0-9a-fA-F]{2}/g;
/** Encoded letters are a sign of obfuscation, because letters never need encoding. */
const ENCODED_LETTER = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;
const ENCODED_BYTES = /(?:%[0-9a-fA-F]{2})+/g;
const BLANK = /\s/g;

function wordStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) > 32) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  BLANK.lastIndex = at;
  return BLANK.test(text) ? BLANK.lastIndex - 1 : text.length;
}

function decodeBytes(run: string): string {
  const bytes = new Uint8Array(run.length / 3);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(run.slice(at * 3 + 1, at * 3 + 3), 16);
  return new TextDecoder().decode(bytes);
}

const QUOTED_BYTES = /(?:=[0-9A-F]{2})+/g;

/** Decodes quoted-printable as in mail: `=3C`, and soft line breaks after `=`. */
export function decodeQuotedPrintable(text: string): string {
  if (!/=(?:\r?\n|[2-7][0-9A-F]|[C-F][0-9A-F]=[89AB])/.test(text)) return text;
  return text.replace(/=\r?\n/g, "").replace(QUOTED_BYTES, decodeBytes);
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
