import { canonicalJson } from "../../json/values.ts";
import { type After, type Candidate, decideAtEnd, evidenceOf } from "../decision/decide.ts";
import { isConnector, withoutTags } from "../decision/sentence.ts";
import type { SurroundingText } from "../decision/surroundings.ts";
import type { FormatRow } from "../formats/table.ts";
import type { Evidence, LeakEvent, RecoveredCall, RejectReason, Span } from "../types.ts";
import type { AcceptedCall } from "./gate.ts";
import type { Settings } from "./settings.ts";

/** How much whitespace next to a call is removed with it. More is layout. */
export const MAX_BLANKS = 4;
/** How much whitespace may be between two calls of one wrapper. */
const MAX_GAP_CHARS = 64;
/** How much of the text after a call the closing gates examine. */
const MAX_AFTER_CHARS = 600;
/** How much text may be held after a call until the end of the message. */
const MAX_HELD_CHARS = 32 << 20;

/** A format whose envelope may contain several calls of another format. */
interface Wrapper {
  readonly format: string;
  readonly closer: string;
}

function wrapperOf({ outer, format, openers }: FormatRow): Wrapper | undefined {
  const opener = openers[0] ?? "";
  const at = opener.lastIndexOf("<");
  if (outer !== true || at === -1 || !opener.endsWith(">")) return undefined;
  return { format, closer: `${opener.slice(0, at)}</${opener.slice(at + 1)}` };
}

/** Calls that are held until the end of the message, because later text may show that they are only a mention. */
interface HeldCalls {
  /** Where they are in the whole message. */
  readonly span: Span;
  readonly format: string;
  /** The wrapper around these calls, if more may follow in it. */
  readonly wrapper: Wrapper | undefined;
  readonly calls: readonly AcceptedCall[];
  /** Absent if gates are off. */
  readonly candidate: Candidate | undefined;
  /** Set if the call must be last in the message: the reason for rejecting it if visible text follows. */
  readonly rejectIfFollowed: RejectReason | undefined;
  rejected: RejectReason | undefined;
}

/** A candidate whose calls are accepted. `callStart`: where it begins, behind the frame tokens that go with it. */
export interface Accepted extends Pick<HeldCalls, "format" | "calls" | "candidate" | "rejectIfFollowed"> {
  readonly callStart: number;
}

/** What is removed from the held text for a call: the call and whitespace that only separates it. */
interface Cut {
  readonly held: HeldCalls;
  readonly from: number;
  /** Where the call itself ends. */
  readonly end: number;
  readonly to: number;
}

/**
 * Emits text as soon as it is certain, and holds it from the first call on until the end of the message. Positions are
 * in the scanner's buffered text, unless they are said to be in the whole message.
 */
export class Outbox {
  /** How much of the buffered text was emitted or is held. */
  released = 0;
  /** A held call depends on whether visible text follows it. */
  isConditional = false;
  /** Position of the buffered text's first character in the whole message. */
  offset = 0;
  private events: LeakEvent[] = [];
  private queue: HeldCalls[] = [];
  /** The text since the first held call, and where it begins in the whole message. */
  private heldText = "";
  private heldFrom = 0;
  /** Length of the whitespace at the end of the released text. */
  private trailingWhitespace = 0;
  private hasEmittedVisible = false;
  /** End of the thinking whose opener is not part of the message, in the whole message. */
  private thinkingEnd = 0;
  /** Start of the turns that the model invented for the user or the tools, in the whole message. */
  private responseEnd = Number.POSITIVE_INFINITY;
  private readonly settings: Settings;
  private readonly surroundings: SurroundingText;

  constructor(settings: Settings, surroundings: SurroundingText) {
    this.settings = settings;
    this.surroundings = surroundings;
  }

  /** Characters that are held until the end of the message because they follow a call. */
  get held(): number {
    return this.heldText.length;
  }

  shift(by: number): void {
    this.offset += by;
    this.released -= by;
  }

