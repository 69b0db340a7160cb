import { CALL_MARK } from "./sentence.ts";

/** How much of the text before a candidate the gates examine. */
const MAX_BEFORE_CHARS = 1200;
/** How much unparsed text is buffered. Beyond this, the next chunk triggers parsing even without a candidate. */
const MAX_BUFFERED_CHARS = 1 << 20;
const MAX_OPEN_ELEMENTS = 64;
/** The longest incomplete tag at the end of a chunk that is completed with the next chunk. */
const MAX_PARTIAL_CHARS = 256;
/** Attributes are short, so text without a `>` within this distance is not a tag. */
const MAX_TAG_CHARS = 2048;

/** An element, comment or environment. Only its closer shows whether it encloses a candidate. */
interface Element {
  readonly name: string;
  /** Only whitespace and other tags follow the opener so far. */
  isAdjacent: boolean;
  isClosed: boolean;
}

/** An element that is open at a candidate. */
export interface Enclosure {
  readonly element: { readonly name: string; readonly isClosed: boolean };
  /** The opener directly precedes the candidate. */
  readonly isAdjacent: boolean;
}

/** The text and the open elements before a candidate. */
export interface Before {
  /** The end of the text, with `CALL_MARK` in place of each earlier candidate. */
  readonly text: string;
  readonly open: readonly Enclosure[];
}

const NOTHING_OPEN: readonly Enclosure[] = [];

