import { NEED_MORE, Text } from "../../text/cursor.ts";
import { toolsForReading } from "../echo/given-tools.ts";
import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import { SELF_ENDS, TOOL_ROWS } from "../formats/table.ts";
import { MINIMAX_PREFIX, type Token, tokenAt } from "../lex/token.ts";
import type { LeakEvent, RecoveredCall } from "../types.ts";
import { type FenceStart, MAX_RUN, runLength, startOfLine } from "./line.ts";
import {
  endsThinking,
  FRAME_MARKS,
  frameEnd,
  isSimulatedResult,
  RESULT_MARKS,
  THINK_ENDS,
  THINK_MARKS,
  thinkClosers,
} from "./markers.ts";
import { breakLine, type Context, ScanState } from "./scan-state.ts";
import type { Settings } from "./settings.ts";
import { StopFinder } from "./stops.ts";

const NOTHING: readonly LeakEvent[] = [];
/** Upper bound for the length of the words before an opener. */
const LEAD_REACH = 24;
/** How far the beginning of a message to the model itself is looked for. */
const THOUGHT_HEAD = 24;

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
    const { reparseGate } = this.state.candidates;
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
    state.source = new Text(state.text + this.tail + chunk, final);
    this.tail = "";
    state.candidates.reparseGate = undefined;
    state.canRelease = false;
    this.stops.reset();
    try {
      this.scan();
    } catch (error) {
      if (error !== NEED_MORE) throw error;
    }
    const end = final || state.canRelease ? state.text.length : this.certainEnd();
    const events = state.outbox.flush(state.text, end, final);
    if (!final) state.dropReleased();
    return events;
  }

  /**
   * Returns the end of the text that cannot be part of a call. In a code block that is not the whole message there are
   * no calls, so its text is released up to the end of the line; the next line may close the block.
   */
  private certainEnd(): number {
    const { context, text, pos } = this.state;
    // Frames belong to the call that may follow them directly.
    if (context.fence === undefined || !context.visible) return Math.min(pos, this.state.frameStart ?? pos);
    const lineEnd = text.indexOf("\n", pos);
    return lineEnd === -1 ? text.length : lineEnd;
  }

  private scan(): void {
    const { state } = this;
    const { context, source } = state;
    const { stops } = this;
    const { text, length } = source;
    while (state.pos < length) {
      if (context.lineStart && this.startLine()) continue;
      const next = stops.find(text, state.pos);
      if (next >= length) {
        // Text that may be the start of a literal is not skipped until it is decided.
        state.skipText(source.final ? length : length - stops.partial(text, state.pos));
        return;
      }
      state.skipText(next);
      this.handleStop(text.charCodeAt(next));
    }
  }

  /** Handles the start of a line: fences, quotes, and the forms that are only valid there. Returns whether it moved. */
  private startLine(): boolean {
    const { state } = this;
    const { context, source, settings } = state;
    const code = skipIndent(state);
    if (state.pos >= source.length) return true;
    if (code === 10 || code === 13) return continueLine(context);
    if (context.fence !== undefined) return closeFence(state, context.fence);
    const start = startOfLine(source, state.pos, settings, () => {
      state.canRelease = true;
    });
    state.canRelease = false;
    switch (start.kind) {
      case "opening":
        takeOpener(state, start.opening);
        return true;
      case "fence":
        return openFence(state, start);
      case "quote":
        context.quote = true;
        state.skipMarkup(state.pos + 1);
        break;
      case "result":
        state.startInvented();
        break;
      case "think":
        if (context.think !== undefined || settings.think === "always") break;
        context.think = SELF_ENDS;
        state.skipMarkup(start.end);
        break;
      case "plain":
        break;
    }
    return continueLine(context);
  }

  /** Handles the character at which the loop stopped. */
  private handleStop(code: number): void {
    const { state } = this;
    const { source, context, settings } = state;
    const { marks, words } = settings.formats;
    const { pos } = state;
    if (code === 10) {
      breakLine(context);
      state.pos += 1;
      return;
    }
    if (code === 96) {
      takeBackticks(state);
      return;
    }
    const char = source.at(pos);
    const literal = literalAt(marks.get(char) ?? (code === 60 ? [] : words), source, pos);
    if (literal !== undefined) takeOpener(state, withLead(state, literal));
    else if (code === 60 || (code === 93 && source.startsWith(MINIMAX_PREFIX, pos))) takeTag(state);
    else if (!takeThinkMark(state) && !takeFrameMark(state)) {
      if (RESULT_MARKS.some((mark) => source.startsWith(mark, pos))) state.startInvented();
      state.skipText(pos + 1);
    }
  }
}

