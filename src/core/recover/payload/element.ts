import { isCutToken, isNamed, MINIMAX_PREFIX, type Token, tokenAt } from "../lex/token.ts";
import type { Source } from "./payload.ts";
import { CALL_ELEMENTS, KEY_ELEMENTS, PARAMETER_ELEMENTS, VALUE_ELEMENTS, WRAPPERS } from "./vocabulary.ts";

/** The text of an element. `end` is behind its closer, if it has one. `isCut`: the text ends in the element. */
export interface ElementRead {
  readonly raw: string;
  readonly end: number;
  readonly isClosed: boolean;
  readonly isCut: boolean;
}

/** What an element is part of, and what may follow it. */
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
  /** Whether the words at `at` may follow the closer. */
  readonly followsWord?: (at: number) => boolean;
  /** Whether this tag ends a value that lost its closer. */
  readonly cuts: (token: Token, startsLine: boolean) => boolean;
}

/** The place of a parameter that carries its name. */
export function parameterPlace(
  token: Token,
  parent: string,
  declared: (token: Token) => boolean = () => false,
): ElementPlace {
  const isPart = VALUE_ELEMENTS.has(token.key) || KEY_ELEMENTS.has(token.key);
  const isSibling = (other: Token): boolean =>
    isPart
      ? KEY_ELEMENTS.has(other.key) || VALUE_ELEMENTS.has(other.key)
      : PARAMETER_ELEMENTS.has(other.key) && isNamed(other);
  return {
    key: token.key,
    closers: isPart ? new Set([token.key]) : PARAMETER_ELEMENTS,
    parent,
    skin: token.skin,
    follows: isSibling,
    cuts: (other, startsLine) => isSibling(other) && (startsLine || declared(other)),
  };
}

/** The next place a tag can start, or -1. */
function nextTag(text: string, from: number, skin: string): number {
  return text.indexOf(skin === MINIMAX_PREFIX ? MINIMAX_PREFIX : "<", from);
}

/**
 * Reads the value of an element up to the closer that is followed by what may follow it. A closer in the middle of a
 * value (documentation of the very format, say) is not followed so; a call inside the value keeps its own parameters. A
 * value that lost its closer ends at the closer of its parent, or at the next element that can only be its sibling.
 */
export function readElement(source: Source, from: number, place: ElementPlace): ElementRead {
  return new ElementReader(source, from, place).read();
}

class ElementReader {
  private readonly source: Source;
  private readonly from: number;
  private readonly place: ElementPlace;
  /** Parameters share one closer: the next one decides, and none is nested in another. */
  private readonly isParameter: boolean;
  /** Calls that are open inside the value, and how many of each kind: a long list is not searched. */
  private readonly inner: string[] = [];
  private readonly open = new Map<string, number>();
  /** Elements inside the value that are called like it or its parent. */
  private depth = 0;
  /** The first closer with text behind it: used when nothing better comes. */
  private fallback: Token | undefined;
  /** Where a sibling begins before any closer. */
  private cutAt: number | undefined;
  /** The first closer of the parent with text behind it: used when nothing better comes. */
  private parentAt: number | undefined;
  /** What the value is if its own closer is lost: it ends at the closer of its parent. */
  private lost: ElementRead | undefined;
  /** Parameters that were opened behind that closer. */
  private others = 0;

  constructor(source: Source, from: number, place: ElementPlace) {
    this.source = source;
    this.from = from;
    this.place = place;
    this.isParameter = PARAMETER_ELEMENTS.has(place.key);
  }

  read(): ElementRead {
    const { source, from, place } = this;
    const { text, length } = source;
    // Each value may look as far as the end of the text: all of them together may not.
    if (source.reading.ahead.left < 0) return this.cutOff();
    const start = text.startsWith("<![CDATA[", source.skipBlanks(from)) ? source.find("]]>", from, length) : from;
    if (start === -1) return this.cutOff();
    for (let i = nextTag(text, start, place.skin); i !== -1; i = nextTag(text, i, place.skin)) {
      const token = tokenAt(source, i);
      if (token === null) {
        i += 1;
        continue;
      }
      const found = this.isInner(token) ? undefined : token.close ? this.takeCloser(token) : this.takeOpener(token);
      if (found !== undefined) return found;
      i = token.end;
    }
    source.isEnd(length);
    return this.atEnd();
  }