  /** Reports that a candidate stays text. */
  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    this.events.push(rejection(this.span(start, end), format, reason, name));
  }

  /** Marks everything before `at` as thinking whose opener is not part of the text. */
  endThinking(at: number): void {
    this.thinkingEnd = this.offset + at;
  }

  /** Marks everything after `at` as invented, not part of the model's own response. */
  endResponse(at: number): void {
    this.responseEnd = Math.min(this.responseEnd, this.offset + at);
  }

  /** Reports that visible text follows: calls that had to be last are rejected. */
  visibleText(): void {
    if (!this.isConditional) return;
    this.isConditional = false;
    for (const held of this.queue) held.rejected ??= held.rejectIfFollowed;
  }

  /** The wrapper of the call directly before `start`, if it is still open: `<minimax:tool_call>` with two invokes. */
  private openWrapper(text: string, start: number): Wrapper | undefined {
    const last = this.queue.at(-1);
    if (last?.wrapper === undefined || this.offset + start - last.span.end > MAX_GAP_CHARS) return undefined;
    const held = this.heldText.slice(last.span.end - this.heldFrom);
    const gap = held + text.slice(Math.max(this.released, last.span.end - this.offset), start);
    return gap.trim() === "" ? last.wrapper : undefined;
  }

  /** The format of a call: its own, or that of the wrapper around it. */
  formatOf(text: string, start: number, row: FormatRow, own: string): string {
    return (this.openWrapper(text, start) ?? wrapperOf(row))?.format ?? own;
  }

  /** Holds an accepted candidate until the end of the message. */
  hold(
    text: string,
    [start, end]: readonly [number, number],
    row: FormatRow,
    { format, calls, candidate, rejectIfFollowed, callStart }: Accepted,
  ): void {
    const wrapper = this.openWrapper(text, callStart) ?? wrapperOf(row);
    // A call outside code and thinking turns every held call that had to be last into a draft.
    if (rejectIfFollowed === undefined) this.visibleText();
    else this.isConditional = true;
    if (this.queue.length === 0) {
      this.release(text, this.beforeBlanks(text, start));
      this.heldFrom = this.offset + this.released;
    }
    const open = wrapper === undefined || text.slice(callStart, end).includes(wrapper.closer) ? undefined : wrapper;
    const span = this.span(start, end);
    this.queue.push({ span, format, wrapper: open, calls, candidate, rejectIfFollowed, rejected: undefined });
  }

  /** Returns the events that are certain. `upTo` is the scanner's position. */
  flush(text: string, upTo: number, final: boolean): readonly LeakEvent[] {
    // A few trailing whitespace characters are kept back: they may belong to a call.
    this.release(text, final ? upTo : this.beforeBlanks(text, upTo));
    if (final) {
      this.surroundings.finish(text, this.offset);
      return this.finish();
    }
    if (this.heldText.length > MAX_HELD_CHARS) return this.resolve(() => "too-large");
    return this.queue.length > 0 ? [] : this.takeEvents();
  }

  private takeEvents(): readonly LeakEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  /** Emits or holds the text up to `to`. */
  private release(text: string, to: number): void {
    if (to <= this.released) return;
    const out = text.slice(this.released, to);
    this.released = to;
    const visible = trimEndIndex(out, 0, out.length);
    this.trailingWhitespace = visible === 0 ? this.trailingWhitespace + out.length : out.length - visible;
    if (this.queue.length > 0) this.heldText += out;
    else this.events.push({ kind: "text", text: out });
    if (visible > 0 && this.queue.length === 0) this.hasEmittedVisible = true;
  }

  /** Start of the whitespace before `at`, or `at` if there is too much of it to remove with a call. */
  private beforeBlanks(text: string, at: number): number {
    const i = trimEndIndex(text, this.released, at);
    const run = at - i + (i === this.released ? this.trailingWhitespace : 0);
    return run > MAX_BLANKS ? at : i;
  }

  /** Decides the held calls at the end of the message. */
  private finish(): readonly LeakEvent[] {
    const { think } = this.settings;
    const rejectsThinking = this.thinkingEnd > 0 && (think === "never" || this.hasResponse());
    return this.resolve(({ held, from }, after) => {
      if (held.candidate === undefined) return undefined;
      return rejectsThinking && this.isInThinking(from) ? "in-think" : decideAtEnd(held.candidate, after);
    });
  }

  /** Turns each held call into a call, or back into text. */
  private resolve(decide: (cut: Cut, after: After) => RejectReason | undefined): readonly LeakEvent[] {
    const { queue, heldText } = this;
    const cuts = this.cuts();
    const followings = textAfterEach(heldText, cuts, this.responseEnd - this.heldFrom);
    const compared = inSeveralFormats(cuts);
    for (const { rejected, span, format, calls } of queue)
      if (rejected !== undefined) this.events.push(rejection(span, format, rejected, calls[0]?.name));
    let at = 0;
    for (const cut of cuts) {
      const { format, calls } = cut.held;
      const after = followings.get(cut) as After;
      const reason =
        decide(cut, after) ??
        (compared.size > 0 && calls.some((call) => compared.has(keyOf(call))) ? ("example" as const) : undefined);
      const span = { start: this.heldFrom + cut.from, end: this.heldFrom + cut.to };
      this.pushText(heldText.slice(at, reason === undefined ? cut.from : cut.to));
      at = cut.to;
      if (reason !== undefined) this.events.push(rejection(span, format, reason, calls[0]?.name));
      else this.pushCalls(span, format, calls, this.evidenceOf(cut, after));
    }
    this.pushText(heldText.slice(at));
    this.hasEmittedVisible ||= hasVisible(heldText, 0, heldText.length);
    this.queue = [];
    this.isConditional = false;
    this.heldText = "";
    return this.takeEvents();
  }

  /** Finds the whitespace that only separates the calls from the text. It is removed with them. */
  private cuts(): readonly Cut[] {
    const { heldText: text, heldFrom } = this;
    const accepted = this.queue.filter(({ rejected }) => rejected === undefined);
    let isVisible = this.hasEmittedVisible;
    let at = 0;
    return accepted.map((held, index) => {
      const start = held.span.start - heldFrom;
      const end = held.span.end - heldFrom;
      const next = accepted[index + 1]?.span.start;
      const limit = next === undefined ? text.length : next - heldFrom;
      const after = countWhitespace(text, end, limit);
      const isFollowed = end + after < limit;
      isVisible ||= hasVisible(text, at, start);
      const blanks = trimEndIndex(text, at, start);
      const keepsBlanks = (isFollowed && after === 0) || start - blanks > MAX_BLANKS;
      // Removes whitespace after the last call, and between a call and the first visible text of the message.
      const removesAfter = after <= MAX_BLANKS && (isFollowed ? !isVisible : next === undefined);
      at = removesAfter ? end + after : end;
      return { held, from: keepsBlanks ? start : blanks, end, to: at };
    });
  }

  private isInThinking(from: number): boolean {
    return this.heldFrom + from < this.thinkingEnd;
  }

  /** Whether text or a call follows the thinking. */
  private hasResponse(): boolean {
    const cuts = this.cuts();
    if (cuts.some(({ from }) => !this.isInThinking(from))) return true;
    const from = Math.max(this.thinkingEnd - this.heldFrom, cuts.at(-1)?.to ?? 0);
    return withoutTags(this.heldText.slice(from)).trim() !== "";
  }

  private evidenceOf({ held, from }: Cut, after: After): Evidence {
    if (held.candidate === undefined) return "own-paragraph";
    return this.isInThinking(from) ? "end-of-thoughts" : evidenceOf(held.candidate, after);
  }

  private span(start: number, end: number): Span {
    return { start: this.offset + start, end: this.offset + end };
  }

  private pushText(text: string): void {
    if (text !== "") this.events.push({ kind: "text", text });
  }

  private pushCalls(span: Span, format: string, accepted: readonly AcceptedCall[], evidence: Evidence): void {
    const calls = accepted.map(
      ({ id = this.settings.newId(), args, ...call }): RecoveredCall => ({
        ...{ id, arguments: args, origin: "recovered", format, span, evidence },
        ...call,
      }),
    );
    for (const call of calls) this.events.push({ kind: "call", call });
    this.events.push({ kind: "match", match: { kind: "call", span, format, calls } });
  }
}

