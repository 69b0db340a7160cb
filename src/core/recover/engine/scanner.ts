import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/row.ts";
import { lexToken, M3_PREFIX, type Token } from "../lex/token.ts";
import type { LeakEvent, RecoveredCall, RejectReason } from "../types.ts";
import { Candidates } from "./candidates.ts";
import { breakLine, type Context, newContext } from "./context.ts";
import { idleLines } from "./idle.ts";
import { MAX_RUN, runLength, startOfLine } from "./line.ts";
import { HARMONY_ENDS, isInvented, needsRole, RESULT_MARKS, SELF_ENDS, thinkClosers } from "./markers.ts";
import { Outbox } from "./outbox.ts";
import type { Settings } from "./settings.ts";
import { StopFinder } from "./stops.ts";
import type { Waker } from "./waker.ts";

const NOTHING: readonly LeakEvent[] = [];
/** A tag named after a tool has no row in the table: the request's tools are its openers. */
const TOOL_TAG: FormatRow = {
  format: "tag-per-tool",
  openers: [],
  closers: [],
  payloads: ["elements"],
  strength: "named",
  entities: true,
};
/**
 * The one loop that reads text. It walks over what cannot matter, keeps track of where it is, and hands every opener to
 * the readers. Whatever the readers have not decided stays in `text`; whatever is certain leaves through the outbox.
 */
export class Scanner {
  private text = "";
  /** Chunks that cannot decide the waiting candidate, not yet joined: joining each time would be quadratic. */
  private tail = "";
  private pos = 0;
  /** End of the last markup of the message: no word that leads an opener reaches back over it. */
  private passed = 0;
  private waker: Waker | undefined;
  /** The scanner waits, but not for a call: text need not wait with it. */
  private idle = false;
  private readonly context: Context;
  private readonly outbox: Outbox;
  private readonly settings: Settings;
  private readonly stops: StopFinder;
  private readonly candidates: Candidates;

  constructor(settings: Settings) {
    this.settings = settings;
    this.context = newContext(settings.startsInThink);
    this.outbox = new Outbox(settings, (text) => readAll(text, settings));
    this.candidates = new Candidates(settings, this.outbox);
    this.stops = new StopFinder(settings.stops);
  }

  push(chunk: string): readonly LeakEvent[] {
    if (chunk === "") return NOTHING;
    if (this.waker !== undefined && !this.waker.wakes(chunk)) {
      this.tail += chunk;
      return NOTHING;
    }
    return this.go(chunk, false);
  }

  end(): readonly LeakEvent[] {
    return this.go("", true);
  }

  get held(): number {
    return this.text.length + this.tail.length - this.outbox.released;
  }

  private go(chunk: string, final: boolean): readonly LeakEvent[] {
    if (this.tail !== "") {
      this.text += this.tail + chunk;
      this.tail = "";
    } else this.text += chunk;
    this.waker = undefined;
    this.stops.reset();
    this.idle = false;
    this.scan(final);
    const events = this.outbox.give(this.text, final || this.idle ? this.text.length : this.certain(), final);
    const cut = Math.min(this.outbox.released, this.pos);
    if (cut > 0) {
      this.text = this.text.slice(cut);
      this.pos -= cut;
      this.passed -= cut;
      this.outbox.shift(cut);
    }
    return events;
  }

  /**
   * How far the text cannot be part of a call. In a block of code that is not the whole message nothing is, so its text
   * need not wait for the scanner; but only to the end of the line, for the next one may close the block.
   */
  private certain(): number {
    if (this.context.fence === undefined || !this.context.visible) return this.pos;
    const lineEnd = this.text.indexOf("\n", this.pos);
    return lineEnd === -1 ? this.text.length : lineEnd;
  }

  private scan(final: boolean): void {
    const { context, text } = this;
    const length = text.length;
    while (this.pos < length) {
      if (context.lineStart) {
        if (this.mayIdle()) {
          this.idleLines();
          if (this.pos >= length) return;
        }
        const started = this.startLine(final);
        if (started === "wait") return;
        if (started === "moved") continue;
      }
      const next = this.stops.find(text, this.pos);
      if (next >= length) {
        // What may be the beginning of a literal stays unseen until it is clear.
        this.walk(final ? length : length - this.stops.partial(text, this.pos));
        return;
      }
      this.walk(next);
      if (!this.stop(text.charCodeAt(next), final)) return;
    }
  }

  /** Is nothing open that a plain line could end or belong to? */
  private mayIdle(): boolean {
    const { context } = this;
    if (context.inline > 0 || context.quote || context.indent > 0 || this.outbox.waits) return false;
    return context.fence === undefined || context.visible;
  }

  private idleLines(): void {
    const { context, settings } = this;
    const fence = context.fence === undefined ? -1 : context.fence.char.charCodeAt(0);
    const { end, visible } = idleLines(this.text, this.pos, this.stops, settings, fence);
    if (end === this.pos) return;
    if (visible && context.think === undefined) context.visible = true;
    this.pos = end;
    breakLine(context);
  }

