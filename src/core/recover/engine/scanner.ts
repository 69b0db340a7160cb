import { NEED_MORE, Text } from "../../text/cursor.ts";
import { SurroundingText } from "../decision/surroundings.ts";
import { toolsForReading } from "../echo/given-tools.ts";
import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import { SELF_ENDS, TOOL_ROWS } from "../formats/table.ts";
import { MINIMAX_PREFIX, type Token, tokenAt } from "../lex/token.ts";
import type { LeakEvent, RecoveredCall, RejectReason } from "../types.ts";
import { Candidates } from "./candidates.ts";
import { type FenceStart, MAX_RUN, runLength, startOfLine } from "./line.ts";
import {
  endsThinking,
  FRAME_MARKS,
  frameEnd,
  isSimulatedResult,
  RESPONSE_TAGS,
  RESULT_MARKS,
  THINK_ENDS,
  THINK_MARKS,
  thinkClosers,
} from "./markers.ts";
import { hasVisible, Outbox } from "./outbox.ts";
import type { Settings } from "./settings.ts";
import { StopFinder } from "./stops.ts";

const NOTHING: readonly LeakEvent[] = [];
/** A byte order mark, a joiner, a blank that does not break: they come before what begins a line. */
const INVISIBLE: ReadonlySet<number> = new Set([0xfeff, 0x200b, 0x2060, 0xa0]);
/** Upper bound for the length of the words before an opener. */
const LEAD_REACH = 24;
/** How far the beginning of a message to the model itself is looked for. */
const THOUGHT_HEAD = 24;

/** The context of the next character. */
interface Context {
  /** Inside a fenced block: the fence's character and length. */
  fence: { readonly char: string; readonly length: number } | undefined;
  /** Length of the backtick run that opened inline code; 0 outside inline code. */
  inline: number;
  /** The backtick run is on this line. */
  inlineHere: boolean;
  quote: boolean;
  /** Keys that end the current thinking block. */
  think: readonly string[] | undefined;
  /** The model has begun to write the turns of the user or the tools. */
  invented: boolean;
  /** Visible text has occurred, so later text is not the whole message. */
  visible: boolean;
  /** The start of this line has not been examined yet. */
  lineStart: boolean;
  /** This line contains only whitespace so far. */
  first: boolean;
  /** The line before has text, so that an indented line continues its paragraph. */
  isParagraph: boolean;
  /** Indentation of this line; a tab counts as 4. */
  indent: number;
}

/**
 * The main loop. It skips text that cannot matter, tracks the context and passes every opener to the readers. Undecided
 * text stays in the buffer; text and calls that are certain leave through the outbox.
 */
export class Scanner {
  /** The buffered text. */
  private source = new Text("", false);
  /** Chunks that cannot complete the waiting candidate. Appending each one to the text would be quadratic. */
  private tail = "";
  private pos = 0;
  /** End of the last markup. The words before an opener never reach back past it. */
  private markupEnd = 0;
  /** Where the frame tokens begin that only blanks separate from `pos`. */
  private frameStart: number | undefined;
  /** The scanner needs more text, but not for a call, so the text can be released. */
  private canRelease = false;
  private readonly context: Context;
  private readonly settings: Settings;
  private readonly surroundings = new SurroundingText();
  private readonly outbox: Outbox;
  private readonly candidates: Candidates;
  private readonly stops: StopFinder;

  constructor(settings: Settings) {
    this.settings = settings;
    this.context = {
      fence: undefined,
      inline: 0,
      inlineHere: false,
      quote: false,
      think: settings.startsInThink ? ["think", "thinking", "|end_thinking|"] : undefined,
      invented: false,
      visible: false,
      lineStart: true,
      first: true,
      isParagraph: false,
      indent: 0,
    };
    this.outbox = new Outbox(settings, this.surroundings);
    this.candidates = new Candidates(settings, this.outbox, this.surroundings, (text) => readAll(text, settings));
    this.stops = new StopFinder(settings.stop, settings.stops);
  }

  push(chunk: string): readonly LeakEvent[] {
    if (chunk === "") return NOTHING;
    if (this.candidates.shouldWait(chunk)) {
      this.tail += chunk;
      return NOTHING;
    }
    return this.process(chunk, false);
  }

