import type { FormatRow } from "../formats/row.ts";
import type { RawCall, Read } from "../payload/payload.ts";
import type { LeakEvent, LeakMatch, RecoveredCall, RejectReason } from "../types.ts";
import { Echoes, type ReadAll } from "./echo.ts";
import { type JudgedCall, judge } from "./gate.ts";
import type { Settings } from "./settings.ts";

/** Blanks next to a call that go with it: at most so many, or they are layout of their own. */
export const MAX_BLANKS = 4;

/** A candidate that was read, offered for a verdict. */
export interface Offer {
  readonly start: number;
  readonly end: number;
  readonly row: FormatRow;
  readonly read: Extract<Read, { kind: "done" }>;
  /** What surrounds it, where it would otherwise be no call. */
  readonly place: RejectReason | undefined;
}

interface Item {
  start: number;
  end: number;
  readonly format: string;
  readonly calls: readonly JudgedCall[];
  /** Waits for the end of the message; the reason it is refused for when something visible follows. */
  readonly unless: RejectReason | undefined;
  refused: RejectReason | undefined;
}

const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["„", "“"],
]);

/** What is certain, on its way out, and what waits for certainty; all positions are in the scanner's text. */
export class Outbox {
  /** How much of the text has gone out. */
  released = 0;
  /** Position of the text's first character in the whole message. */
  offset = 0;
  private queue: Item[] = [];
  /** How many in the queue wait for the end of the message. */
  private conditional = 0;
  private events: LeakEvent[] = [];
  /** Blanks at the very end of what went out. */
  private blanksOut = 0;
  private lastOut = "";
  private visibleOut = false;
  private readonly settings: Settings;
  private readonly echoes: Echoes;

  constructor(settings: Settings, readAll: ReadAll) {
    this.settings = settings;
    this.echoes = new Echoes(settings.context, readAll);
  }

  get waits(): boolean {
    return this.queue.length > 0;
  }

