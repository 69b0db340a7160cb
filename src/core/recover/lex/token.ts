/** A tag or special token of any dialect, brought to one shape. */
export interface Token {
  readonly kind: "token";
  /** What tables are keyed by: `tool_call` for tags of any namespace, `|x|` for special tokens, `|x` and `x|` for half ones. */
  readonly key: string;
  readonly close: boolean;
  /** `<f/>` */
  readonly self: boolean;
  /** The text after `=` in `<function=f>`. */
  readonly value?: string;
  readonly attributes: string;
  /** The prefix every tag of the dialect carries: `antml:`, `｜DSML｜`, `]<]minimax[>[`… */
  readonly skin: string;
  readonly start: number;
  readonly end: number;
}

/** `more`: the text ends before the token does. `null`: no token here. */
export type Lexed = Token | "more" | null;

export const MINIMAX_PREFIX = "]<]minimax[>[";
const MAX_TOKEN = 64;
const MAX_TAG = 4096;
const SEP = "<|sep|>";

export const isBar = (c: number): boolean => c === 0x7c || c === 0xff5c || c === 0x2016;
const isBlank = (c: number): boolean => c === 32 || c === 9 || c === 0x120;

/** Letters, digits, `_`, `-`, `.` and everything beyond ASCII that is not one of the bars. */
export function isNameChar(c: number): boolean {
  if (c < 128)
    return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 45 || c === 46;
  return !isBar(c) && c !== 0x120 && c !== 0xa0;
}

/** Reads the token that starts at `p`; the character there is `<` or the `]` of MiniMax's prefix. */
export function lexToken(text: string, p: number, final: boolean): Lexed {
  let i = p;
  let skin = "";
  if (text.charCodeAt(i) === 93) {
    if (!text.startsWith(MINIMAX_PREFIX, i))
      return !final && MINIMAX_PREFIX.startsWith(text.slice(i, i + 13)) ? "more" : null;
    skin = MINIMAX_PREFIX;
    i += MINIMAX_PREFIX.length;
  }
  if (text.charCodeAt(i) !== 60) return i >= text.length && !final ? "more" : null;
  i += 1;
  let close = false;
  if (text.charCodeAt(i) === 47) {
    close = true;
    i += 1;
    // `</ f>`, also broken over two lines; bars with blanks are for below.
    let blank = i;
    while (blank - i < 4 && text.charCodeAt(blank) <= 32) blank += 1;
    if (blank > i && isNameChar(text.charCodeAt(blank))) i = blank;
  }
  if (i >= text.length) return final ? null : "more";
  const c = text.charCodeAt(i);
  if (isBar(c) || isBlank(c)) {
    // DeepSeek's bars arrive with blanks around them.
    if (isBlank(c) && i + 1 >= text.length && !final) return "more";
    return isBar(c) || isBar(text.charCodeAt(i + 1)) ? lexSpecial(text, p, i, close, final) : null;
  }
  if (!isNameChar(c)) return null;
  return lexTag(text, p, i, close, skin, final);
}

function lexSpecial(text: string, p: number, from: number, close: boolean, final: boolean): Lexed {
  let i = from;
  while (i < text.length && (isBar(text.charCodeAt(i)) || isBlank(text.charCodeAt(i)))) i += 1;
  const word = text.slice(i, i + 4);
  if (word.toUpperCase() === "DSML") {
    i += 4;
    while (i < text.length && (isBar(text.charCodeAt(i)) || isBlank(text.charCodeAt(i)))) i += 1;
    if (i >= text.length) return final ? null : "more";
    // The closing slash may be on either side of the bars.
    if (text.charCodeAt(i) === 47) {
      close = true;
      i += 1;
    }
    return lexTag(text, p, i, close, "dsml", final);
  }
  const stop = Math.min(text.length, from + MAX_TOKEN);
  let end = i;
  while (end < stop) {
    const c = text.charCodeAt(end);
    if (c === 62 || c === 60 || c === 10) break;
    end += 1;
  }
  if (end >= stop) return stop === text.length && !final ? "more" : null;
  if (text.charCodeAt(end) !== 62) return null;
  const both = isBar(text.charCodeAt(end - 1));
  const name = text
    .slice(i, both ? trimBars(text, end) : end)
    .replaceAll("▁", "_")
    .trim()
    .replaceAll("\\_", "_")
    .replaceAll(" ", "_")
    .toLowerCase();
  if (both && (name === "open" || name === "close")) return lexOpenClose(text, p, end + 1, name === "close", final);
  const key = both ? `|${name}|` : `|${name}`;
  return { kind: "token", key, close, self: false, attributes: "", skin: "", start: p, end: end + 1 };
}