  end(): readonly LeakEvent[] {
    return this.process("", true);
  }

  get held(): number {
    return this.text.length + this.tail.length - this.outbox.released + this.outbox.held;
  }

  private get text(): string {
    return this.source.text;
  }

  private process(chunk: string, final: boolean): readonly LeakEvent[] {
    this.source = new Text(this.text + this.tail + chunk, final);
    this.tail = "";
    this.canRelease = false;
    this.stops.reset();
    try {
      this.scan();
    } catch (error) {
      if (error !== NEED_MORE) throw error;
    }
    const end = final || this.canRelease ? this.text.length : this.certainEnd();
    const events = this.outbox.flush(this.text, end, final);
    if (!final) this.dropReleased();
    return events;
  }

  /**
   * Returns the end of the text that cannot be part of a call. In a code block that is not the whole message there are
   * no calls, so its text is released up to the end of the line; the next line may close the block.
   */
  private certainEnd(): number {
    const { context, text, pos } = this;
    // Frames belong to the call that may follow them directly.
    if (context.fence === undefined || !context.visible) return Math.min(pos, this.frameStart ?? pos);
    const lineEnd = text.indexOf("\n", pos);
    return lineEnd === -1 ? text.length : lineEnd;
  }

  /** Drops the text that was released and scanned. */
  private dropReleased(): void {
    const cut = Math.min(this.outbox.released, this.pos);
    if (cut <= 0) return;
    if (!this.settings.ungated) this.surroundings.append(this.text.slice(0, cut), this.outbox.offset);
    this.source = new Text(this.text.slice(cut), false);
    this.pos -= cut;
    this.markupEnd -= cut;
    if (this.frameStart !== undefined) this.frameStart = Math.max(0, this.frameStart - cut);
    this.outbox.shift(cut);
  }

  private scan(): void {
    const { context, source, stops } = this;
    const { text, length } = source;
    while (this.pos < length) {
      if (context.lineStart && this.startLine()) continue;
      const next = stops.find(text, this.pos);
      if (next >= length) {
        // Text that may be the start of a literal is not skipped until it is decided.
        this.skipText(source.final ? length : length - stops.partial(text, this.pos));
        return;
      }
      this.skipText(next);
      this.handleStop(text.charCodeAt(next));
    }
  }

  /** Advances over text that is not markup. */
  private skipText(to: number): void {
    const { context, outbox } = this;
    if (to <= this.pos) return;
    if (this.frameStart !== undefined && hasVisible(this.text, this.pos, to)) this.frameStart = undefined;
    context.first = false;
    if ((!context.visible || outbox.isConditional) && hasVisible(this.text, this.pos, to)) {
      if (context.think === undefined) context.visible = true;
      if (!context.invented) outbox.visibleText();
    }
    this.pos = to;
  }

  /** Advances over markup, which does not count as visible text. */
  private skipMarkup(to: number, startsLine = false): void {
    this.pos = to;
    this.markupEnd = to;
    this.frameStart = undefined;
    this.context.first = startsLine;
    if (startsLine) this.context.lineStart = true;
  }

  /** Advances over tokens that end or begin a turn. The text behind them begins like a line. */
  private skipFrame(to: number): void {
    const start = this.frameStart ?? this.pos;
    this.skipMarkup(to, true);
    this.frameStart = start;
  }

  /** Handles the start of a line. Returns whether it moved. */
  private startLine(): boolean {
    const { context } = this;
    const code = this.skipIndent();
    if (this.pos >= this.source.length) return true;
    if (code !== 10 && code !== 13) {
      if (context.fence !== undefined) this.closeFence(context.fence);
      else if (this.takeLineStart()) return true;
    }
    context.lineStart = false;
    return false;
  }

  /** Handles fences, quotes, and the forms that are only valid at the start of a line. Returns whether one was taken. */
  private takeLineStart(): boolean {
    const { context, source, settings } = this;
    const start = startOfLine(source, this.pos, settings, () => {
      this.canRelease = true;
    });
    this.canRelease = false;
    if (start.kind === "fence") return this.openFence(start);
    if (start.kind === "opening") {
      this.takeOpener(start.opening);
      return true;
    }
    if (start.kind === "result") this.startInvented();
    else if (start.kind === "quote") {
      context.quote = true;
      this.skipMarkup(this.pos + 1);
    } else if (start.kind === "think" && context.think === undefined && settings.think !== "always") {
      context.think = SELF_ENDS;
      this.skipMarkup(start.end);
    }
    return false;
  }

