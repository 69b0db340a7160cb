import type { Candidate } from "../decision/decide.ts";
import type { SurroundingText } from "../decision/surroundings.ts";
import { Echoes } from "../echo/echoes.ts";
import { toolTexts } from "../echo/given-tools.ts";
import type { ReadAll } from "../echo/read-part.ts";
import type { LeakEvent, RejectReason } from "../types.ts";
import type { AcceptedCall } from "./gate.ts";
import { type CandidateCall, evaluateCandidate } from "./gate.ts";
import type { Settings } from "./settings.ts";
import { countWhitespace, MAX_BLANKS, TextEmitter } from "./text-emitter.ts";

interface Item {
  start: number;
  end: number;
  readonly format: string;
  readonly calls: readonly AcceptedCall[];
  readonly candidate: Candidate | undefined;
  /** Set if the call must be last in the message: the reason for rejecting it if visible text follows. */
  readonly rejectIfFollowed: RejectReason | undefined;
  rejected: RejectReason | undefined;
}

/** Queues accepted candidates until the text after them is known. All positions are in the scanner's buffered text. */
export class EmitBuffer {
  private queue: Item[] = [];
  /** Number of queued calls that must be last in the message. */
  private conditional = 0;
  private readonly settings: Settings;
  private readonly readAll: ReadAll;
  /** Created with the first candidate: most messages have none. */
  private echoes: Echoes | undefined;
  private readonly emitter: TextEmitter;
  private readonly surroundings: SurroundingText;

  constructor(settings: Settings, readAll: ReadAll, surroundings: SurroundingText) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.readAll = readAll;
    this.emitter = new TextEmitter(settings.newId);
  }

  get hasQueued(): boolean {
    return this.queue.length > 0;
  }

  /** How much of the text was released. */
  get released(): number {
    return this.emitter.released;
  }

  /** Position of the buffered text's first character in the whole message. */
  get offset(): number {
    return this.emitter.offset;
  }

  shift(by: number): void {
    this.emitter.shift(by);
    for (const item of this.queue) {
      item.start -= by;
      item.end -= by;
    }
  }

  reject(start: number, end: number, format: string, reason: RejectReason, name?: string): void {
    this.emitter.reject(start, end, format, reason, name);
  }

  /** Characters that are held until the end of the message because they follow a call. */
  get held(): number {
    return this.emitter.held;
  }

  /** Marks everything before `at` as thinking. */
  endThinking(at: number): void {
    this.emitter.endThinking(at);
  }

  /** Marks everything after `at` as invented, not part of the model's own response. */
  endResponse(at: number): void {
    this.emitter.endResponse(at);
  }

  /** Rejects a candidate because of its position, including everything inside it. */
  leave(
    text: string,
    [start, end]: readonly [number, number],
    format: string,
    reason: RejectReason,
    name?: string,
  ): void {
    this.emitter.reject(start, end, format, reason, name);
    this.surroundings.append(text.slice(0, start), this.offset);
    this.surroundings.skip(this.offset + end);
  }

  /** Accepts a candidate (`taken`), rejects it as a mention (`left`), or rejects it as not a call (`refused`). */
  offer(text: string, offer: CandidateCall): "taken" | "left" | "refused" {
    const { start, end, row, read } = offer;
    const { settings, emitter } = this;
    const format = read.format ?? row.format;
    const before = () => {
      this.surroundings.append(text.slice(0, start), this.offset);
      return this.surroundings.before();
    };
    const evaluation = evaluateCandidate(text, offer, before, settings, () => this.findEchoes());
    if (evaluation.kind === "rejected") {
      emitter.reject(start, end, format, evaluation.reason, evaluation.name);
      if (!evaluation.isMention) return "refused";
      this.surroundings.skip(this.offset + end);
      return "left";
    }
    if (!settings.ungated) this.surroundings.skip(this.offset + end);
    // Without an envelope, a call in a fence is an example if anything follows it.
    const last = row.last === true || (row.strength === "weak" && read.fromFence === true);
    const rejectIfFollowed = settings.ungated
      ? undefined
      : (offer.positionReason ?? (last ? "not-anchored" : undefined));
    // A call outside code and thinking turns every queued call that had to be last into a draft.
    if (rejectIfFollowed === undefined) this.rejectConditional();
    this.queue.push({
      start,
      end,
      format,
      calls: evaluation.calls,
      candidate: evaluation.candidate,
      rejectIfFollowed,
      rejected: undefined,
    });
    if (rejectIfFollowed === undefined) this.settleAllButLast(text);
    else this.conditional += 1;
    return "taken";
  }

  /** Reports that visible text follows the queued calls. */
  visibleText(text: string): void {
    if (this.queue.length === 0) return;
    this.rejectConditional();
    this.settle(text, false);
  }

  /** Returns the events that are certain. `upTo` is the scanner's position. */
  flush(text: string, upTo: number, final: boolean): readonly LeakEvent[] {
    const { emitter } = this;
    if (final) this.settle(text, true);
    else if (this.queue.length > 0 && this.conditional === 0) {
      const last = this.queue.at(-1) as Item;
      if (countWhitespace(text, last.end, upTo) > MAX_BLANKS) this.settle(text, false);
    }
    // A few trailing whitespace characters are kept back: they may belong to a call.
    if (this.queue.length === 0) emitter.release(text, final ? upTo : emitter.beforeBlanks(text, upTo));
    if (!final) return emitter.take();
    this.surroundings.finish(text, this.offset);
    return emitter.finish(this.settings.think);
  }

  private findEchoes(): Echoes {
    const { context, declared, strictCommands } = this.settings;
    this.echoes ??= new Echoes([...context, ...toolTexts(declared)], this.readAll, strictCommands);
    return this.echoes;
  }

  /** Rejects the queued calls that had to be last, because something follows. */
  private rejectConditional(): void {
    if (this.conditional === 0) return;
    this.conditional = 0;
    for (const item of this.queue) if (item.rejectIfFollowed !== undefined) item.rejected = item.rejectIfFollowed;
  }

  /** Settles all calls but the newest, which depends on what follows it. */
  private settleAllButLast(text: string): void {
    if (this.queue.length < 2) return;
    const last = this.queue.pop() as Item;
    this.settle(text, false, last);
    this.queue.push(last);
  }

  /** Empties the queue into the emitter. `then` is the call that follows. */
  private settle(text: string, final: boolean, then?: Item): void {
    const items = this.queue;
    this.queue = [];
    this.conditional = 0;
    items.forEach((item, index) => {
      if (item.rejected === undefined) this.settleCall(text, item, items[index + 1] ?? then, final);
      else this.emitter.reject(item.start, item.end, item.format, item.rejected, item.calls[0]?.name);
    });
  }

  /** Emits a call and removes the whitespace that only separated it from the text. */
  private settleCall(text: string, item: Item, next: Item | undefined, final: boolean): void {
    const { emitter } = this;
    const after = countWhitespace(text, item.end, next?.start ?? text.length);
    const visible =
      next === undefined
        ? !final || item.end + after < text.length
        : next.rejected !== undefined || item.end + after < next.start;
    const start = visible && after === 0 ? item.start : emitter.beforeBlanks(text, item.start);
    // Removes whitespace after the last call, and between a call and the first visible text of the message.
    const removesAfter =
      after <= MAX_BLANKS && (visible ? !emitter.visibleBefore(text, item.start) : next === undefined);
    emitter.call(text, start, removesAfter ? item.end + after : item.end, item);
  }
}
