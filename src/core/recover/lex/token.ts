import { NEED_MORE, Text } from "../../text/cursor.ts";

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

export const MINIMAX_PREFIX = "]<]minimax[>[";
const MAX_TOKEN = 64;
const MAX_TAG = 4096;
const MAX_VALUE = 512;
const SEP = "<|sep|>";
/** Tags behind whose name Hunyuan writes an id: `<arg_key:6a1f>`. What precedes a colon elsewhere is a namespace. */
const SUFFIXED: ReadonlySet<string> = new Set(["tool_calls", "tool_call", "tool_sep", "arg_key", "arg_value"]);

export const isBar = (c: number): boolean => c === 0x7c || c === 0xff5c || c === 0x2016;
const isBlank = (c: number): boolean => c === 32 || c === 9 || c === 0x120;
const isBarOrBlank = (c: number): boolean => isBar(c) || isBlank(c);
/** `>`, `<` and line breaks end a name. */
const isInTag = (c: number): boolean => c !== 62 && c !== 60 && c !== 10;

/** Letters, digits, `_`, `-`, `.` and everything beyond ASCII that is not one of the bars. */
export function isNameChar(c: number): boolean {
  if (c < 128)
    return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 45 || c === 46;
  return !isBar(c) && c !== 0x120 && c !== 0xa0;
}

/** The token at `p`, where the character is `<` or the `]` of MiniMax's prefix. `null`: no token. */
export function tokenAt(source: Text, p: number): Token | null {
  let i = p;
  let skin = "";
  if (source.at(i) === "]") {
    if (!source.startsWith(MINIMAX_PREFIX, i)) return null;
    skin = MINIMAX_PREFIX;
    i += MINIMAX_PREFIX.length;
  }
  if (source.at(i) !== "<") return null;
  i += 1;
  const close = source.at(i) === "/";
  if (close) {
    i += 1;
    // `</ f>`, also broken over two lines; bars with blanks are for below.
    const blank = source.skipWhile(i, 4, (c) => c <= 32);
    if (blank > i && isNameChar(codeAt(source, blank))) i = blank;
  }
  const c = codeAt(source, i);
  // DeepSeek's bars arrive with blanks around them.
  if (isBar(c) || (isBlank(c) && isBar(codeAt(source, i + 1)))) return specialToken(source, p, i, close);
  return isNameChar(c) ? tag(source, { start: p, close, skin }, i) : null;
}

/** Whether a token begins at `at` and the complete text ends before it does. */
export function isCutToken({ text, length, final }: Text, at: number): boolean {
  if (!final) return false;
  try {
    tokenAt(new Text(text, false, length), at);
    return false;
  } catch (error) {
    if (error === NEED_MORE) return true;
    throw error;
  }
}

/** -1 at the end of the text. */
function codeAt(source: Text, i: number): number {
  return source.isEnd(i) ? -1 : source.text.charCodeAt(i);
}

interface Start {
  readonly start: number;
  readonly close: boolean;
  readonly skin: string;
}

function specialToken(source: Text, p: number, from: number, close: boolean): Token | null {
  const { text } = source;
  let i = source.skipWhile(from, MAX_TOKEN, isBarOrBlank);
  if (text.slice(i, i + 4).toUpperCase() === "DSML") {
    i = source.skipWhile(i + 4, MAX_TOKEN, isBarOrBlank);
    // The closing slash may be on either side of the bars.
    const isClose = source.at(i) === "/";
    return tag(source, { start: p, close: close || isClose, skin: "dsml" }, isClose ? i + 1 : i);
  }
  const end = source.skipWhile(i, MAX_TOKEN, isInTag);
  if (source.at(end) !== ">" || end - from >= MAX_TOKEN) return null;
  const both = isBar(text.charCodeAt(end - 1));
  const name = text
    .slice(i, both ? trimBars(text, end) : end)
    .replaceAll("▁", "_")
    .trim()
    .replaceAll("\\_", "_")
    .replaceAll(" ", "_")
    .toLowerCase();
  if (both && (name === "open" || name === "close")) return openOrClose(source, p, end + 1, name === "close");
  const key = both ? `|${name}|` : `|${name}`;
  return { kind: "token", key, close, self: false, attributes: "", skin: "", start: p, end: end + 1 };
}

