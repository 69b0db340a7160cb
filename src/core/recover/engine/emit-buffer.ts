import type { Candidate } from "../decision/decide.ts";
import type { Surroundings } from "../decision/surroundings.ts";
import { Echoes } from "../echo/echoes.ts";
import type { ReadAll } from "../echo/read-part.ts";
import { toolTexts } from "../echo/tool-texts.ts";
import type { LeakEvent, RejectReason } from "../types.ts";
import { type CandidateCall, evaluateCandidate } from "./evaluate-candidate.ts";
import type { JudgedCall } from "./gate.ts";
import type { Settings } from "./settings.ts";
import { MAX_BLANKS, TextEmitter } from "./text-emitter.ts";
import { countWhitespace } from "./whitespace.ts";

interface Item {
  start: number;
  end: number;
  readonly format: string;
  readonly calls: readonly JudgedCall[];
  readonly candidate: Candidate | undefined;
  /** Waits for the end of the message; the reason it is refused for when something visible follows. */
  readonly unless: RejectReason | undefined;
  refused: RejectReason | undefined;
}

/** Candidates that were taken wait here until what follows them is known; all positions are in the scanner's text. */
export class EmitBuffer {
  private queue: Item[] = [];
  /** How many in the queue wait for the end of the message. */
  private conditional = 0;
  private readonly settings: Settings;
  private readonly readAll: ReadAll;
  /** Made with the first candidate: most messages have none. */
  private echoes: Echoes | undefined;
  private readonly outlet: TextEmitter;
  private readonly surroundings: Surroundings;

  constructor(settings: Settings, readAll: ReadAll, surroundings: Surroundings) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.readAll = readAll;
    this.outlet = new TextEmitter(settings.newId);
  }

  get waits(): boolean {
    return this.queue.length > 0;
  }

  /** How much of the text has gone out. */
  get released(): number {
    return this.outlet.released;
  }

  /** Position of the text's first character in the whole message. */
  get offset(): number {
    return this.outlet.offset;
  }

  shift(by: number): void {
    this.outlet.shift(by);
    for (const item of this.queue) {
      item.start -= by;
      item.end -= by;
    }
  }

  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    this.outlet.reject(start, end, format, reason, name);
  }

  /** Characters that wait for the end of the message, because a call stands before them. */
  get held(): number {
    return this.outlet.held;
  }

  /** Everything before `at` were thoughts. */
  endThoughts(at: number): void {
    this.outlet.endThoughts(at);
  }

  /** What follows `at` is no longer the model's answer. */
  endAnswer(at: number): void {
    this.outlet.endAnswer(at);
  }

  /** Leaves a candidate because of its place: what is in it is left with it. */
  leave(
    text: string,
    [start, end]: readonly [number, number],
    format: string,
    reason: RejectReason,
    name?: string,
  ): void {
    this.outlet.reject(start, end, format, reason, name);
    this.surroundings.hand(text.slice(0, start), this.offset);
    this.surroundings.skip(this.offset + end);
  }

  /** Takes a candidate, leaves it as a mention, or refuses to read it as a call. */
  offer(text: string, offer: CandidateCall): "taken" | "left" | "refused" {
    const { start, end, row, read } = offer;
    const { settings, outlet } = this;
    const format = read.format ?? row.format;
    const before = () => {
      this.surroundings.hand(text.slice(0, start), this.offset);
      return this.surroundings.before();
    };
    const verdict = evaluateCandidate(text, offer, before, settings, () => this.findEchoes());
    if (verdict.kind === "rejected") {
      outlet.reject(start, end, format, verdict.reason, verdict.name);
      if (!verdict.isMention) return "refused";
      this.surroundings.skip(this.offset + end);
      return "left";
    }
    if (!settings.ungated) this.surroundings.skip(this.offset + end);
    // Without an envelope, what stands in a fence is an example when something follows it.
    const last = row.last === true || (row.strength === "weak" && read.fromFence === true);
    const unless = settings.ungated ? undefined : (offer.place ?? (last ? "not-anchored" : undefined));
    // A call in the open makes everything that had to be the whole message a draft.
    if (unless === undefined) this.refuse();
    this.queue.push({
      start,
      end,
      format,
      calls: verdict.calls,
      candidate: verdict.candidate,
      unless,
      refused: undefined,
    });
    if (unless === undefined) this.settleAllButLast(text);
    else this.conditional += 1;
    return "taken";
  }

  /** Visible text follows. */
  visibleText(text: string): void {
    if (this.queue.length === 0) return;
    this.refuse();
    this.settle(text, false);
  }

  /** Gives out what is certain. `upTo`: how far the scanner has come. */
  give(text: string, upTo: number, final: boolean): readonly LeakEvent[] {
    const { outlet } = this;
    if (final) this.settle(text, true);
    else if (this.queue.length > 0 && this.conditional === 0) {
      const last = this.queue.at(-1) as Item;
      if (countWhitespace(text, last.end, upTo) > MAX_BLANKS) this.settle(text, false);
    }
    // A few blanks stay back: they may turn out to belong to a call.
    if (this.queue.length === 0) outlet.release(text, final ? upTo : outlet.beforeBlanks(text, upTo));
    if (!final) return outlet.take();
    this.surroundings.finish(text, this.offset);
    return outlet.finish(this.settings.think);
  }

  private findEchoes(): Echoes {
    const { context, declared, strictCommands } = this.settings;
    this.echoes ??= new Echoes([...context, ...toolTexts(declared)], this.readAll, strictCommands);
    return this.echoes;
  }

  /** Something else follows: what needed to be the last thing is not. */
  private refuse(): void {
    if (this.conditional === 0) return;
    this.conditional = 0;
    for (const item of this.queue) if (item.unless !== undefined) item.refused = item.unless;
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
      if (item.refused === undefined) this.settleCall(text, item, items[index + 1] ?? then, final);
      else this.outlet.reject(item.start, item.end, item.format, item.refused, item.calls[0]?.name);
    });
  }

  /** A call goes out, and with it those blanks around it that were only there for it. */
  private settleCall(text: string, item: Item, next: Item | undefined, final: boolean): void {
    const { outlet } = this;
    const after = countWhitespace(text, item.end, next?.start ?? text.length);
    const visible =
      next === undefined
        ? !final || item.end + after < text.length
        : next.refused !== undefined || item.end + after < next.start;
    const start = visible && after === 0 ? item.start : outlet.beforeBlanks(text, item.start);
    // Blanks behind the last call go with it, and those before the first visible word.
    const eats = after <= MAX_BLANKS && (visible ? !outlet.visibleBefore(text, item.start) : next === undefined);
    outlet.call(text, start, eats ? item.end + after : item.end, item);
  }
}