/** Elements without content, which need no closer. */
const VOID: ReadonlySet<string> = new Set(
  "br hr img input meta link area base col embed source track wbr param".split(" "),
);
/** Elements that wrap a whole response, so a call inside them is not displayed content. */
const RESPONSE_WRAPPERS: ReadonlySet<string> = new Set(
  "answer response final assistant message turn action actions step output think thinking tool_call tool_calls tools function_call function_calls functions".split(
    " ",
  ),
);
const MARKS =
  /<!--|-->|<!\[CDATA\[|\]\]>|<\/?[a-z][\w:.-]{0,63}|\\(?:begin|end)\{[a-z]{2,24}\*?\}|\[\/?(?:code|quote|pre|noparse|spoiler)\b|\{(?:code|noformat|quote)\b|#\+(?:begin|end)_[a-z]{2,12}/gi;

/** The end of a sentence that goes on after a blank. */
const UNFINISHED = /[^\s.!?…。！？:：>] {1,4}$/;
const MAX_UNFINISHED_CHARS = 8;

/**
 * Tracks the open elements, comments and environments of a text, and its most recent part. Text is buffered and parsed
 * only when a candidate needs it, so text without candidates costs nothing and each character is parsed once.
 */
export class SurroundingText {
  private buffered: string[] = [];
  private bufferedChars = 0;
  /** Position in the whole message up to which text was passed in. */
  private appendedEnd = 0;
  private recent = "";
  private partial = "";
  private open: Element[] = [];
  /** A candidate is inside an element that may still close. */
  private hasEnclosedCandidate = false;

  /** Buffers text that begins at `from` in the whole message. The part that was passed in before is skipped. */
  append(text: string, from: number): void {
    const rest = from < this.appendedEnd ? text.slice(this.appendedEnd - from) : text;
    if (rest === "") return;
    if (this.bufferedChars > MAX_BUFFERED_CHARS) this.parse();
    this.appendedEnd = Math.max(this.appendedEnd, from) + rest.length;
    this.buffered.push(rest);
    this.bufferedChars += rest.length;
  }

  /** Skips a candidate that ends at `end`: its text is not context for the next one. */
  skip(end: number): void {
    if (end <= this.appendedEnd) return;
    this.parse();
    this.appendedEnd = end;
    // Consecutive calls share one mark: a model in a loop writes thousands.
    const trimmed = this.recent.trimEnd();
    this.recent = trimmed.endsWith(CALL_MARK) ? trimmed : this.recent.slice(1 - MAX_BEFORE_CHARS) + CALL_MARK;
    this.partial = "";
    for (const element of this.open) element.isAdjacent = false;
  }

  /** Discards the thinking before `at`, where the response begins. */
  restart(text: string, from: number, at: number, when?: "unless-in-sentence"): void {
    this.append(text.slice(0, at - from), from);
    this.parse();
    if (when === "unless-in-sentence" && UNFINISHED.test(this.recent.slice(-MAX_UNFINISHED_CHARS))) return;
    this.recent = "";
    this.partial = "";
    this.open = [];
  }

  /** Returns the recent text and the open elements at the end of the appended text. */
  before(): Before {
    this.parse();
    if (this.open.length === 0) return { text: this.recent, open: NOTHING_OPEN };
    const open = this.open.filter(({ name }) => !RESPONSE_WRAPPERS.has(name));
    if (open.length > 0) this.hasEnclosedCandidate = true;
    return { text: this.recent, open: open.map((element) => ({ element, isAdjacent: element.isAdjacent })) };
  }

  /** Parses the rest of the message, which begins at `from`, because elements around candidates may close in it. */
  finish(text: string, from: number): void {
    if (!this.hasEnclosedCandidate) return;
    this.append(text, from);
    this.parse();
  }

  /** Parses the buffered text. */
  private parse(): void {
    if (this.bufferedChars === 0) return;
    const text = this.buffered.join("");
    this.buffered = [];
    this.bufferedChars = 0;
    const end = text.slice(-MAX_BEFORE_CHARS);
    this.recent = end.length < MAX_BEFORE_CHARS ? (this.recent + end).slice(-MAX_BEFORE_CHARS) : end;
    this.parseMarks(this.partial + text);
  }

  private parseMarks(text: string): void {
    MARKS.lastIndex = 0;
    let end = 0;
    for (let match = MARKS.exec(text); match !== null; match = MARKS.exec(text)) {
      this.handleText(text, end, match.index);
      end = this.handleMark(match[0].toLowerCase(), text, match.index + match[0].length);
      MARKS.lastIndex = end;
    }
    this.handleText(text, end, text.length);
    const rest = text.slice(Math.max(end, text.length + 1 - MAX_PARTIAL_CHARS));
    const cut = rest.lastIndexOf("<");
    this.partial = cut === -1 || rest.includes(">", cut) ? "" : rest.slice(cut);
  }

  /** Text between marks. Visible characters separate a candidate from the openers before it. */
  private handleText(text: string, from: number, to: number): void {
    // If the last opener is separated, so are those before it.
    if (this.open.at(-1)?.isAdjacent !== true) return;
    if (!/[^\s>\]}]/.test(text.slice(from, Math.min(to, from + 400)))) return;
    for (const element of this.open) element.isAdjacent = false;
  }

  /** Handles an opener or closer and returns the position after it. */
  private handleMark(mark: string, text: string, at: number): number {
    if (mark === "-->" || mark === "]]>") {
      this.close("!");
      return at;
    }
    if (mark === "<!--" || mark === "<![cdata[") {
      this.push("!");
      return at;
    }
    if (mark[0] === "<") return this.handleTag(mark, text, at);
    const name = mark.replace(/[^a-z]+/g, "");
    if (mark[0] === "[" && mark[1] === "/") this.close(`[${name}`);
    else if (mark[0] === "[") this.push(`[${name}`);
    else if (mark[0] === "{") {
      // The same word opens and closes.
      if (!this.close(`{${name}`)) this.push(`{${name}`);
    } else if (name.startsWith("end")) this.close(name.slice(3));
    else this.push(name.slice(5));
    return at;
  }

  private handleTag(mark: string, text: string, at: number): number {
    const isCloser = mark[1] === "/";
    const name = mark.slice(isCloser ? 2 : 1);
    // Nearly all tags end here; a search in a slice costs more.
    const end = text[at] === ">" ? 0 : text.slice(at, at + MAX_TAG_CHARS).indexOf(">");
    if (end === -1) return at;
    if (isCloser) this.close(name);
    else if (text[at + end - 1] !== "/" && !VOID.has(name)) this.push(name);
    return at + end + 1;
  }

  private push(name: string): void {
    if (this.open.length >= MAX_OPEN_ELEMENTS) this.open = this.open.slice(-MAX_OPEN_ELEMENTS / 2);
    this.open.push({ name, isAdjacent: true, isClosed: false });
  }

  private close(name: string): boolean {
    const last = this.open.at(-1);
    if (last?.name === name) {
      last.isClosed = true;
      this.open.pop();
      return true;
    }
    const at = this.open.findLastIndex((element) => element.name === name);
    if (at === -1) return false;
    for (const element of this.open.splice(at)) element.isClosed = element.name === name;
    return true;
  }
}