function trimBars(text: string, end: number): number {
  while (end > 0 && isBar(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** `<|open|>name attributes<|sep|>`: tags in special tokens. */
function openOrClose(source: Text, start: number, from: number, close: boolean): Token | null {
  const sep = source.find(SEP, from, MAX_TAG);
  if (sep === -1) return null;
  const inner = ungluedTag(source.text.slice(from, sep).trim(), close);
  const blank = inner.search(/\s/);
  const key = (blank === -1 ? inner : inner.slice(0, blank)).toLowerCase();
  const attributes = blank === -1 ? "" : inner.slice(blank);
  return { kind: "token", key, close, self: false, attributes, skin: "xtml", start, end: sep + SEP.length };
}

/** `toolscall tool="f"`, `toolsmessage`: two tags whose tokens in between were lost. The inner one counts. */
function ungluedTag(inner: string, close: boolean): string {
  const outer = /^tools(?=call\s|message$)/.exec(inner)?.[0];
  return outer === undefined ? inner : close ? outer : inner.slice(outer.length);
}

function tag(source: Text, { start, close, skin: prefix }: Start, nameAt: number): Token | null {
  const { text } = source;
  const firstEnd = source.skipWhile(nameAt, MAX_TOKEN * 2, isNameChar);
  const hasColon = prefix === "" && source.at(firstEnd) === ":";
  const from = hasColon ? firstEnd + 1 : nameAt;
  const i = hasColon ? source.skipWhile(from, MAX_TOKEN * 2, isNameChar) : firstEnd;
  if (i === from || i - nameAt >= MAX_TOKEN * 2 || source.isEnd(i)) return null;
  const first = text.slice(nameAt, firstEnd).toLowerCase();
  const isNamespaced = hasColon && !SUFFIXED.has(first);
  const skin = isNamespaced ? text.slice(nameAt, from) : prefix;
  const key = isNamespaced ? text.slice(from, i).toLowerCase() : first;
  const head = { kind: "token", key, close, self: false, attributes: "", skin, start } as const;
  const c = text.charCodeAt(i);
  if (c === 62) return { ...head, end: i + 1 };
  if (isBar(c)) return source.at(i + 1) === ">" ? { ...head, key: `${key}|`, end: i + 2 } : null;
  // `<function(f)>`
  if (c === 40 && key === "function" && !close) {
    const called = tagValue(source, head, i + 1);
    if (called?.value?.endsWith(")")) return { ...called, value: called.value.slice(0, -1) };
    return called !== null && source.at(called.end) === "{" ? called : null;
  }
  // `<function = f>`: blanks around the sign.
  const sign = source.skipWhile(i, 4, isBlank);
  return source.at(sign) === "=" ? tagValue(source, head, sign + 1) : tagAttributes(source, head, i);
}

type Head = Omit<Token, "end">;

/** The rest of `<function=f>`; a line break ends a name whose `>` was lost. */
function tagValue(source: Text, head: Head, from: number): Token | null {
  const { text } = source;
  const isCall = head.key === "function" && !head.close;
  const i = source.skipWhile(from, MAX_VALUE, (c) => isInTag(c) && !(isCall && c === 123));
  // `<function=f{"a": 1}</function>`: the arguments begin before the tag has ended.
  if (source.at(i) === "{" && i > from) {
    const name = text.slice(from, i).replace(/[\s,:=)]{1,8}$/, "");
    return /^[\w.:-]+$/.test(name) ? { ...head, value: name, end: i } : null;
  }
  if ((source.at(i) !== ">" && source.at(i) !== "\n") || i - from >= MAX_VALUE) return null;
  const self = text.charCodeAt(i - 1) === 47;
  const raw = text.slice(from, self ? i - 1 : i).trim();
  // `<function="f" id="1">`: what follows the quoted name are attributes.
  const quoted = /^(["'])([^"']*)\1/.exec(raw);
  const value = quoted === null ? raw : (quoted[2] as string);
  const attributes = quoted === null ? "" : raw.slice(quoted[0].length);
  const key = head.key;
  // Blanks lost by a tokenizer: `<functionname="f">`.
  if (key.length > 4 && key.endsWith("name") && quoted !== null)
    return { ...head, key: key.slice(0, -4), attributes: ` name="${value}"${attributes}`, self, end: i + 1 };
  return { ...head, value: value.trim(), attributes, self, end: i + 1 };
}

function tagAttributes(source: Text, head: Head, from: number): Token | null {
  const first = source.at(from);
  if (!isBlank(first.charCodeAt(0)) && first !== "\n" && first !== "\r" && first !== "/") return null;
  // `<functioncall {"name": …}>`: the body stands where attributes should.
  const body = source.skipWhile(from, 8, (c) => c <= 32);
  if (!head.close && body > from && source.startsWith('{"', body)) return { ...head, end: body };
  let quote = 0;
  const i = source.skipWhile(from, MAX_TAG, (c) => {
    if (quote === 0 && (c === 62 || c === 60)) return false;
    if (quote !== 0) quote = c === quote ? 0 : quote;
    else if (c === 34 || c === 39) quote = c;
    return true;
  });
  // `<f` and its parameters on the next lines: the bracket was lost.
  const before = source.text.slice(from, i);
  const isLost = source.at(i) === "<" && !head.close && before.includes("\n") && before.trim() === "";
  if (isLost) return { ...head, end: i };
  if (source.at(i) !== ">" || i - from >= MAX_TAG) return null;
  const self = source.text.charCodeAt(i - 1) === 47;
  return { ...head, attributes: source.text.slice(from, self ? i - 1 : i), self, end: i + 1 };
}

/** End of the comment or processing instruction at `at`, which carries no data for the tool, or undefined. */
export function commentEnd(source: Text, at: number): number | undefined {
  if (source.at(at) !== "<") return undefined;
  const closer = source.startsWith("<!--", at) ? "-->" : source.startsWith("<?", at) ? "?>" : undefined;
  if (closer === undefined) return undefined;
  const end = source.find(closer, at + 2, Number.POSITIVE_INFINITY);
  return end === -1 ? undefined : end + closer.length;
}

/** Keys are lower-cased for the tables; a parameter keeps its own spelling. */
export function originalCase(text: string, token: Token): string {
  const raw = text.slice(token.start, token.end).toLowerCase();
  const at = raw.indexOf(token.key);
  // Lower-casing may change lengths beyond ASCII: then the key as it is has to do.
  if (at === -1 || raw.length !== token.end - token.start) return token.key;
  return text.slice(token.start + at, token.start + at + token.key.length);
}

/** Whether the tag carries a name: `<function=f>`, `<invoke name="f">`. */
export function isNamed(token: Token): boolean {
  return token.value !== undefined || token.attributes !== "";
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Decodes the entities of HTML and XML that models write, once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,5});/g, (whole, name: string) => {
    if (name[0] !== "#") return NAMED[name] ?? whole;
    const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

// The lookbehind keeps it linear: a name is tried only where one starts.
// A quote inside a value does not end it, so the value is unknown.
const ATTRIBUTE =
  /(?<![\w:.-])([\w:.-]+)\s{0,8}=\s{0,8}(?:(?:"([^"]*)"|'([^']*)')(?=[\s/]|$|[\w:.-]{1,64}=)|([^\s"'>]+))/g;

/** The attributes of a tag, entities decoded. */
export function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (text.trim() === "") return found;
  for (const match of text.replaceAll("Ġ", " ").matchAll(ATTRIBUTE)) {
    found.set((match[1] as string).toLowerCase(), decodeEntities(match[2] ?? match[3] ?? match[4] ?? ""));
  }
  return found;
}
