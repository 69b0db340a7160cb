import type { Text } from "../../text/cursor.ts";
import { isCutToken, isNamed, MINIMAX_PREFIX, type Token, tokenAt } from "../lex/token.ts";
import type { Envelope, Source } from "./payload.ts";

/** Elements that hold one call and, in an attribute or after `=`, its name. */
export const CALL_ELEMENTS: ReadonlySet<string> = new Set([
  ...["function", "invoke", "call", "tool", "tool_use", "function_call", "tool_call", "longcat_tool_call", "toolcall"],
  ...["tool-call", "function-call", "tool-use"],
]);

/** Elements that hold one parameter and carry its name. */
export const PARAMETER_ELEMENTS: ReadonlySet<string> = new Set(["parameter", "param", "argument", "arg", "paramater"]);

/** GLM and its relatives: the key and the value are separate elements. */
export const KEY_ELEMENTS: ReadonlySet<string> = new Set(["arg_key", "longcat_arg_key"]);
export const VALUE_ELEMENTS: ReadonlySet<string> = new Set(["arg_value", "longcat_arg_value"]);

/** Elements around all parameters. */
export const ARGUMENTS_ELEMENTS: ReadonlySet<string> = new Set([
  ...["parameters", "arguments", "args", "input", "params", "tool_input", "tool_args", "tool_arguments"],
  ...["tool_params", "action_input"],
]);

/** Elements that hold the name of the tool. */
export const NAME_ELEMENTS: ReadonlySet<string> = new Set(["name", "tool_name", "function_name", "tool", "function"]);

/** Elements that hold the tool's server, before its name. */
export const SERVER_ELEMENTS: ReadonlySet<string> = new Set(["server_name"]);

/** Whether a tag of this key opens or closes a call or a wrapper of calls: no value goes on behind it. */
export function isBoundary(key: string): boolean {
  return CALL_ELEMENTS.has(key) || WRAPPERS.has(key);
}

/** Wrappers around calls; with the call elements, everything that may follow a finished parameter. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  ...["function_calls", "tool_calls", "tools", "toolcall", "tool_call", "function_call", "dots_function_call"],
  ...["tool_sep", "tool_use", "calls", "function", "tool-calls", "tool-call", "function-calls"],
]);

/**
 * The text of an element. `end` is behind its closer, if it has one. `isCut`: the element never ends, or at `end` only
 * because another call begins behind it.
 */
export interface ElementRead {
  readonly raw: string;
  readonly end: number;
  readonly isClosed: boolean;
  readonly isCut: boolean;
}

/** An element that is open, and what it is part of. */
export interface OpenElement {
  /** Which row of {@link IMPLIED_ENDS} applies. */
  readonly kind: keyof typeof IMPLIED_ENDS;
  readonly key: string;
  readonly skin: string;
  /** Key of the element around it: its closer ends a value that lost its own. */
  readonly parent: string;
  /** Whether a tag that can be a sibling is one. */
  readonly isSibling?: ((token: Token, startsLine: boolean) => boolean) | undefined;
  /** Whether the words at `at` may follow the closer. */
  readonly followsWord?: (at: number) => boolean;
}

