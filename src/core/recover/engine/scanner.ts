import { toolsForReading } from "../echo/given-tools.ts";
import { literalAt } from "../formats/index-formats.ts";
import { MINIMAX_PREFIX } from "../lex/token.ts";
import type { LeakEvent, RecoveredCall } from "../types.ts";
import { breakLine } from "./context.ts";
import { MAX_RUN, runLength } from "./line.ts";
import { RESULT_MARKS, THINK_ENDS, THINK_MARKS } from "./markers.ts";
import { ScanState } from "./scan-state.ts";
import type { Settings } from "./settings.ts";
import { skipPlainLines } from "./skip-plain-lines.ts";
import { startLine } from "./start-line.ts";
import { StopFinder } from "./stops.ts";
import { takeOpener, withLead } from "./take-opener.ts";
import { takeTag } from "./take-tag.ts";

const NOTHING: readonly LeakEvent[] = [];

/**
 * The main loop. It skips text that cannot matter, tracks the context and passes every opener to the readers. Undecided
 * text stays in the state; text and calls that are certain leave through the outbox.
 */
export class Scanner {
  /** Chunks that cannot complete the waiting candidate. Appending each one to the text would be quadratic. */
  private tail = "";
  private readonly state: ScanState;
  private readonly stops: StopFinder;

  constructor(settings: Settings) {
    this.state = new ScanState(settings, (text) => readAll(text, settings));
    this.stops = new StopFinder(settings.stops);
  }

  push(chunk: string): readonly LeakEvent[] {
    if (chunk === "") return NOTHING;
    const { reparseGate } = this.state;
    if (reparseGate !== undefined && !reparseGate.shouldReparse(chunk)) {
      this.tail += chunk;
      return NOTHING;
    }
    return this.process(chunk, false);
  }

  end(): readonly LeakEvent[] {
    return this.process("", true);
  }

  get held(): number {
    const { text, outbox } = this.state;
    return text.length + this.tail.length - outbox.released + outbox.held;
  }

  private process(chunk: string, final: boolean): readonly LeakEvent[] {
    const { state } = this;
    if (this.tail !== "") {
      state.text += this.tail + chunk;
      this.tail = "";
    } else state.text += chunk;
    state.reparseGate = undefined;
    state.canRelease = false;
    this.stops.reset();
    this.scan(final);
    const events = state.outbox.flush(
      state.text,
      final || state.canRelease ? state.text.length : this.certainEnd(),
      final,
    );
    if (!final) state.dropReleased();
    return events;
  }

  /**
   * Returns the end of the text that cannot be part of a call. In a code block that is not the whole message there are
   * no calls, so its text is released up to the end of the line; the next line may close the block.
   */
  private certainEnd(): number {
    const { context, text, pos } = this.state;
    if (context.fence === undefined || !context.visible) return pos;
    const lineEnd = text.indexOf("\n", pos);
    return lineEnd === -1 ? text.length : lineEnd;
  }

  private scan(final: boolean): void {
    const { state } = this;
    const { context, text } = state;
    const length = text.length;
    while (state.pos < length) {
      if (context.lineStart) {
        if (this.canSkipLines()) {
          this.skipPlainLines();
          if (state.pos >= length) return;
        }
        const started = startLine(state, final);
        if (started === "wait") return;
        if (started === "moved") continue;
      }
      const next = this.stops.find(text, state.pos);
      if (next >= length) {
        // Text that may be the start of a literal is not skipped until it is decided.
        state.skipText(final ? length : length - this.stops.partial(text, state.pos));
        return;
      }
      state.skipText(next);
      if (!this.handleStop(text.charCodeAt(next), final)) return;
    }
  }

  /** Whether no inline code, quote or queued call is open that a plain line could affect. */
  private canSkipLines(): boolean {
    const { context, outbox } = this.state;
    if (context.inline > 0 || context.quote || context.indent > 0 || outbox.hasQueued) return false;
    return context.fence === undefined || context.visible;
  }

  private skipPlainLines(): void {
    const { state } = this;
    const { context } = state;
    const fence = context.fence === undefined ? -1 : context.fence.char.charCodeAt(0);
    const { end, visible } = skipPlainLines(state.text, state.pos, this.stops, state.settings, fence);
    if (end === state.pos) return;
    if (visible && context.think === undefined) context.visible = true;
    state.pos = end;
    breakLine(context);
  }

  /** Handles thinking that is marked without tags. */
  private thinkMark(final: boolean): "moved" | "wait" | undefined {
    const { state } = this;
    const { text, pos, context, settings } = state;
    if (settings.think === "always" || context.fence !== undefined || context.inline > 0) return undefined;
    for (const mark of [...THINK_MARKS.keys(), ...THINK_ENDS]) {
      if (!text.startsWith(mark, pos)) {
        if (!final && text.length - pos < mark.length && mark.startsWith(text.slice(pos))) return "wait";
        continue;
      }
      const end = THINK_MARKS.get(mark);
      if (end !== undefined) {
        if (context.think !== undefined) continue;
        context.think = [end];
        state.skipMarkup(pos + mark.length);
      } else if (context.think === undefined) state.endThinking(pos + mark.length);
      else if (context.think.includes(mark)) {
        context.think = undefined;
        state.skipMarkup(pos + mark.length);
        context.lineStart = true;
        context.first = true;
        state.startResponse();
      } else continue;
      return "moved";
    }
    return undefined;
  }

  /** Handles the character at which the loop stopped. Returns false if more text is needed. */
  private handleStop(code: number, final: boolean): boolean {
    const { state } = this;
    const { text, context, settings } = state;
    if (code === 10) {
      breakLine(context);
      state.pos += 1;
      return true;
    }
    if (code === 96) return takeBackticks(state, final);
    const tagMarks = code === 60 ? settings.formats.marks.get("<") : undefined;
    const tagMark = tagMarks === undefined ? undefined : literalAt(tagMarks, text, state.pos, final);
    if (tagMark !== undefined) return tagMark === "more" ? false : takeOpener(state, tagMark, final);
    if (
      code === 60 ||
      (code === 93 && MINIMAX_PREFIX.startsWith(text.slice(state.pos, state.pos + MINIMAX_PREFIX.length)))
    )
      return takeTag(state, final);
    const char = text[state.pos] as string;
    const literal = literalAt(settings.formats.marks.get(char) ?? settings.formats.words, text, state.pos, final);
    if (literal === "more") return false;
    if (literal !== undefined) return takeOpener(state, withLead(state, literal), final);
    const thinking = this.thinkMark(final);
    if (thinking !== undefined) return thinking === "moved";
    for (const mark of RESULT_MARKS) {
      if (text.startsWith(mark, state.pos)) state.startInvented();
      else if (!final && text.length - state.pos < mark.length && mark.startsWith(text.slice(state.pos))) return false;
    }
    state.skipText(state.pos + 1);
    return true;
  }
}

/** Opens or closes inline code. Returns false if more backticks may follow. */
function takeBackticks(state: ScanState, final: boolean): boolean {
  const { context, text, pos } = state;
  const run = runLength(text, pos, "`");
  // In a fence, backticks are plain text.
  if (context.fence !== undefined || run > MAX_RUN) {
    state.skipText(pos + run);
    return true;
  }
  if (pos + run >= text.length && !final) return false;
  if (context.inline === 0) {
    context.inline = run;
    context.inlineHere = true;
  } else if (context.inline === run) {
    context.inline = 0;
    context.inlineHere = false;
  }
  state.skipMarkup(pos + run);
  return true;
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