function trimBars(text: string, end: number): number {
  while (end > 0 && isBar(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Kimi K3: `<|open|>name attributes<|sep|>`. */
function lexOpenClose(text: string, p: number, from: number, close: boolean, final: boolean): Lexed {
  const window = text.slice(from, from + MAX_TAG);
  const length = window.indexOf(SEP);
  if (length === -1) return !final && window.length < MAX_TAG ? "more" : null;
  const sep = from + length;
  const inner = window.slice(0, length).trim();
  const blank = inner.search(/\s/);
  const name = blank === -1 ? inner : inner.slice(0, blank);
  const attributes = blank === -1 ? "" : inner.slice(blank);
  return {
    kind: "token",
    key: name.toLowerCase(),
    close,
    self: false,
    attributes,
    skin: "xtml",
    start: p,
    end: sep + SEP.length,
  };
}

function lexTag(text: string, p: number, from: number, close: boolean, skin: string, final: boolean): Lexed {
  let i = from;
  const stop = Math.min(text.length, from + MAX_TOKEN * 2);
  while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  if (i < stop && text.charCodeAt(i) === 58 && skin === "") {
    skin = `${text.slice(from, i)}:`;
    from = i + 1;
    i = from;
    while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  }
  if (i >= stop) return stop === text.length && !final ? "more" : null;
  if (i === from) return null;
  const key = text.slice(from, i).toLowerCase();
  const c = text.charCodeAt(i);
  const token = { kind: "token", key, close, self: false, attributes: "", skin, start: p } as const;
  if (c === 62) return { ...token, end: i + 1 };
  if (isBar(c)) {
    if (i + 1 >= text.length) return final ? null : "more";
    return text.charCodeAt(i + 1) === 62 ? { ...token, key: `${key}|`, end: i + 2 } : null;
  }
  if (c === 61) return lexValue(text, token, i + 1, final);
  // `<function(f)>`
  if (c === 40 && key === "function" && !close) {
    const lexed = lexValue(text, token, i + 1, final);
    if (lexed === "more" || lexed === null) return lexed;
    return lexed.value?.endsWith(")") ? { ...lexed, value: lexed.value.slice(0, -1) } : null;
  }
  // `<function = f>`: blanks around the sign.
  let sign = i;
  while (sign - i < 4 && isBlank(text.charCodeAt(sign))) sign += 1;
  if (sign > i && text.charCodeAt(sign) === 61) return lexValue(text, token, sign + 1, final);
  return lexAttributes(text, token, i, final);
}

type Head = Omit<Token, "end">;

/** The rest of `<function=f>`; a line break ends a name whose `>` was lost. */
function lexValue(text: string, head: Head, from: number, final: boolean): Lexed {
  const stop = Math.min(text.length, from + 512);
  let i = from;
  while (i < stop) {
    const c = text.charCodeAt(i);
    if (c === 62 || c === 60 || c === 10) break;
    // `<function=f{"a": 1}</function>`: the arguments begin before the tag has ended.
    if (c === 123 && i > from && head.key === "function" && !head.close) {
      const name = text.slice(from, i).replace(/[\s,:]{1,8}$/, "");
      return /^[\w.:-]+$/.test(name) ? { ...head, value: name, end: i } : null;
    }
    i += 1;
  }
  if (i >= stop) return stop === text.length && !final ? "more" : null;
  if (text.charCodeAt(i) === 60) return null;
  const self = text.charCodeAt(i - 1) === 47;
  const raw = text.slice(from, self ? i - 1 : i).trim();
  // `<function="f" id="1">`: what follows the quoted name are attributes.
  const quoted = /^(["'])([^"']*)\1/.exec(raw);
  const value = quoted === null ? raw : (quoted[2] as string);
  const attributes = quoted === null ? "" : raw.slice(quoted[0].length);
  const key = head.key;
  // Blanks lost by a tokenizer: `<functionname="f">`.
  if (key.length > 4 && key.endsWith("name") && quoted !== null) {
    return { ...head, key: key.slice(0, -4), attributes: ` name="${value}"${attributes}`, self, end: i + 1 };
  }
  return { ...head, value: value.trim(), attributes, self, end: i + 1 };
}

function lexAttributes(text: string, head: Head, from: number, final: boolean): Lexed {
  const stop = Math.min(text.length, from + MAX_TAG);
  let quote = 0;
  let i = from;
  const first = text.charCodeAt(i);
  if (!isBlank(first) && first !== 10 && first !== 13 && first !== 47) return null;
  for (; i < stop; i++) {
    const c = text.charCodeAt(i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === 34 || c === 39) quote = c;
    else if (c === 62 || c === 60) break;
  }
  if (i >= stop) return stop === text.length && !final ? "more" : null;
  if (text.charCodeAt(i) === 60) return null;
  const self = text.charCodeAt(i - 1) === 47;
  return { ...head, attributes: text.slice(from, self ? i - 1 : i), self, end: i + 1 };
}

/**
 * End of the comment or processing instruction at `at`, which carries no data for the tool. `undefined`: none starts
 * here. `more`: the text ends before it does.
 */
export function commentEnd(text: string, at: number, final: boolean): number | "more" | undefined {
  if (text.charCodeAt(at) !== 60) return undefined;
  if (!final && text.length - at < 4 && "<!--".startsWith(text.slice(at))) return "more";
  const closer = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
  if (closer === undefined) return undefined;
  const end = text.indexOf(closer, at + 2);
  if (end !== -1) return end + closer.length;
  return final ? undefined : "more";
}
