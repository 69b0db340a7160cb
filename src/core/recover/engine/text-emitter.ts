import { type After, type Candidate, decideAtEnd, evidenceOf } from "../decision/decide.ts";
import { isConnector, withoutTags } from "../decision/sentence.ts";
import { canonicalJson } from "../json/values.ts";
import type { Evidence, LeakEvent, RecoveredCall, RejectReason, Span, ThinkPolicy } from "../types.ts";
import type { AcceptedCall } from "./gate.ts";

/** How much whitespace next to a call is removed with it. More is layout. */
export const MAX_BLANKS = 4;
/** How much of the text after a call the closing gates examine. */
const MAX_AFTER_CHARS = 600;
/** How much text may be held after a call until the end of the message. */
const MAX_HELD_CHARS = 32 << 20;

/** A call that is held until the end of the message, because later text may show that it is only a mention. */
interface PendingCall {
  readonly kind: "pending";
  /** The text of the call, with the whitespace that is removed with it. */
  readonly raw: string;
  /** Where the call itself ends in `raw`. */
  readonly end: number;
  readonly span: Span;
  readonly format: string;
  readonly calls: readonly AcceptedCall[];
  readonly candidate: Candidate;
}

/** An event, and the position of its text in the whole message. */
interface Entry {
  readonly at: number;
  readonly event: LeakEvent | PendingCall;
}

interface OutgoingCall {
  readonly end: number;
  readonly format: string;
  readonly calls: readonly AcceptedCall[];
  readonly candidate: Candidate | undefined;
}

/** Emits events in order and holds them while a call is undecided. Positions are in the scanner's buffered text. */
export class TextEmitter {
  /** How much of the text was emitted or is held. */
  released = 0;
  /** Position of the buffered text's first character in the whole message. */
  offset = 0;
  /** Number of characters held. */
  held = 0;
  private entries: Entry[] = [];
  /** Length of the whitespace at the end of the emitted text. */
  private trailingWhitespace = 0;
  private hasEmittedVisible = false;
  /** End of the thinking whose opener is not part of the message, in the whole message. */
  private thinkingEnd = 0;
  /** Start of the turns that the model invented for the user or the tools, in the whole message. */
  private responseEnd = Number.POSITIVE_INFINITY;
  private readonly newId: () => string;

  constructor(newId: () => string) {
    this.newId = newId;
  }

  /** Returns the events since the last call, or none while a call is held. */
  take(): readonly LeakEvent[] {
    if (this.held > MAX_HELD_CHARS) return this.resolve(() => "too-large");
    if (this.held > 0) return [];
    const { entries } = this;
    this.entries = [];
    return entries.map(({ event }) => event as LeakEvent);
  }

  /** Decides the held calls at the end of the message. */
  finish(think: ThinkPolicy): readonly LeakEvent[] {
    if (this.held === 0) return this.take();
    const rejectsThinking = this.thinkingEnd > 0 && (think === "never" || this.hasResponse());
    return this.resolve((call, after) =>
      this.isInThinking(call) && rejectsThinking ? "in-think" : decideAtEnd(call.candidate, after),
    );
  }

  shift(by: number): void {
    this.offset += by;
    this.released -= by;
  }

  /** Emits the text up to `to`. */
  release(text: string, to: number): void {
    if (to <= this.released) return;
    const out = text.slice(this.released, to);
    this.push({ kind: "text", text: out });
    if (this.held > 0) this.held += out.length;
    const visible = trimEndIndex(out, 0, out.length);
    this.trailingWhitespace = visible === 0 ? this.trailingWhitespace + out.length : out.length - visible;
    if (visible > 0) this.hasEmittedVisible = true;
    this.released = to;
  }

  /** Removes calls from the text and holds them until the end of the message. */
  call(text: string, from: number, to: number, { end, format, calls, candidate }: OutgoingCall): void {
    this.release(text, from);
    const span = this.span(from, to);
    if (candidate === undefined) this.push(...this.callEvents(span, format, calls, "own-paragraph"));
    else {
      const raw = text.slice(from, to);
      this.push({ kind: "pending", raw, end: end - from, span, format, calls, candidate });
      this.held += raw.length;
    }
    this.trailingWhitespace = 0;
    this.released = to;
  }

