import { Text } from "../../text/cursor.ts";
import { SurroundingText } from "../decision/surroundings.ts";
import type { ReadAll } from "../echo/read-part.ts";
import type { RejectReason } from "../types.ts";
import { Candidates } from "./candidates.ts";
import { hasVisible, Outbox } from "./outbox.ts";
import type { Settings } from "./settings.ts";

/** The scanner's position in the buffered text, what it waits for, and the ways it advances. */
export class ScanState {
  /** The buffered text. */
  source = new Text("", false);
  pos = 0;
  /** End of the last markup. The words before an opener never reach back past it. */
  markupEnd = 0;
  /** Where the frame tokens begin that only blanks separate from `pos`. */
  frameStart: number | undefined;
  /** The scanner needs more text, but not for a call, so the text can be released. */
  canRelease = false;
  readonly context: Context;
  readonly settings: Settings;
  readonly outbox: Outbox;
  readonly surroundings: SurroundingText;
  readonly candidates: Candidates;

  constructor(settings: Settings, readAll: ReadAll) {
    this.settings = settings;
    this.context = newContext(settings.startsInThink);
    this.surroundings = new SurroundingText();
    this.outbox = new Outbox(settings, this.surroundings);
    this.candidates = new Candidates(settings, this.outbox, this.surroundings, readAll);
  }

  get text(): string {
    return this.source.text;
  }

  /** Advances over text that is not markup. */
  skipText(to: number): void {
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
  skipMarkup(to: number): void {
    this.pos = to;
    this.markupEnd = to;
    this.frameStart = undefined;
    this.context.first = false;
  }

  /** Advances over tokens that end or begin a turn. The text behind them begins like a line. */
  skipFrame(to: number): void {
    const start = this.frameStart ?? this.pos;
    this.skipMarkup(to);
    this.frameStart = start;
    this.context.lineStart = true;
    this.context.first = true;
  }

  /** Drops the text that was released and scanned. */
  dropReleased(): void {
    const cut = Math.min(this.outbox.released, this.pos);
    if (cut <= 0) return;
    if (!this.settings.ungated) this.surroundings.append(this.text.slice(0, cut), this.outbox.offset);
    this.source = new Text(this.text.slice(cut), false);
    this.pos -= cut;
    this.markupEnd -= cut;
    if (this.frameStart !== undefined) this.frameStart = Math.max(0, this.frameStart - cut);
    this.outbox.shift(cut);
  }

  /**
   * Returns why no call is accepted here, or undefined. Indented lines are code, but a tag continues the paragraph above
   * it, and a special token is never code.
   */
  rejectReason(opener: "text" | "tag" | "special" = "text"): RejectReason | undefined {
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

  /** Marks everything before `to` as thinking whose opener is not part of the text. */
  endThinking(to: number): void {
    const { context, outbox } = this;
    outbox.endThinking(to);
    this.pos = to;
    this.markupEnd = to;
    this.frameStart = undefined;
    context.lineStart = true;
    context.first = true;
    this.startResponse();
  }

  /** Ends the thinking; the response begins here, even in the middle of a line. */
  closeThinking(to: number): void {
    const { context } = this;
    context.think = undefined;
    this.startResponse();
    this.skipMarkup(to);
    context.lineStart = true;
    context.first = true;
  }

  /** Starts the response after thinking: the thinking is not the lead-in of the response's calls. */
  startResponse(when?: "unless-in-sentence"): void {
    const { outbox, surroundings, text, pos, settings } = this;
    if (!settings.ungated) surroundings.restart(text, outbox.offset, outbox.offset + pos, when);
  }

  /** Marks the rest of the message as invented, unless this position is in code, a quote or thinking. */
  startInvented(): void {
    if (this.rejectReason() !== undefined) return;
    this.context.invented = true;
    this.outbox.endResponse(this.pos);
  }
}

/** The context of the next character. */
export interface Context {
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

export function newContext(startsInThink: boolean): Context {
  return {
    fence: undefined,
    inline: 0,
    inlineHere: false,
    quote: false,
    think: startsInThink ? ["think", "thinking", "|end_thinking|"] : undefined,
    invented: false,
    visible: false,
    lineStart: true,
    first: true,
    isParagraph: false,
    indent: 0,
  };
}

/**
 * Resets the state of the line. An empty line ends the paragraph, and with it inline code; an indented line behind an
 * empty one is code and begins none.
 */
export function breakLine(context: Context): void {
  if (context.first) context.inline = 0;
  context.isParagraph = !context.first && (context.isParagraph || context.indent < 4);
  context.lineStart = true;
  context.first = true;
  context.inlineHere = false;
  context.quote = false;
  context.indent = 0;
}
