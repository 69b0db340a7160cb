import { foldLookAlikes } from "./look-alikes.ts";

/** Colors and other terminal codes; also those whose escape character a viewer wrote as two. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
const TERMINAL = /(?:\x1b|\^\[|\u241b)(?:\[[0-9;:?]{0,32}[A-Za-z]|\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
/** Characters without a shape: zero-width and direction marks, soft hyphens, variation selectors, tags, control characters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex lint/suspicious/noMisleadingCharacterClass: each of them alone is meant
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e01ef}]+/gu;
/** Tags: each is an invisible copy of a character of ASCII. */
const TAGS = /[\u{e0009}\u{e000a}\u{e0020}-\u{e007e}]+/gu;
/** Line ends of other alphabets. */
const LINE_ENDS = /\r\n?|[\x85\u2028\u2029]/g;

const NOT_PLAIN = /[^\t\n\x20-\x7e]/;

/** What a model reads in tags and a person does not see. It is no part of the word before it. */
export function decodeTags(text: string): string {
  if (!text.includes("\udb40")) return text;
  return text.replace(TAGS, (tags, at: number) => {
    const copied = Array.from(tags, copiedBy).join("");
    return /[A-Za-z0-9]/.test(text[at - 1] ?? "") ? `\n${copied}` : copied;
  });
}

function copiedBy(tag: string): string {
  return String.fromCharCode((tag.codePointAt(0) as number) - 0xe0000);
}

/** The text as a reader sees it: without what is invisible, in ASCII where it looks like it. The result is for comparison only. */
export function plainCharacters(text: string): string {
  if (!NOT_PLAIN.test(text) && !text.includes("^[")) return text;
  return foldLookAlikes(text.replace(TERMINAL, "").replace(INVISIBLE, "").replace(LINE_ENDS, "\n"));
}