  /** Passes over text that is no markup. */
  private walk(to: number): void {
    const { context, outbox } = this;
    if (to <= this.pos) return;
    context.first = false;
    if ((!context.visible || outbox.waits) && hasVisible(this.text, this.pos, to)) {
      if (context.think === undefined) context.visible = true;
      outbox.visibleText(this.text);
    }
    this.pos = to;
  }

  /** Markup of the message is passed without being seen. */
  private pass(to: number): true {
    this.pos = to;
    this.passed = to;
    this.context.first = false;
    return true;
  }

  private skip(to: number): true {
    this.walk(to);
    return true;
  }

  /** Handles the character the loop stopped at; false: more text is needed. */
  private stop(code: number, final: boolean): boolean {
    const { text, context, settings } = this;
    if (code === 10) {
      breakLine(context);
      this.pos += 1;
      return true;
    }
    if (code === 96) return this.backticks(final);
    const tagMarks = code === 60 ? settings.formats.marks.get("<") : undefined;
    const tagMark = tagMarks === undefined ? undefined : literalAt(tagMarks, text, this.pos, final);
    if (tagMark !== undefined) return tagMark === "more" ? false : this.candidate(tagMark, final);
    if (code === 60 || (code === 93 && M3_PREFIX.startsWith(text.slice(this.pos, this.pos + M3_PREFIX.length))))
      return this.token(final);
    const char = text[this.pos] as string;
    const literal = literalAt(settings.formats.marks.get(char) ?? settings.formats.words, text, this.pos, final);
    if (literal === "more") return false;
    if (literal !== undefined) return this.candidate(this.withLead(literal), final);
    for (const mark of RESULT_MARKS) {
      if (text.startsWith(mark, this.pos) && this.place() === undefined) context.invented = true;
      else if (!final && text.length - this.pos < mark.length && mark.startsWith(text.slice(this.pos))) return false;
    }
    return this.skip(this.pos + 1);
  }

  /** Moves the start of an opening before the words that lead it. */
  private withLead(opening: Opening): Opening {
    // In a fence text goes out ahead of the scanner; nothing is taken there, so nothing leads it.
    if (this.context.fence !== undefined && this.context.visible) return opening;
    const from = Math.max(this.outbox.released, this.passed, opening.start - 24);
    const before = this.text.slice(from, opening.start);
    const lead = opening.rows[0]?.leads?.find((one) => before.endsWith(one));
    return lead === undefined ? opening : { ...opening, start: opening.start - lead.length };
  }

  /** The first character of a line: fences, quotes, and the forms that only count there. */
  private startLine(final: boolean): "wait" | "moved" | "plain" {
    const { context, text, settings } = this;
    let code = text.charCodeAt(this.pos);
    while (code === 32 || code === 9) {
      context.indent += code === 9 ? 4 : 1;
      this.pos += 1;
      code = text.charCodeAt(this.pos);
    }
    if (this.pos >= text.length) return "moved";
    if (code === 10 || code === 13) return this.lineDone();
    if (context.fence !== undefined) return this.closeFence(final);
    const start = startOfLine(text, this.pos, final, settings);
    if (start.kind === "wait") {
      this.idle = start.plain === true;
      return "wait";
    }
    if (start.kind === "quote") {
      context.quote = true;
      this.pass(this.pos + 1);
    } else if (start.kind === "result" && this.place() === undefined) context.invented = true;
    else if (start.kind === "think" && context.think === undefined && settings.think !== "always") {
      context.think = SELF_ENDS;
      this.pass(start.end);
    } else if (start.kind === "opening") {
      context.lineStart = false;
      if (!this.candidate(start.opening, final)) {
        context.lineStart = true;
        return "wait";
      }
      return "moved";
    } else if (start.kind === "fence") {
      const at = this.pos;
      // A fence ends the paragraph, and with it inline code that nobody closed.
      context.inline = 0;
      if (start.opening !== undefined && (this.place() === undefined || settings.ungated)) {
        if (!this.candidate(start.opening, final)) return "wait";
        if (this.pos > at + 3) {
          context.lineStart = false;
          return "moved";
        }
      }
      context.fence = { char: start.char, length: start.length };
      this.pass(start.end);
      // A block behind others cannot be part of a message that is only one block.
      if (this.outbox.waits) this.outbox.visibleText(text);
    }
    return this.lineDone();
  }

  private lineDone(): "plain" {
    this.context.lineStart = false;
    return "plain";
  }

  private closeFence(final: boolean): "wait" | "plain" {
    const { context, text } = this;
    const fence = context.fence as NonNullable<Context["fence"]>;
    if (text[this.pos] !== fence.char) return this.lineDone();
    const length = runLength(text, this.pos, fence.char);
    const stop = this.pos + length + MAX_RUN;
    let i = this.pos + length;
    while (i < stop && (text[i] === " " || text[i] === "\t" || text[i] === "\r")) i += 1;
    if (length > MAX_RUN || i >= stop) return this.lineDone();
    if (i >= text.length && !final) return "wait";
    if (length >= fence.length && (i >= text.length || text[i] === "\n")) {
      context.fence = undefined;
      this.pass(i);
    }
    return this.lineDone();
  }