function rejection(span: Span, format: string, reason: RejectReason, name?: string): LeakEvent {
  const named = name === undefined ? {} : { name };
  return { kind: "match", match: { kind: "rejected", span, format, reason, ...named } };
}

/** The calls that a message writes in more than one format: it compares formats and makes none of them. */
function inSeveralFormats(cuts: readonly Cut[]): ReadonlySet<string> {
  const several = new Set<string>();
  if (cuts.every(({ held }) => held.format === cuts[0]?.held.format)) return several;
  const formats = new Map<string, string>();
  for (const { held } of cuts)
    for (const call of held.calls) {
      const key = keyOf(call);
      if ((formats.get(key) ?? held.format) !== held.format) several.add(key);
      formats.set(key, held.format);
    }
  return several;
}

function keyOf({ name, args }: AcceptedCall): string {
  return `${name} ${canonicalJson(args)}`;
}

/** Returns the text after each call. Runs backwards, so that joined calls share the text after the last of them. */
function textAfterEach(text: string, cuts: readonly Cut[], responseEnd: number): ReadonlyMap<Cut, After> {
  const found = new Map<Cut, After>();
  let next: Cut | undefined;
  for (const cut of cuts.toReversed()) {
    const limit = Math.max(cut.to, Math.min(next?.from ?? text.length, responseEnd, cut.end + MAX_AFTER_CHARS));
    const after = text.slice(cut.end, limit);
    const shared = next === undefined ? undefined : found.get(next);
    const isJoined = shared !== undefined && after.length < MAX_AFTER_CHARS && isConnector(after);
    const own = { text: after, isFollowedByCall: next !== undefined, join: undefined };
    found.set(cut, isJoined ? { ...shared, join: after } : own);
    next = cut;
  }
  return found;
}

function isWhitespace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function hasVisible(text: string, from: number, to: number): boolean {
  return countWhitespace(text, from, to) < to - from;
}

/** Number of whitespace characters at `from`. */
function countWhitespace(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isWhitespace(text.charCodeAt(i))) i += 1;
  return i - from;
}

/** Start of the whitespace that ends at `to`. */
function trimEndIndex(text: string, from: number, to: number): number {
  let i = to;
  while (i > from && isWhitespace(text.charCodeAt(i - 1))) i -= 1;
  return i;
}