  /** Counts the indentation and returns the character after it. */
  private skipIndent(): number {
    const { context, text } = this;
    let code = text.charCodeAt(this.pos);
    while (code === 32 || code === 9 || INVISIBLE.has(code)) {
      if (!INVISIBLE.has(code)) context.indent += code === 9 ? 4 : 1;
      this.pos += 1;
      code = text.charCodeAt(this.pos);
    }
    return code;
  }

  /** Handles the character at which the loop stopped. */
  private handleStop(code: number): void {
    const { source, settings, pos } = this;
    const { marks, words } = settings.formats;
    if (code === 10) {
      this.breakLine();
      return;
    }
    if (code === 96) {
      this.takeBackticks();
      return;
    }
    const literal = literalAt(marks.get(source.at(pos)) ?? (code === 60 ? [] : words), source, pos);
    if (literal !== undefined) this.takeOpener(this.withLead(literal));
    else if (code === 60 || (code === 93 && source.startsWith(MINIMAX_PREFIX, pos))) this.takeTag();
    else if (!this.takeThinkMark() && !this.takeFrameMark()) {
      if (RESULT_MARKS.some((mark) => source.startsWith(mark, pos))) this.startInvented();
      this.skipText(pos + 1);
    }
  }

  /**
   * Begins a line. An empty line ends the paragraph, and with it inline code; an indented line behind an empty one is
   * code and begins none.
   */
  private breakLine(): void {
    const { context } = this;
    if (context.first) context.inline = 0;
    context.isParagraph = !context.first && (context.isParagraph || context.indent < 4);
    context.lineStart = true;
    context.first = true;
    context.inlineHere = false;
    context.quote = false;
    context.indent = 0;
    this.pos += 1;
  }

  /** Opens a fenced block, unless it is a call. Returns whether it was one. */
  private openFence(start: FenceStart): boolean {
    const { context, outbox, settings } = this;
    const at = this.pos;
    // A fence ends the paragraph, and with it inline code that was never closed.
    context.inline = 0;
    if (start.opening !== undefined && (this.rejectReason() === undefined || settings.ungated)) {
      this.takeOpener(start.opening);
      if (this.pos > at + 3) return true;
    }
    context.fence = { char: start.char, length: start.length };
    this.skipMarkup(start.end);
    // A second block shows that the block before it is not the whole message.
    if (outbox.isConditional) outbox.visibleText();
    return false;
  }

  private closeFence(fence: NonNullable<Context["fence"]>): void {
    const { context, source, pos } = this;
    if (source.at(pos) !== fence.char) return;
    const length = runLength(source.text, pos, fence.char);
    if (length > MAX_RUN) return;
    const i = source.skipWhile(pos + length, MAX_RUN, (c) => c === 32 || c === 9 || c === 13);
    const isLast = source.at(i) === "" || source.at(i) === "\n";
    if (i >= pos + length + MAX_RUN || length < fence.length || !isLast) return;
    context.fence = undefined;
    this.skipMarkup(i);
  }

  /** Opens or closes inline code. */
  private takeBackticks(): void {
    const { context, source, pos } = this;
    const run = runLength(source.text, pos, "`");
    // In a fence, backticks are plain text.
    if (context.fence !== undefined || run > MAX_RUN) {
      this.skipText(pos + run);
      return;
    }
    source.isEnd(pos + run);
    if (context.inline === 0) {
      context.inline = run;
      context.inlineHere = true;
    } else if (context.inline === run) {
      context.inline = 0;
      context.inlineHere = false;
    }
    this.skipMarkup(pos + run);
  }

  /** Handles thinking that is marked without tags. Returns whether there was a mark. */
  private takeThinkMark(): boolean {
    const { source, pos, context, settings } = this;
    if (settings.think === "always" || context.fence !== undefined || context.inline > 0) return false;
    for (const mark of [...THINK_MARKS.keys(), ...THINK_ENDS]) {
      if (!source.startsWith(mark, pos)) continue;
      const closer = THINK_MARKS.get(mark);
      const isOpen = context.think !== undefined;
      if (closer === undefined ? isOpen && context.think?.includes(mark) !== true : isOpen) continue;
      if (closer !== undefined) {
        context.think = [closer];
        this.skipMarkup(pos + mark.length);
      } else if (isOpen) this.closeThinking(pos + mark.length);
      else this.endThinking(pos + mark.length);
      return true;
    }
    return false;
  }

