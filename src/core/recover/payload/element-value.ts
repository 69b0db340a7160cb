import { skipWhitespace } from "../json/read-string.ts";
import { lexToken, MINIMAX_PREFIX, type Token } from "../lex/token.ts";
import type { Source } from "./payload.ts";
import { CALL_ELEMENTS, KEY_ELEMENTS, PARAMETER_ELEMENTS, VALUE_ELEMENTS, WRAPPERS } from "./vocabulary.ts";

/** The text of an element. `end` is behind its closer, if it has one. */
export type ElementRead =
  | { readonly kind: "value"; readonly raw: string; readonly end: number; readonly closed: boolean }
  | { readonly kind: "more" }
  | { readonly kind: "open"; readonly raw: string };

export interface ElementPlace {
  /** Key of the element itself. */
  readonly key: string;
  /** Keys that close it, its own among them. */
  readonly closers: ReadonlySet<string>;
  /** Key of the element around it: its closer ends a value that lost its own. */
  readonly parent: string;
  readonly skin: string;
  /** Whether this tag may follow the closer. */
  readonly follows: (token: Token) => boolean;
  /** Whether the words at `at` may follow the closer. `undefined`: more text is needed. */
  readonly followsWord?: (at: number) => boolean | undefined;
  /** Does this tag end a value that lost its closer? */
  readonly cuts: (token: Token, startsLine: boolean) => boolean;
}

/** The next place a tag can start, or -1. */
export function nextTag(text: string, from: number, skin: string): number {
  return text.indexOf(skin === MINIMAX_PREFIX ? MINIMAX_PREFIX : "<", from);
}

/**
 * Reads the value of an element up to the closer that is followed by what may follow it. A closer in the middle of a
 * value (documentation of the very format, say) is not followed so; a call inside the value keeps its own parameters.
 */
export function readElement(source: Source, from: number, place: ElementPlace): ElementRead {
  const { text, final, ahead } = source;
  // Each value may look as far as the end of the text: all of them together may not.
  if (ahead.left < 0) return { kind: "open", raw: text.slice(from) };
  const lookedTo = (upTo: number, read: ElementRead): ElementRead => {
    if (read.kind === "value") ahead.left -= upTo - read.end;
    return read;
  };
  let fallback: Token | undefined;
  let cut: number | undefined;
  /** Calls that are open inside the value, and how many of each kind: a long list is not searched. */
  const inner: string[] = [];
  const open = new Map<string, number>();
  let depth = 0;
  /** A closer of the parent with text behind it: used when nothing better comes. */
  let parentAt: number | undefined;
  /** What the value is if its own closer is lost: it ends at the closer of its parent. */
  let lost: ElementRead | undefined;
  /** Parameters that were opened behind that closer. */
  let others = 0;
  let i = from;
  const unclosed = (end: number): ElementRead =>
    fallback === undefined
      ? { kind: "value", raw: text.slice(from, end), end, closed: false }
      : fallBack(text, from, fallback);
  const cdata = skipWhitespace(text, from, text.length);
  if (text.startsWith("<![CDATA[", cdata)) {
    const end = text.indexOf("]]>", cdata);
    if (end === -1) return final ? { kind: "open", raw: text.slice(from) } : { kind: "more" };
    i = end;
  }
  for (i = nextTag(text, i, place.skin); i !== -1; i = nextTag(text, i, place.skin)) {
    const token = lexToken(text, i, final);
    if (token === "more") return { kind: "more" };
    if (token === null) {
      i += 1;
      continue;
    }
    const named = token.value !== undefined || token.attributes !== "";
    if (!token.close && !token.self && named && CALL_ELEMENTS.has(token.key) && token.key !== place.parent) {
      inner.push(token.key);
      open.set(token.key, (open.get(token.key) ?? 0) + 1);
    } else if (token.close && (open.get(token.key) ?? 0) > 0) {
      for (let last = inner.pop(); last !== undefined; last = inner.pop()) {
        open.set(last, (open.get(last) ?? 1) - 1);
        if (last === token.key) break;
      }
    } else if (inner.length > 0) {
      // It belongs to a call inside the value.
    } else if (lost !== undefined && depth === 0 && isParameter(token)) {
      others += 1;
    } else if (token.close && place.closers.has(token.key) && sameSkin(token, place)) {
      if (lost !== undefined && depth === 0 && others > 0) others -= 1;
      else if (depth > 0 && token.key === place.key && !PARAMETER_ELEMENTS.has(place.key)) depth -= 1;
      else {
        const follows = followedByMarkup(source, token.end, place);
        if (follows === undefined) return { kind: "more" };
        if (follows && depth === 0) return { kind: "value", raw: text.slice(from, i), end: token.end, closed: true };
        if (depth === 0) fallback ??= token;
      }
    } else if (token.close && token.key === place.parent && sameSkin(token, place)) {
      if (depth > 0) depth -= 1;
      else {
        const follows = followedByMarkup(source, token.end, place);
        if (follows === undefined) return { kind: "more" };
        // The tag may be inside the value: then the value's own closer comes later.
        if (follows) lost ??= unclosed(cut ?? i);
        else parentAt ??= i;
      }
    } else if (
      !token.close &&
      !token.self &&
      (token.key === place.parent || (token.key === place.key && !PARAMETER_ELEMENTS.has(place.key)))
    ) {
      depth += 1;
    } else if (
      !token.close &&
      depth === 0 &&
      lost === undefined &&
      cut === undefined &&
      place.cuts(token, startsLine(text, i))
    ) {
      // Parameters share one closer, so the next one decides; an element still waits for its own.
      if (PARAMETER_ELEMENTS.has(place.key)) return lookedTo(i, unclosed(i));
      cut = i;
    }
    i = token.end;
  }
  if (!final) return { kind: "more" };
  if (lost !== undefined) return lookedTo(text.length, lost);
  // Without any closer of the parent the value may go on: it is cut off, not closed by what follows.
  const cutAt = parentAt === undefined ? undefined : (cut ?? parentAt);
  if (fallback === undefined && cutAt !== undefined) return lookedTo(text.length, unclosed(cutAt));
  return fallback === undefined
    ? { kind: "open", raw: text.slice(from) }
    : lookedTo(text.length, fallBack(text, from, fallback));
}

