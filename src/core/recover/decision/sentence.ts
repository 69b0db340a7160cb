import { wordsOf } from "./words.ts";

/** Replaces each call in the text around another one. */
export const CALL_MARK = "\ufffc";

const SENTENCE_ENDS = ".!?。！？…";
/** How many joined calls share a lead-in. Longer sequences have lost it anyway. */
const MAX_SIBLINGS = 16;
const LINE_ENDS = `${SENTENCE_ENDS}:;：；`;

/** The sentence directly before a candidate. */
export interface LeadIn {
  /** The last sentence as plain words; "" without a sentence. */
  readonly words: string;
  /** The sentence is not terminated, so it introduces the candidate. */
  readonly introduces: boolean;
  /** The sentence ends with a colon, or is on the same line as the candidate. */
  readonly leadsDirectly: boolean;
  readonly endsWithColon: boolean;
  readonly isQuestion: boolean;
  /** The rest of the paragraph before the sentence, as written. */
  readonly earlier: string;
}

const NO_LEAD_IN: LeadIn = {
  words: "",
  introduces: false,
  leadsDirectly: false,
  endsWithColon: false,
  isQuestion: false,
  earlier: "",
};

/** A code fence that opens directly before the candidate is not part of the lead-in. */
const FENCE_LINE = /(?:^|\n)[ \t>]{0,8}[`~]{3,8}[\w-]{0,24}[ \t]{0,4}\n?$/;
/** The longest text that `FENCE_LINE` can match, rounded up. */
const MAX_FENCE_CHARS = 48;

/** Extracts the lead-in from the text before a candidate. Joined calls share the lead-in of the first one. */
export function leadIn(before: string): LeadIn {
  const text = withoutFence(beforeSiblings(before));
  const trimmed = text.trimEnd();
  const paragraph = lastParagraph(trimmed);
  const at = lastSentenceStart(paragraph);
  const sentence = paragraph.slice(at);
  const words = plainWords(sentence);
  if (words === "") return NO_LEAD_IN;
  const last = lastVisible(sentence);
  const onLine = !text.includes("\n", trimmed.length);
  const introduces = !SENTENCE_ENDS.includes(last);
  const endsWithColon = last === ":" || last === "：";
  return {
    words,
    introduces,
    leadsDirectly: introduces && (onLine || endsWithColon),
    endsWithColon,
    isQuestion: last === "?" || last === "？",
    earlier: paragraph.slice(0, at),
  };
}

export function firstSentence(text: string): string {
  const trimmed = text.trimStart();
  for (let i = 0; i < trimmed.length; i++) {
    const code = trimmed.charCodeAt(i);
    if (!mayEnd(code)) continue;
    if (code === 10 && (trimmed[i + 1] === "\n" || LINE_ENDS.includes(trimmed[i - 1] ?? "")))
      return trimmed.slice(0, i);
    if (endsSentence(trimmed, i)) return trimmed.slice(0, i + 1);
  }
  return trimmed;
}

/** Everything between two words except a single space. */
const NO_WORDS = /[^\p{L}\p{M}\p{N}'：:，、 ][^\p{L}\p{M}\p{N}'：:，、]*| [^\p{L}\p{M}\p{N}'：:，、]+/gu;

/**
 * Returns a sentence in lower case with a space before and after each word, without tags, punctuation and decoration.
 * Linear in the length of the text.
 */
export function plainWords(sentence: string): string {
  if (sentence === "") return "";
  const words = ` ${withoutTags(sentence)} `.toLowerCase().replace(/[’ʼ]/g, "'").replace(NO_WORDS, " ");
  const bare =
    words.includes("'") || words.includes(":")
      ? words.replace(/'(?<!\p{L}')|'(?!\p{L})|:(?=\s)/gu, " ").replace(/ {2,}/g, " ")
      : words;
  return bare === " " ? "" : bare;
}

/** Counts the words outside tags. */
export function countWords(text: string): number {
  const words = plainWords(text).trim();
  return words === "" ? 0 : words.split(" ").length;
}

/** Removes tags and special tokens, which carry no words. */
export function withoutTags(text: string): string {
  const untagged =
    text.includes("<") || text.includes("&lt;")
      ? text.replace(
          /<\|channel\|>(?:final|commentary|analysis)\b|<[/|｜]?[^<>\n]{0,200}>|&lt;[/|]?[\w|-]{1,48}&gt;|<[/|｜]?[\w:|-]{0,48}$/g,
          " ",
        )
      : text;
  return untagged.includes("[") ? untagged.replace(/\[\/?[A-Z_]{3,24}\]/g, " ") : untagged;
}

function withoutFence(text: string): string {
  return /[`~]{3}/.test(text.slice(-MAX_FENCE_CHARS)) ? text.replace(FENCE_LINE, "\n") : text;
}