  /** Handles a frame that is marked without tags. Returns whether there was one. */
  private takeFrameMark(): boolean {
    const { source, pos, context } = this;
    if (context.fence !== undefined || context.inline > 0) return false;
    const mark = FRAME_MARKS.find((one) => source.startsWith(one, pos));
    if (mark !== undefined) this.skipFrame(pos + mark.length);
    return mark !== undefined;
  }

  /** Handles a possible tag of thinking, of a turn or of a call. */
  private takeTag(): void {
    const { source, pos, context, settings } = this;
    const token = settings.isRelevantTag(source, pos) ? tokenAt(source, pos) : null;
    const isPlace = context.fence === undefined && context.inline === 0;
    if (token !== null && isPlace && this.takeThinking(token)) return;
    if (token !== null && isPlace && isSimulatedResult(token, source)) {
      this.startInvented();
      this.skipText(token.end);
      return;
    }
    const opening = token === null || this.isComponent(token) ? undefined : openingFor(token, settings);
    const frame = token === null || !isPlace || opening !== undefined ? undefined : frameEnd(token, source);
    if (opening !== undefined) this.takeOpener(opening);
    else if (frame !== undefined) this.skipFrame(frame);
    else if (token?.close === true && isPlace && RESPONSE_TAGS.has(token.key)) this.skipMarkup(token.end);
    else this.skipText(pos + 1);
  }

  /** `<Tool name="f">`: a component in source code. No format has such a tag; a tool's own tag is checked by its row. */
  private isComponent({ key, start, attributes, skin }: Token): boolean {
    const { ungated, toolTags } = this.settings;
    if (ungated || attributes === "" || skin !== "" || toolTags.has(key)) return false;
    return /^<[A-Z][a-z]/.test(this.text.slice(start, start + 3));
  }

  /** Handles a tag that begins or ends thinking. Returns false if the tag also needs other handling. */
  private takeThinking(token: Token): boolean {
    const { context, settings } = this;
    if (context.think?.includes(token.key) && (token.close || token.key.includes("|"))) {
      // The next message begins with the token that ends the thinking.
      if (openingOf(settings.formats, token) === undefined) {
        this.closeThinking(token.end);
        return true;
      }
      context.think = undefined;
      // A token that a thought mentions in the middle of a sentence is judged by that sentence.
      this.startResponse("unless-in-sentence");
    }
    if (context.think !== undefined || settings.think === "always") return false;
    if (endsThinking(token)) {
      this.endThinking(token.end);
      return true;
    }
    const closers = thinkClosers(token);
    if (closers === undefined) return false;
    context.think = closers;
    this.skipMarkup(token.end);
    return true;
  }

  /** Marks everything before `to` as thinking whose opener is not part of the text. */
  private endThinking(to: number): void {
    this.outbox.endThinking(to);
    this.skipMarkup(to, true);
    this.startResponse();
  }

  /** Ends the thinking; the response begins here, even in the middle of a line. */
  private closeThinking(to: number): void {
    this.context.think = undefined;
    this.startResponse();
    this.skipMarkup(to, true);
  }

  /** Starts the response after thinking: the thinking is not the lead-in of the response's calls. */
  private startResponse(when?: "unless-in-sentence"): void {
    const { outbox, surroundings, text, pos, settings } = this;
    if (!settings.ungated) surroundings.restart(text, outbox.offset, outbox.offset + pos, when);
  }

  /** Marks the rest of the message as invented, unless this position is in code, a quote or thinking. */
  private startInvented(): void {
    if (this.rejectReason() !== undefined) return;
    this.context.invented = true;
    this.outbox.endResponse(this.pos);
  }