  shift(by: number): void {
    this.offset += by;
    this.released -= by;
    for (const item of this.queue) {
      item.start -= by;
      item.end -= by;
    }
  }

  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    const span = { start: this.offset + start, end: this.offset + end };
    const match: LeakMatch = { kind: "rejected", span, format, reason, ...(name === undefined ? {} : { name }) };
    this.events.push({ kind: "match", match });
  }

  /** Takes a candidate or refuses it. */
  offer(text: string, offer: Offer): boolean {
    const { row, read } = offer;
    const format = read.format ?? row.format;
    const refuse = (reason: RejectReason, name?: string): boolean => {
      this.reject(offer.start, offer.end, format, reason, name);
      return false;
    };
    const first = read.calls[0] as RawCall;
    const verdict = judge(
      read.calls,
      read.repairs,
      row,
      this.settings.tools,
      this.settings.ungated ? "eager" : this.settings.mode,
    );
    if (verdict.kind === "rejected") return refuse(verdict.reason, verdict.name);
    if (!this.settings.ungated) {
      if (this.inQuotes(text, offer)) return refuse("in-quote", first.name);
      if (row.strength === "weak" && row.last !== true && !endsLine(text, offer.end))
        return refuse("not-anchored", first.name);
      if (this.echoes.has(verdict.calls, text.slice(offer.start, offer.end))) return refuse("echo", first.name);
    }
    const unless = this.settings.ungated
      ? undefined
      : (offer.place ?? (row.last === true ? "not-anchored" : undefined));
    // A call in the open makes everything that had to be the whole message a draft.
    if (unless === undefined) this.refuse();
    this.queue.push({ start: offer.start, end: offer.end, format, calls: verdict.calls, unless, refused: undefined });
    if (unless === undefined) this.settleAllButLast(text);
    else this.conditional += 1;
    return true;
  }

  private inQuotes(text: string, offer: Offer): boolean {
    const before = offer.start > this.released ? text[offer.start - 1] : this.lastOut;
    const close = QUOTES.get(before ?? "");
    return close !== undefined && text[offer.end] === close;
  }

  /** Something else follows: what needed to be the last thing is not. */
  refuse(): void {
    if (this.conditional === 0) return;
    this.conditional = 0;
    for (const item of this.queue) if (item.unless !== undefined) item.refused = item.unless;
  }

  /** Visible text follows. */
  visibleText(text: string): void {
    if (this.queue.length === 0) return;
    this.refuse();
    this.settle(text, false);
  }

  /** Gives out what is certain. `upTo`: how far the scanner has come. */
  give(text: string, upTo: number, final: boolean): readonly LeakEvent[] {
    if (final) this.settle(text, true);
    else if (this.queue.length > 0 && this.conditional === 0) {
      const last = this.queue.at(-1) as Item;
      if (blanksFrom(text, last.end, upTo) > MAX_BLANKS) this.settle(text, false);
    }
    if (this.queue.length === 0) this.release(text, final ? upTo : this.beforeBlanks(text, upTo));
    const events = this.events;
    this.events = [];
    return events;
  }

  /** A few blanks stay back: they may turn out to belong to a call. */
  private beforeBlanks(text: string, upTo: number): number {
    let i = upTo;
    while (i > this.released && isBlank(text.charCodeAt(i - 1))) i -= 1;
    const run = upTo - i + (i === this.released ? this.blanksOut : 0);
    return run > MAX_BLANKS ? upTo : i;
  }

  /** The newest call waits for what follows it; those before are certain. */
  private settleAllButLast(text: string): void {
    if (this.queue.length < 2) return;
    const last = this.queue.pop() as Item;
    this.settle(text, false, last);
    this.queue.push(last);
  }

  /** Sends everything in the queue on its way; `then` is the call that follows it. */
  private settle(text: string, final: boolean, then?: Item): void {
    const items = this.queue;
    this.queue = [];
    this.conditional = 0;
    items.forEach((item, index) => {
      if (item.refused !== undefined) {
        this.reject(item.start, item.end, item.format, item.refused, item.calls[0]?.name);
        return;
      }
      const next = items[index + 1] ?? then;
      const after = blanksFrom(text, item.end, next?.start ?? text.length);
      const visible =
        next === undefined
          ? !final || item.end + after < text.length
          : next.refused !== undefined || item.end + after < next.start;
      const start = visible && after === 0 ? item.start : this.blanksBefore(text, item.start);
      // Blanks behind the last call go with it, and those before the first visible word.
      const eats = after <= MAX_BLANKS && (visible ? !this.visibleBefore(text, item.start) : next === undefined);
      const end = eats ? item.end + after : item.end;
      this.release(text, start);
      this.call(item, { start: this.offset + start, end: this.offset + end });
      this.released = end;
      this.lastOut = text[end - 1] ?? "";
    });
  }

  private visibleBefore(text: string, at: number): boolean {
    if (this.visibleOut) return true;
    for (let i = this.released; i < at; i++) if (!isBlank(text.charCodeAt(i))) return true;
    return false;
  }

  private blanksBefore(text: string, at: number): number {
    let i = at;
    while (i > this.released && isBlank(text.charCodeAt(i - 1))) i -= 1;
    const run = at - i + (i === this.released ? this.blanksOut : 0);
    return run > MAX_BLANKS ? at : i;
  }

  private release(text: string, to: number): void {
    if (to <= this.released) return;
    const out = text.slice(this.released, to);
    this.events.push({ kind: "text", text: out });
    let i = out.length;
    while (i > 0 && isBlank(out.charCodeAt(i - 1))) i -= 1;
    this.blanksOut = i === 0 ? this.blanksOut + out.length : out.length - i;
    if (i > 0) this.visibleOut = true;
    this.lastOut = out.at(-1) ?? "";
    this.released = to;
  }

  private call(item: Item, span: { readonly start: number; readonly end: number }): void {
    const calls = item.calls.map(
      (call): RecoveredCall => ({
        id: call.id ?? this.settings.newId(),
        name: call.name,
        arguments: call.args,
        origin: "recovered",
        format: item.format,
        repairs: call.repairs,
        rawArguments: call.rawArguments,
        span,
        known: call.known,
        confidence: call.confidence,
        complete: call.complete,
      }),
    );
    for (const call of calls) this.events.push({ kind: "call", call });
    this.events.push({ kind: "match", match: { kind: "call", span, format: item.format, calls } });
    this.blanksOut = 0;
  }
}

function isBlank(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9;
}

function blanksFrom(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isBlank(text.charCodeAt(i))) i += 1;
  return i - from;
}

/** Does the line end here, or another block begin? */
function endsLine(text: string, at: number): boolean {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === ";" || text[i] === "\r") i += 1;
  const c = text[i];
  return c === undefined || c === "\n" || c === "<" || c === "{" || c === "[";
}