  private backticks(final: boolean): boolean {
    const { context, text } = this;
    const run = runLength(text, this.pos, "`");
    // In a fence backticks are nothing but text.
    if (context.fence !== undefined) return this.skip(this.pos + run);
    if (this.pos + run >= text.length && !final && run <= MAX_RUN) return false;
    if (run > MAX_RUN) return this.skip(this.pos + run);
    if (context.inline === 0) {
      context.inline = run;
      context.inlineHere = true;
    } else if (context.inline === run) {
      context.inline = 0;
      context.inlineHere = false;
    }
    return this.pass(this.pos + run);
  }

  private token(final: boolean): boolean {
    const { text, context, settings } = this;
    const relevant = settings.relevant(text, this.pos, final);
    if (relevant === undefined) return false;
    const token = relevant ? lexToken(text, this.pos, final) : null;
    if (token === "more") return false;
    if (token === null) return this.skip(this.pos + 1);
    if (context.fence === undefined && context.inline === 0) {
      if (context.think?.includes(token.key) && (token.close || token.key.includes("|"))) {
        context.think = undefined;
        if (openingOf(settings.formats, token) === undefined) {
          this.pass(token.end);
          // The answer begins here, whether or not a line does.
          context.lineStart = true;
          context.first = true;
          return true;
        }
      }
      const closers = context.think === undefined && settings.think !== "always" ? thinkClosers(token) : undefined;
      if (closers !== undefined) {
        context.think = closers;
        return this.pass(token.end);
      }
      if (!final && needsRole(token, text)) return false;
      if (isInvented(token, text)) {
        if (this.place() === undefined) context.invented = true;
        return this.skip(token.end);
      }
    }
    const found = openingOf(settings.formats, token);
    // A tag that says little is the tool's own when the tool is called like that.
    const opening =
      found === undefined || found.rows.every((row) => row.strength === "named")
        ? (this.toolTag(token) ?? found)
        : found;
    return opening === undefined ? this.skip(this.pos + 1) : this.candidate(opening, final);
  }

  private toolTag(token: Token): Opening | undefined {
    if (token.close || token.skin !== "" || token.value !== undefined) return undefined;
    const name = this.settings.toolTags.get(token.key);
    return name === undefined
      ? undefined
      : { rows: [TOOL_TAG], token, key: token.key, name, start: token.start, bodyAt: token.end };
  }

  /** Why nothing is a call here, or undefined where everything can be. */
  private place(): RejectReason | undefined {
    const { context, settings } = this;
    if (settings.ungated) return undefined;
    if (context.invented) return "after-invented-result";
    if (context.fence !== undefined || (context.inline > 0 && (context.inlineHere || !context.first))) return "in-code";
    if (context.indent >= 4 && context.visible && context.first) return "in-code";
    if (context.quote) return "in-quote";
    return context.think === undefined ? undefined : "in-think";
  }

  /** An opener: reads the candidate and has it judged; false: more text is needed. */
  private candidate(opening: Opening, final: boolean): boolean {
    const { context, text } = this;
    const place = this.place();
    const found = this.candidates.consider(text, opening, final, place, context.visible);
    if (found.kind === "wait") {
      this.waker = found.waker;
      // What leads the opener waits with it.
      this.pos = Math.min(this.pos, opening.start);
      return false;
    }
    if (found.kind === "passed") return this.passOpener(opening, found.after, place !== undefined);
    this.pos = found.end;
    context.first = false;
    // Calls without an envelope come in rows on one line.
    if (found.row.bare === true && found.row.strength === "weak") context.lineStart = true;
    return true;
  }

  /** Goes on behind an opener that led to nothing. */
  private passOpener(opening: Opening, after: number, quoted: boolean): true {
    const { context, text } = this;
    if (!quoted && opening.token?.key === "|channel|" && /^\s{0,2}analysis/.test(text.slice(after, after + 12))) {
      context.think = HARMONY_ENDS;
      return this.pass(after);
    }
    if (!quoted && opening.token?.key === "|start|" && /^assistant to=self/.test(text.slice(after, after + 20))) {
      context.think = SELF_ENDS;
      return this.pass(after);
    }
    // A literal may hold other openers; a fence line is handled by whoever found it.
    if (opening.token === undefined) return text[opening.start] === "`" ? true : this.skip(this.pos + 1);
    return this.skip(opening.stray === true ? this.pos + 1 : Math.max(after, this.pos + 1));
  }
}

function hasVisible(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return true;
  }
  return false;
}

/** Every call a text holds, wherever it stands. */
function readAll(text: string, settings: Settings): readonly RecoveredCall[] {
  const scanner = new Scanner({ ...settings, ungated: true, context: [], newId: () => "" });
  const events = [...scanner.push(text), ...scanner.end()];
  return events.flatMap((event) => (event.kind === "call" ? [event.call] : []));
}