  /**
   * Returns why no call is accepted here, or undefined. Indented lines are code, but a tag continues the paragraph above
   * it, and a special token is never code.
   */
  private rejectReason(opener: "text" | "tag" | "special" = "text"): RejectReason | undefined {
    const { context, settings } = this;
    if (settings.ungated) return undefined;
    if (context.invented) return "after-invented-result";
    // A fence that opens in the middle of a line still opens code.
    const isInline = context.inline > 2 || (context.inline > 0 && (context.inlineHere || !context.first));
    if (context.fence !== undefined || isInline) return "in-code";
    const isCode = opener === "text" || (opener === "tag" && !context.isParagraph);
    if (isCode && context.indent >= 4 && context.visible && context.first) return "in-code";
    if (context.quote) return "in-quote";
    return context.think === undefined ? undefined : "in-think";
  }

  /** Handles an opener: parses and evaluates the candidate. */
  private takeOpener(opening: Opening): void {
    const { context, source, pos, settings } = this;
    const { token } = opening;
    const reason = this.rejectReason(token === undefined ? "text" : token.key.includes("|") ? "special" : "tag");
    // While the candidate is incomplete, the words before the opener must not be released.
    this.pos = Math.min(pos, opening.start);
    const found = this.candidates.consider(source, opening, {
      reason,
      isVisible: context.visible,
      isBlock: context.fence !== undefined,
      isFirst: context.first,
      frameStart: this.frameStart,
      backticks: reason === undefined && !settings.ungated ? "`".repeat(context.inline) : "",
    });
    this.pos = pos;
    context.lineStart = false;
    if (found.kind === "left") this.skipText(found.end);
    else if (found.kind === "passed") {
      if (found.dataEnd !== undefined && source.at(opening.start) !== "`") this.skipText(found.dataEnd);
      else this.passOpener(opening, found.after, reason !== undefined);
    } else {
      this.pos = found.end;
      this.frameStart = undefined;
      context.first = false;
      if (found.dataEnd !== undefined) this.skipText(found.dataEnd);
      // Calls without a closer may follow one another on one line.
      const { bare, strength, format } = found.row;
      context.lineStart = (bare === true && strength === "weak") || format === "functionary";
    }
  }

  /** Extends an opening to include the words that introduce it. */
  private withLead(opening: Opening): Opening {
    // In a fence, text is released ahead of the scanner and no calls are accepted, so there is nothing to extend.
    if (this.context.fence !== undefined && this.context.visible) return opening;
    const from = Math.max(this.outbox.released, this.markupEnd, opening.start - LEAD_REACH);
    const before = this.text.slice(from, opening.start);
    const lead = opening.rows[0]?.leads?.find((one) => before.endsWith(one));
    return lead === undefined ? opening : { ...opening, start: opening.start - lead.length };
  }

  /** Continues after an opener that did not lead to a call. */
  private passOpener(opening: Opening, after: number, quoted: boolean): void {
    const head = this.text.slice(after, after + THOUGHT_HEAD).replace(/^\s{1,2}/, "");
    const thought = opening.rows.flatMap((row) => row.thoughts ?? []).find(({ begin }) => head.startsWith(begin));
    if (thought !== undefined && !quoted) {
      this.context.think = thought.ends;
      this.skipMarkup(after);
      return;
    }
    const next = this.pos + 1;
    // A literal may contain other openers. The caller handles fence lines.
    if (opening.token !== undefined) this.skipText(opening.stray === true ? next : Math.max(after, next));
    else if (this.text[opening.start] !== "`") this.skipText(next);
  }
}

function openingFor(token: Token, settings: Settings): Opening | undefined {
  const found = openingOf(settings.formats, token);
  // A tool with the name of an ambiguous tag takes precedence over the format.
  const isAmbiguous = found === undefined || found.rows.every((row) => row.strength === "named");
  if (!isAmbiguous || token.close || token.skin !== "" || token.value !== undefined) return found;
  const name = settings.toolTags.get(token.key);
  if (name === undefined) return found;
  return { rows: [TOOL_ROWS.tag], token, key: token.key, name, start: token.start, bodyAt: token.end };
}

/** Extracts every call of a text, regardless of its position. */
function readAll(text: string, settings: Settings): readonly RecoveredCall[] {
  const scanner = new Scanner({
    ...settings,
    tools: toolsForReading(settings.tools),
    ungated: true,
    context: [],
    newId: () => "",
  });
  const events = [...scanner.push(text), ...scanner.end()];
  return events.flatMap((event) => (event.kind === "call" ? [event.call] : []));
}