interface ImpliedEnd {
  /** Keys whose closers end the element too. */
  readonly aliases: ReadonlySet<string>;
  /** Openers that can be the next element, and so end a value that lost its closer. */
  readonly siblings: (token: Token) => boolean;
  /** A sibling ends the value at once; otherwise the value still waits for its own closer, and may nest its like. */
  readonly isFlat: boolean;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const isPart = ({ key }: Token): boolean => KEY_ELEMENTS.has(key) || VALUE_ELEMENTS.has(key);

/** How elements end whose own closer is lost: a table, as HTML has one of implied end tags. */
const IMPLIED_ENDS = {
  /** `<parameter=a>`: all parameters share their closers, and none is nested in another. */
  parameter: {
    aliases: PARAMETER_ELEMENTS,
    siblings: (token) => PARAMETER_ELEMENTS.has(token.key) && isNamed(token),
    isFlat: true,
  },
  /** `<arg_key>`, `<arg_value>` */
  part: { aliases: NO_KEYS, siblings: isPart, isFlat: false },
  /** `<a>`, named after the parameter. */
  element: { aliases: NO_KEYS, siblings: (token) => !token.key.includes("|"), isFlat: false },
  /** An element that only its own closer ends. */
  whole: { aliases: NO_KEYS, siblings: () => true, isFlat: false },
} as const satisfies Record<string, ImpliedEnd>;

/** The tags from `from` on. */
export function* tagsFrom(source: Text, from: number, skin = ""): Generator<Token> {
  const sign = skin === MINIMAX_PREFIX ? MINIMAX_PREFIX : "<";
  for (let i = source.text.indexOf(sign, from); i !== -1; i = source.text.indexOf(sign, i)) {
    const token = tokenAt(source, i);
    if (token !== null) yield token;
    i = token === null ? i + 1 : token.end;
  }
}

/** Longest text of an element that is only a name. */
const MAX_NAME = 256;

/** The closer behind a name that begins at `from`. */
export function nextCloser(source: Text, from: number): Token | null {
  const at = source.find("</", from, MAX_NAME);
  return at === -1 ? null : tokenAt(source, at);
}

/**
 * Reads the value of an element up to the closer that is followed by what may follow it. A closer in the middle of a
 * value (documentation of the very format, say) is not followed so; a call inside the value keeps its own parameters. A
 * value that lost its closer ends at the closer of its parent, or at the next element that can only be its sibling.
 */
export function readElement(source: Source, from: number, element: OpenElement): ElementRead {
  return new ElementReader(source, from, element).read();
}

/** Elements inside a value are followed up to this depth; deeper ones are text. */
const MAX_OPEN = 200;

class ElementReader {
  private readonly source: Source;
  private readonly from: number;
  private readonly element: OpenElement;
  private readonly ends: ImpliedEnd;
  /** Elements that are open inside the value, and whose closers are therefore not its own. */
  private readonly open: string[] = [];
  /** Where the value ends if no closer of its own comes that is followed as it should be: the first one with text behind it, */
  private closer: Token | undefined;
  /** the beginning of a sibling, */
  private siblingAt: number | undefined;
  /** or the closer of the parent. */
  private parentAt: number | undefined;
  /** The closer of the parent was followed as it should be, so only a closer can show that it was part of the value. */
  private isPast = false;
  /** Where the wrapper around the call was closed and another call begins. */
  private cutAt: number | undefined;
  /** No tag has occurred in the value. */
  private isPlain = true;

  constructor(source: Source, from: number, element: OpenElement) {
    this.source = source;
    this.from = from;
    this.element = element;
    this.ends = IMPLIED_ENDS[element.kind];
  }

  read(): ElementRead {
    const { source, from } = this;
    const { text, length } = source;
    // Each value may look as far as the end of the text: all of them together may not.
    if (source.reading.ahead.left < 0) return this.value(length, length, "cut");
    const start = text.startsWith("<![CDATA[", source.skipBlanks(from)) ? source.find("]]>", from, length) : from;
    if (start === -1) return this.value(length, length, "cut");
    for (const token of tagsFrom(source, start, this.element.skin)) {
      const found = token.close ? this.takeCloser(token) : this.takeOpener(token);
      if (found !== undefined) return found;
      this.isPlain = false;
    }
    source.isEnd(length);
    const { closer, siblingAt, parentAt, cutAt = length } = this;
    // Without any closer the value may go on: it is cut off, not ended by what follows.
    if (closer === undefined && parentAt === undefined) return this.value(cutAt, cutAt, "cut");
    return this.impliedEnd(siblingAt ?? parentAt ?? 0, length);
  }

  private takeCloser(token: Token): ElementRead | undefined {
    const { element, open } = this;
    const { key, skin, start, end } = token;
    const at = open.lastIndexOf(key);
    if (at !== -1) open.length = at;
    const isForeign = skin !== element.skin && skin !== "" && element.skin !== "";
    if (at !== -1 || open.length > 0 || isForeign) return undefined;
    if (this.closes(key)) {
      if (this.isFollowed(end)) return this.value(start, end, "closed");
      if (!this.isPast) this.closer ??= token;
    } else if (key === element.parent && !this.isPast) {
      this.isPast = this.isFollowed(end);
      if (this.isPast) this.parentAt = start;
      this.parentAt ??= start;
    } else if (this.isPlain && isBoundary(key) && this.startsCall(end)) {
      this.isPast = true;
      this.cutAt = start;
    }
    return undefined;
  }