/** Counts the indentation and returns the character after it. */
function skipIndent(state: ScanState): number {
  const { context, text } = state;
  let code = text.charCodeAt(state.pos);
  while (code === 32 || code === 9) {
    context.indent += code === 9 ? 4 : 1;
    state.pos += 1;
    code = text.charCodeAt(state.pos);
  }
  return code;
}

function continueLine(context: Context): false {
  context.lineStart = false;
  return false;
}

/** Opens a fenced block, unless it is a call. Returns whether it was one. */
function openFence(state: ScanState, start: FenceStart): boolean {
  const { context, outbox, settings } = state;
  const at = state.pos;
  // A fence ends the paragraph, and with it inline code that was never closed.
  context.inline = 0;
  if (start.opening !== undefined && (state.rejectReason() === undefined || settings.ungated)) {
    takeOpener(state, start.opening);
    if (state.pos > at + 3) return true;
  }
  context.fence = { char: start.char, length: start.length };
  state.skipMarkup(start.end);
  // A second block shows that the block before it is not the whole message.
  if (outbox.isConditional) outbox.visibleText();
  return continueLine(context);
}

function closeFence(state: ScanState, fence: NonNullable<Context["fence"]>): false {
  const { context, source, pos } = state;
  if (source.at(pos) !== fence.char) return continueLine(context);
  const length = runLength(source.text, pos, fence.char);
  if (length > MAX_RUN) return continueLine(context);
  const i = source.skipWhile(pos + length, MAX_RUN, (c) => c === 32 || c === 9 || c === 13);
  const isLast = source.at(i) === "" || source.at(i) === "\n";
  if (i < pos + length + MAX_RUN && length >= fence.length && isLast) {
    context.fence = undefined;
    state.skipMarkup(i);
  }
  return continueLine(context);
}