function isParameter(token: Token): boolean {
  const named = token.value !== undefined || token.attributes !== "";
  return !token.close && !token.self && named && PARAMETER_ELEMENTS.has(token.key);
}

function fallBack(text: string, from: number, token: Token): ElementRead {
  return { kind: "value", raw: text.slice(from, token.start), end: token.end, closed: true };
}

function sameSkin(token: Token, place: ElementPlace): boolean {
  return token.skin === place.skin || token.skin === "" || place.skin === "";
}

function startsLine(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text[i] === " " || text[i] === "\t")) i -= 1;
  return i < 0 || text[i] === "\n" || text[i] === ">";
}

/** Whether, after whitespace, the text ends or a tag follows that may come after a value. */
function followedByMarkup(source: Source, from: number, place: ElementPlace): boolean | undefined {
  const { text, final } = source;
  const at = skipWhitespace(text, from, text.length);
  if (at >= text.length) return final ? true : undefined;
  const c = text[at];
  if (c !== "<" && c !== "]") return place.followsWord === undefined ? false : place.followsWord(at);
  const token = lexToken(text, at, final);
  if (token === "more") return undefined;
  // A tag cut off by the end of the text: nothing else can have been meant.
  if (token === null)
    return (
      final && text.length - at < 40 && /^<\/?[\w:|｜-]*$/.test(text.slice(at)) && lexToken(text, at, false) === "more"
    );
  if (token.key.includes("|")) return true;
  if (token.key === place.parent || place.closers.has(token.key)) return true;
  if (token.close) return CALL_ELEMENTS.has(token.key) || WRAPPERS.has(token.key);
  return place.follows(token) || CALL_ELEMENTS.has(token.key) || WRAPPERS.has(token.key) || KEY_ELEMENTS.has(token.key);
}

/** The place of a parameter that carries its name. */
export function parameterPlace(
  token: Token,
  parent: string,
  skin: string,
  declared: (token: Token) => boolean = () => false,
): ElementPlace {
  const closers =
    VALUE_ELEMENTS.has(token.key) || KEY_ELEMENTS.has(token.key) ? new Set([token.key]) : PARAMETER_ELEMENTS;
  const pairs = closers !== PARAMETER_ELEMENTS;
  const sibling = (other: Token): boolean =>
    pairs
      ? KEY_ELEMENTS.has(other.key) || VALUE_ELEMENTS.has(other.key)
      : PARAMETER_ELEMENTS.has(other.key) && (other.value !== undefined || other.attributes !== "");
  return {
    key: token.key,
    closers,
    parent,
    skin,
    follows: sibling,
    cuts: (other, startsLine) => sibling(other) && (startsLine || declared(other)),
  };
}