  /** Whether the token belongs to a call inside the value. */
  private isInner(token: Token): boolean {
    const { inner, open } = this;
    const { key } = token;
    if (!token.close && !token.self && isNamed(token) && CALL_ELEMENTS.has(key) && key !== this.place.parent) {
      inner.push(key);
      open.set(key, (open.get(key) ?? 0) + 1);
      return true;
    }
    if (!token.close || (open.get(key) ?? 0) === 0) return inner.length > 0;
    for (let last = inner.pop(); last !== undefined; last = inner.pop()) {
      open.set(last, (open.get(last) ?? 1) - 1);
      if (last === key) break;
    }
    return true;
  }

  private takeCloser(token: Token): ElementRead | undefined {
    const { place } = this;
    if (token.skin !== place.skin && token.skin !== "" && place.skin !== "") return undefined;
    if (place.closers.has(token.key)) {
      if (this.lost !== undefined && this.depth === 0 && this.others > 0) this.others -= 1;
      else if (this.depth > 0 && token.key === place.key && !this.isParameter) this.depth -= 1;
      else {
        const follows = this.isFollowed(token.end);
        if (follows && this.depth === 0) return this.closedBy(token);
        if (this.depth === 0) this.fallback ??= token;
      }
    } else if (token.key === place.parent) {
      if (this.depth > 0) this.depth -= 1;
      // The tag may be inside the value: then the value's own closer comes later.
      else if (this.isFollowed(token.end)) this.lost ??= this.unclosed(this.cutAt ?? token.start);
      else this.parentAt ??= token.start;
    }
    return undefined;
  }

  private takeOpener(token: Token): ElementRead | undefined {
    const { place, lost, depth } = this;
    if (lost !== undefined && depth === 0 && !token.self && isNamed(token) && PARAMETER_ELEMENTS.has(token.key))
      this.others += 1;
    else if (!token.self && (token.key === place.parent || (token.key === place.key && !this.isParameter)))
      this.depth += 1;
    else if (depth === 0 && lost === undefined && this.cutAt === undefined) {
      if (!place.cuts(token, startsLine(this.source.text, token.start))) return undefined;
      // An element still waits for its own closer.
      if (this.isParameter) return this.charge(token.start, this.unclosed(token.start));
      this.cutAt = token.start;
    }
    return undefined;
  }

  /** The value when the text has ended without a closer that is followed as it should be. */
  private atEnd(): ElementRead {
    const { lost, fallback, parentAt, source } = this;
    // Without any closer of the parent the value may go on: it is cut off, not closed by what follows.
    const found =
      lost ??
      (fallback === undefined && parentAt === undefined ? undefined : this.unclosed(this.cutAt ?? parentAt ?? 0));
    return found === undefined ? this.cutOff() : this.charge(source.length, found);
  }

  /** Charges the text that was looked at behind the value. */
  private charge(lookedTo: number, read: ElementRead): ElementRead {
    this.source.reading.ahead.left -= lookedTo - read.end;
    return read;
  }

  private closedBy(token: Token): ElementRead {
    const raw = this.source.text.slice(this.from, token.start);
    return { raw, end: token.end, isClosed: true, isCut: false };
  }

  private unclosed(end: number): ElementRead {
    if (this.fallback !== undefined) return this.closedBy(this.fallback);
    return { raw: this.source.text.slice(this.from, end), end, isClosed: false, isCut: false };
  }

  private cutOff(): ElementRead {
    const { text, length } = this.source;
    return { raw: text.slice(this.from), end: length, isClosed: false, isCut: true };
  }

  /** Whether, after whitespace, the text ends or a tag follows that may come after a value. */
  private isFollowed(from: number): boolean {
    const { source, place } = this;
    const at = source.skipBlanks(from);
    const c = source.at(at);
    if (c === "") return true;
    if (c !== "<" && c !== "]") return place.followsWord?.(at) === true;
    const token = tokenAt(source, at);
    // A tag cut off by the end of the text: nothing else can have been meant.
    if (token === null)
      return source.length - at < 40 && /^<\/?[\w:|｜-]*$/.test(source.text.slice(at)) && isCutToken(source, at);
    const { key } = token;
    if (key.includes("|") || key === place.parent || place.closers.has(key)) return true;
    if (CALL_ELEMENTS.has(key) || WRAPPERS.has(key)) return true;
    return !token.close && (place.follows(token) || KEY_ELEMENTS.has(key));
  }
}

function startsLine(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text[i] === " " || text[i] === "\t")) i -= 1;
  return i < 0 || text[i] === "\n" || text[i] === ">";
}