  private takeOpener(token: Token): ElementRead | undefined {
    const { element, ends, open, isPast } = this;
    const { key, start } = token;
    const isCall = isNamed(token) && (CALL_ELEMENTS.has(key) || (isPast && PARAMETER_ELEMENTS.has(key)));
    if (!token.self && (isCall || key === element.parent || (key === element.key && !ends.isFlat))) {
      if (open.length < MAX_OPEN && !isMentioned(this.source, token)) open.push(key);
    } else if (open.length === 0 && !isPast && this.siblingAt === undefined && ends.siblings(token)) {
      if (element.isSibling?.(token, startsLine(this.source.text, start)) !== true) return undefined;
      // An element still waits for its own closer.
      if (ends.isFlat) return this.impliedEnd(start, start);
      this.siblingAt = start;
    }
    return undefined;
  }

  /** Whether a call or a wrapper of calls opens here. */
  private startsCall(from: number): boolean {
    const { source } = this;
    const at = source.skipBlanks(from);
    const token = source.at(at) === "<" ? tokenAt(source, at) : null;
    return token !== null && !token.close && isBoundary(token.key);
  }

  private closes(key: string): boolean {
    return key === this.element.key || this.ends.aliases.has(key);
  }

  private value(to: number, end: number, how: "closed" | "lost" | "cut"): ElementRead {
    return { raw: this.source.text.slice(this.from, to), end, isClosed: how === "closed", isCut: how === "cut" };
  }

  /** The value without a certain end. Charges the text that was looked at behind it. */
  private impliedEnd(end: number, lookedTo: number): ElementRead {
    const { closer, source } = this;
    const read = closer === undefined ? this.value(end, end, "lost") : this.value(closer.start, closer.end, "closed");
    source.reading.ahead.left -= lookedTo - read.end;
    return read;
  }

  /** Whether, after whitespace, the text ends or a tag follows that may come after a value. */
  private isFollowed(from: number): boolean {
    const { source, element } = this;
    const at = source.skipBlanks(from);
    const c = source.at(at);
    if (c === "") return true;
    if (c !== "<" && c !== "]") return element.followsWord?.(at) === true;
    const token = tokenAt(source, at);
    // A tag cut off by the end of the text: nothing else can have been meant.
    if (token === null)
      return source.length - at < 40 && /^<\/?[\w:|｜-]*$/.test(source.text.slice(at)) && isCutToken(source, at);
    const { key } = token;
    if (key.includes("|") || key === element.parent || this.closes(key) || isBoundary(key)) return true;
    return !token.close && (this.ends.siblings(token) || KEY_ELEMENTS.has(key));
  }
}

/** Whether a tag stands in a sentence: words precede it on its line and follow behind a blank, so it opens nothing. */
function isMentioned(source: Source, { start, end }: Token): boolean {
  return !startsLine(source.text, start) && source.at(end) === " " && /[\p{L}\p{N}]/u.test(source.at(end + 1));
}

function startsLine(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text[i] === " " || text[i] === "\t")) i -= 1;
  return i < 0 || text[i] === "\n" || text[i] === ">";
}

/** How far the closer of a damaged body is looked for. */
const MAX_BODY_CHARS = 16_384;

/**
 * Where a damaged body ends: at the closer of its envelope, or before the next opener of the same kind. Other calls in it
 * are quoted by it. `undefined`: nothing marks the end.
 */
export function damagedBodyEnd(source: Source, at: number, { key, boundary }: Envelope): number | undefined {
  if (key === "") return undefined;
  const { text, formats } = source;
  const limit = at + MAX_BODY_CHARS;
  for (const token of tagsFrom(source, at)) {
    if (token.start >= limit) break;
    if (text.startsWith(boundary, token.start) || (token.key === key && token.close)) return token.start;
    // A tag is closed by its own closer, a special token by whichever ends a call.
    if (key.includes("|") && formats.plainClosers.has(token.key)) return token.start;
  }
  if (text.length < limit) source.isEnd(text.length);
  return Math.min(text.length, limit);
}

/**
 * Where the data of a call ends that is damaged inside a string: at the closer that belongs to its opener, or at the last
 * closer that belongs to no opener, because a closer inside the string was counted for it. Without a closer, the data is
 * everything. Asked when the text is complete. `undefined`: the envelope is no tag, so its ends cannot be counted.
 */
export function damagedDataEnd(source: Source, { key }: Envelope, from: number): number | undefined {
  if (key === "" || key.includes("|")) return undefined;
  const { text, reading } = source;
  reading.ahead.left -= text.length - from;
  let depth = 1;
  let end: number | undefined;
  for (const token of tagsFrom(source, from)) {
    if (token.key !== key || token.self) continue;
    if (!token.close) depth += 1;
    else if (depth === 0) end = token.end;
    else {
      depth -= 1;
      if (depth === 0) end ??= token.end;
    }
  }
  return end ?? text.length;
}