  /** Emits the rejection of a candidate that stays text. */
  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    this.push(rejected(this.span(start, end), format, reason, name));
  }

  /** Marks everything before `at` as thinking whose opener is not part of the text. */
  endThinking(at: number): void {
    this.thinkingEnd = this.offset + at;
  }

  /** Marks the text after `at` as unrelated to the calls before it. */
  endResponse(at: number): void {
    this.responseEnd = Math.min(this.responseEnd, this.offset + at);
  }

  visibleBefore(text: string, at: number): boolean {
    return this.hasEmittedVisible || hasVisible(text, this.released, at);
  }

  /** Start of the whitespace before `at`, or `at` if there is too much of it to remove with a call. */
  beforeBlanks(text: string, at: number): number {
    const i = trimEndIndex(text, this.released, at);
    const run = at - i + (i === this.released ? this.trailingWhitespace : 0);
    return run > MAX_BLANKS ? at : i;
  }

  /** Turns each held call into a call, or back into text. */
  private resolve(decide: (call: PendingCall, after: After) => RejectReason | undefined): readonly LeakEvent[] {
    const { entries } = this;
    this.entries = [];
    this.held = 0;
    const followings = textAfterEach(entries, this.responseEnd);
    const emitted = new Set<string>();
    const compared = followings.size === 1 ? new Set<string>() : inSeveralFormats([...followings.keys()]);
    return entries.flatMap(({ event }) => {
      if (event.kind !== "pending") return [event];
      const { raw, span, format, calls, candidate } = event;
      const after = followings.get(event) as After;
      const reason =
        decide(event, after) ?? (calls.some((call) => compared.has(keyOf(call))) ? ("example" as const) : undefined);
      if (reason !== undefined)
        return [{ kind: "text" as const, text: raw }, rejected(span, format, reason, calls[0]?.name)];
      // A model in a loop repeats the same call; it is made only once.
      const isOnly = followings.size === 1 && calls.length === 1;
      const fresh = isOnly ? calls : calls.filter((call) => isNew(emitted, keyOf(call)));
      return this.callEvents(
        span,
        format,
        fresh,
        this.isInThinking(event) ? "end-of-thoughts" : evidenceOf(candidate, after),
        calls.length - fresh.length,
      );
    });
  }

  private push(...events: readonly (LeakEvent | PendingCall)[]): void {
    for (const event of events) this.entries.push({ at: this.offset + this.released, event });
  }

  private isInThinking({ span }: PendingCall): boolean {
    return span.start < this.thinkingEnd;
  }

  /** Whether text or a call follows the thinking. */
  private hasResponse(): boolean {
    const { thinkingEnd } = this;
    let text = "";
    for (const { at, event } of this.entries) {
      if (event.kind === "pending" && !this.isInThinking(event)) return true;
      if (event.kind === "text") text += event.text.slice(Math.max(0, thinkingEnd - at));
    }
    return withoutTags(text).trim() !== "";
  }

  private callEvents(
    span: Span,
    format: string,
    accepted: readonly AcceptedCall[],
    evidence: Evidence,
    duplicates = 0,
  ): readonly LeakEvent[] {
    const calls = accepted.map((call) => this.toRecoveredCall(call, format, span, evidence));
    const match = { kind: "call" as const, span, format, calls, ...(duplicates > 0 && { duplicates }) };
    return [...calls.map((call) => ({ kind: "call" as const, call })), { kind: "match", match }];
  }

  private span(start: number, end: number): Span {
    return { start: this.offset + start, end: this.offset + end };
  }

  private toRecoveredCall(call: AcceptedCall, format: string, span: Span, evidence: Evidence): RecoveredCall {
    return {
      id: call.id ?? this.newId(),
      name: call.name,
      arguments: call.args,
      origin: "recovered",
      format,
      repairs: call.repairs,
      rawArguments: call.rawArguments,
      span,
      known: call.known,
      confidence: call.confidence,
      evidence,
      complete: call.complete,
    };
  }
}

function rejected(span: Span, format: string, reason: RejectReason, name?: string): LeakEvent {
  const named = name === undefined ? {} : { name };
  return { kind: "match", match: { kind: "rejected", span, format, reason, ...named } };
}

/** The calls that a message writes in more than one format: it compares formats and makes none of them. */
function inSeveralFormats(pending: readonly PendingCall[]): ReadonlySet<string> {
  const formats = new Map<string, string>();
  const several = new Set<string>();
  for (const { format, calls } of pending)
    for (const call of calls) {
      const key = keyOf(call);
      if ((formats.get(key) ?? format) !== format) several.add(key);
      formats.set(key, format);
    }
  return several;
}

function keyOf({ name, args }: AcceptedCall): string {
  return `${name} ${canonicalJson(args)}`;
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** Returns the text after each call. Runs backwards, so that joined calls share the text after the last of them. */
function textAfterEach(entries: readonly Entry[], responseEnd: number): ReadonlyMap<PendingCall, After> {
  const found = new Map<PendingCall, After>();
  let next: PendingCall | undefined;
  let between = "";
  for (const { at, event } of entries.toReversed()) {
    if (event.kind === "text" && at < responseEnd)
      between = (event.text.slice(0, responseEnd - at) + between).slice(0, MAX_AFTER_CHARS);
    if (event.kind !== "pending") continue;
    const text = (event.raw.slice(event.end) + between).slice(0, MAX_AFTER_CHARS);
    const shared = next === undefined ? undefined : found.get(next);
    const isJoined = shared !== undefined && text.length < MAX_AFTER_CHARS && isConnector(text);
    found.set(
      event,
      isJoined ? { ...shared, join: text } : { text, isFollowedByCall: next !== undefined, join: undefined },
    );
    next = event;
    between = "";
  }
  return found;
}

export function isWhitespace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function hasVisible(text: string, from: number, to: number): boolean {
  return countWhitespace(text, from, to) < to - from;
}

/** Number of whitespace characters at `from`. */
export function countWhitespace(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isWhitespace(text.charCodeAt(i))) i += 1;
  return i - from;
}

/** Start of the whitespace that ends at `to`. */
export function trimEndIndex(text: string, from: number, to: number): number {
  let i = to;
  while (i > from && isWhitespace(text.charCodeAt(i - 1))) i -= 1;
  return i;
}