/** Removes trailing calls and their connectors: "Never send A or B" applies to B too. */
function beforeSiblings(before: string): string {
  if (!before.includes(CALL_MARK)) return before;
  let text = before;
  for (let siblings = 0; siblings < MAX_SIBLINGS; siblings++) {
    const mark = text.lastIndexOf(CALL_MARK);
    if (mark === -1) return text;
    const between = text.slice(mark + 1);
    // Words before the first tag stay, whatever the tags are.
    if (MANY_WORDS.test(between.slice(0, between.search(TAG_SIGN)))) return between;
    if (!isConnector(withoutTags(between))) return between;
    text = text.slice(0, mark).trimEnd();
  }
  return text;
}

/** Where text that holds no tag ends: see {@link withoutTags}. */
const TAG_SIGN = /[<[&]/;
/** How far behind its end a sentence is looked at. */
const MAX_SENTENCE_TAIL = 6;

/** The first sentence of a text without its tags. Mostly it ends before the first tag. */
export function firstPlainSentence(text: string): string {
  const trimmed = text.trimStart();
  const sentence = firstSentence(trimmed);
  const isPlain = !TAG_SIGN.test(trimmed.slice(0, sentence.length + MAX_SENTENCE_TAIL + 1));
  return isPlain ? sentence : firstSentence(withoutTags(trimmed));
}

/** Whether a text between two calls only joins them. */
export function isConnector(between: string): boolean {
  const words = fewWords(between);
  return words === "" || CONNECTOR_WORDS.has(words);
}

/** Whether a text between two calls offers them as alternatives. */
export function offersChoice(between: string): boolean {
  return CHOICE_WORDS.has(fewWords(between));
}

const MANY_WORDS = /^[^\p{L}\p{N}]*(?:[\p{L}\p{N}]+[^\p{L}\p{N}]+){2}[\p{L}\p{N}]/u;

/** Returns the text as plain words, or "…" for more than two words, which never form a connector. */
function fewWords(text: string): string {
  if (MANY_WORDS.test(text)) return "…";
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const CHOICE_WORDS = wordsOf("choice");
const CONNECTOR_WORDS = wordsOf("join", "choice");

function lastParagraph(trimmed: string): string {
  const at = trimmed.lastIndexOf("\n\n");
  return trimmed.slice(trimmed.includes("\r") ? Math.max(at, trimmed.lastIndexOf("\n\r\n")) + 1 : at + 1);
}

function lastSentenceStart(text: string): number {
  for (let i = text.length - 2; i >= 0; i--) {
    if (!mayEnd(text.charCodeAt(i))) continue;
    if (endsSentence(text, i)) return i + 1;
    if (text[i] === "\n" && (LINE_ENDS.includes(text[i - 1] ?? "") || startsItem(text, i + 1))) return i + 1;
  }
  return 0;
}

/** Cheaply rules out nearly all characters that are neither a line break nor one of `SENTENCE_ENDS`. */
function mayEnd(code: number): boolean {
  return (code < 64 && code !== 32) || code > 0x2000;
}

/** Whether the character at `i` ends a sentence: end punctuation before a space that is not followed by lower case. */
function endsSentence(text: string, i: number): boolean {
  const c = text[i] as string;
  if ("。！？".includes(c)) return true;
  if (!SENTENCE_ENDS.includes(c)) return false;
  const next = text[i + 1];
  if (next === undefined || next === "\n") return true;
  if (next !== " ") return false;
  const following = text.slice(i + 1, i + 6).trimStart()[0];
  if (following === undefined) return true;
  // After an abbreviation ("e.g. this", "z. B.") the text continues in lower case, or the abbreviation is a single
  // letter.
  return following !== following.toLowerCase() || following === following.toUpperCase()
    ? !/(?:^|[\s.(])\p{L}$/u.test(text.slice(Math.max(0, i - 2), i))
    : false;
}

function startsItem(text: string, at: number): boolean {
  return /^[ \t]{0,8}(?:[-*+•#]|\d{1,3}[.)])[ \t]/.test(text.slice(at, at + 16));
}

function lastVisible(text: string): string {
  for (let i = text.length - 1; i >= 0; i--) {
    const c = text[i] as string;
    if (c.trim() !== "" && !"*_)\"'”»`~".includes(c)) return c;
  }
  return "";
}