/** Opens or closes inline code. */
function takeBackticks(state: ScanState): void {
  const { context, source, pos } = state;
  const run = runLength(source.text, pos, "`");
  // In a fence, backticks are plain text.
  if (context.fence !== undefined || run > MAX_RUN) {
    state.skipText(pos + run);
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
  state.skipMarkup(pos + run);
}

/** Handles thinking that is marked without tags. Returns whether there was a mark. */
function takeThinkMark(state: ScanState): boolean {
  const { source, pos, context, settings } = state;
  if (settings.think === "always" || context.fence !== undefined || context.inline > 0) return false;
  for (const mark of [...THINK_MARKS.keys(), ...THINK_ENDS]) {
    if (!source.startsWith(mark, pos)) continue;
    const end = THINK_MARKS.get(mark);
    if (end !== undefined) {
      if (context.think !== undefined) continue;
      context.think = [end];
      state.skipMarkup(pos + mark.length);
    } else if (context.think === undefined) state.endThinking(pos + mark.length);
    else if (context.think.includes(mark)) state.closeThinking(pos + mark.length);
    else continue;
    return true;
  }
  return false;
}

/** Handles a frame that is marked without tags. Returns whether there was one. */
function takeFrameMark(state: ScanState): boolean {
  const { source, pos, context } = state;
  if (context.fence !== undefined || context.inline > 0) return false;
  const mark = FRAME_MARKS.find((one) => source.startsWith(one, pos));
  if (mark !== undefined) state.skipFrame(pos + mark.length);
  return mark !== undefined;
}

/** Handles a possible tag of thinking, of a turn or of a call. */
function takeTag(state: ScanState): void {
  const { source, pos, context, settings } = state;
  const token = settings.isRelevantTag(source, pos) ? tokenAt(source, pos) : null;
  const isPlace = context.fence === undefined && context.inline === 0;
  if (token !== null && isPlace && takeThinking(state, token)) return;
  if (token !== null && isPlace && isSimulatedResult(token, source)) {
    state.startInvented();
    state.skipText(token.end);
    return;
  }
  const opening = token === null ? undefined : openingFor(token, settings);
  const frame = token === null || !isPlace || opening !== undefined ? undefined : frameEnd(token, source);
  if (opening !== undefined) takeOpener(state, opening);
  else if (frame !== undefined) state.skipFrame(frame);
  else state.skipText(pos + 1);
}

/** Handles a tag that begins or ends thinking. Returns false if the tag also needs other handling. */
function takeThinking(state: ScanState, token: Token): boolean {
  const { context, settings } = state;
  if (context.think?.includes(token.key) && (token.close || token.key.includes("|"))) {
    // The next message begins with the token that ends the thinking.
    if (openingOf(settings.formats, token) === undefined) {
      state.closeThinking(token.end);
      return true;
    }
    context.think = undefined;
    // A token that a thought mentions in the middle of a sentence is judged by that sentence.
    state.startResponse("unless-in-sentence");
  }
  if (context.think !== undefined || settings.think === "always") return false;
  if (endsThinking(token)) {
    state.endThinking(token.end);
    return true;
  }
  const closers = thinkClosers(token);
  if (closers === undefined) return false;
  context.think = closers;
  state.skipMarkup(token.end);
  return true;
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

/** Handles an opener: parses and evaluates the candidate. */
function takeOpener(state: ScanState, opening: Opening): void {
  const { context, source, pos } = state;
  const { token } = opening;
  const reason = state.rejectReason(token === undefined ? "text" : token.key.includes("|") ? "special" : "tag");
  // While the candidate is incomplete, the words before the opener must not be released.
  state.pos = Math.min(pos, opening.start);
  const found = state.candidates.consider(source, opening, {
    reason,
    isVisible: context.visible,
    isBlock: context.fence !== undefined,
    isFirst: context.first,
    frameStart: state.frameStart,
    backticks: reason === undefined && !state.settings.ungated ? "`".repeat(context.inline) : "",
  });
  state.pos = pos;
  context.lineStart = false;
  if (found.kind === "passed") {
    if (found.dataEnd !== undefined && source.at(opening.start) !== "`") state.skipText(found.dataEnd);
    else passOpener(state, opening, found.after, reason !== undefined);
  } else if (found.kind === "left") state.skipText(found.end);
  else {
    state.pos = found.end;
    state.frameStart = undefined;
    context.first = false;
    if (found.dataEnd !== undefined) state.skipText(found.dataEnd);
    // Calls without an envelope may follow one another on one line.
    context.lineStart = found.row.bare === true && found.row.strength === "weak";
  }
}

/** Extends an opening to include the words that introduce it. */
function withLead(state: ScanState, opening: Opening): Opening {
  // In a fence, text is released ahead of the scanner and no calls are accepted, so there is nothing to extend.
  if (state.context.fence !== undefined && state.context.visible) return opening;
  const from = Math.max(state.outbox.released, state.markupEnd, opening.start - LEAD_REACH);
  const before = state.text.slice(from, opening.start);
  const lead = opening.rows[0]?.leads?.find((one) => before.endsWith(one));
  return lead === undefined ? opening : { ...opening, start: opening.start - lead.length };
}

/** Continues after an opener that did not lead to a call. */
function passOpener(state: ScanState, opening: Opening, after: number, quoted: boolean): void {
  const thinkEnds = quoted ? undefined : thinkEndsAfter(opening, state.text, after);
  if (thinkEnds !== undefined) {
    state.context.think = thinkEnds;
    state.skipMarkup(after);
    return;
  }
  const next = state.pos + 1;
  // A literal may contain other openers. The caller handles fence lines.
  if (opening.token !== undefined) state.skipText(opening.stray === true ? next : Math.max(after, next));
  else if (state.text[opening.start] !== "`") state.skipText(next);
}

/** Returns the keys that end a message from the model to itself, if one begins here. */
function thinkEndsAfter({ rows }: Opening, text: string, after: number): readonly string[] | undefined {
  const head = text.slice(after, after + THOUGHT_HEAD).replace(/^\s{1,2}/, "");
  return rows.flatMap((row) => row.thoughts ?? []).find(({ begin }) => head.startsWith(begin))?.ends;
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
