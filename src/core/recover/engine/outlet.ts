import type { LeakEvent, RecoveredCall, RejectReason, Span } from "../types.ts";
import { blanksUpTo, hasVisible } from "./blanks.ts";
import type { JudgedCall } from "./gate.ts";

/** Blanks next to a call that go with it: at most so many, or they are layout of their own. */
export const MAX_BLANKS = 4;

/** What goes out, in order, and how what went out last ends; positions are in the scanner's text. */
export class Outlet {
  /** How much of the text has gone out. */
  released = 0;
  /** Position of the text's first character in the whole message. */
  offset = 0;
  private events: LeakEvent[] = [];
  /** Blanks at the very end of what went out. */
  private blanksOut = 0;
  private lastOut = "";
  private visibleOut = false;
  private readonly newId: () => string;

  constructor(newId: () => string) {
    this.newId = newId;
  }

  /** Everything since the last time. */
  take(): readonly LeakEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  shift(by: number): void {
    this.offset += by;
    this.released -= by;
  }

  /** Lets the text go as far as `to`. */
  release(text: string, to: number): void {
    if (to <= this.released) return;
    const out = text.slice(this.released, to);
    this.events.push({ kind: "text", text: out });
    const visible = blanksUpTo(out, 0, out.length);
    this.blanksOut = visible === 0 ? this.blanksOut + out.length : out.length - visible;
    if (visible > 0) this.visibleOut = true;
    this.lastOut = out.at(-1) ?? "";
    this.released = to;
  }

  /** Gives out calls, and keeps their text back. */
  call(text: string, from: number, to: number, format: string, judged: readonly JudgedCall[]): void {
    this.release(text, from);
    const span = this.span(from, to);
    const calls = judged.map((call) => this.recovered(call, format, span));
    for (const call of calls) this.events.push({ kind: "call", call });
    this.events.push({ kind: "match", match: { kind: "call", span, format, calls } });
    this.blanksOut = 0;
    this.released = to;
    this.lastOut = text[to - 1] ?? "";
  }

  /** Tells of a candidate that stays text. */
  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    const span = this.span(start, end);
    const named = name === undefined ? {} : { name };
    this.events.push({ kind: "match", match: { kind: "rejected", span, format, reason, ...named } });
  }

  charBefore(text: string, at: number): string {
    return (at > this.released ? text[at - 1] : this.lastOut) ?? "";
  }

  visibleBefore(text: string, at: number): boolean {
    return this.visibleOut || hasVisible(text, this.released, at);
  }

  /** Where the blanks before `at` begin, unless they are too many to go with a call. */
  beforeBlanks(text: string, at: number): number {
    const i = blanksUpTo(text, this.released, at);
    const run = at - i + (i === this.released ? this.blanksOut : 0);
    return run > MAX_BLANKS ? at : i;
  }

  private span(start: number, end: number): Span {
    return { start: this.offset + start, end: this.offset + end };
  }

  private recovered(call: JudgedCall, format: string, span: Span): RecoveredCall {
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
      complete: call.complete,
    };
  }
}
