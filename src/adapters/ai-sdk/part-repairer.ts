import type { CallReport, LeakReport } from "../../core/repair/index.ts";
import { RepairTurn, type TurnContext } from "../../core/repair/repair-turn.ts";
import type { TextSegment } from "../../core/repair/text-segment.ts";
import type { StreamBuffer } from "../buffered-stream.ts";
import { attempt } from "../support.ts";
import { PartCalls } from "./part-calls.ts";
import type { StreamPart } from "./repair-generated.ts";
import { endProblem, isCallPart, isCited, toolCall, withToolCalls } from "./repair-generated.ts";

/** A buffered part: when it can be emitted, and as what. */
export interface QueuedPart {
  readonly part: StreamPart;
  readonly isReady: () => boolean;
  readonly render: () => readonly StreamPart[];
}

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type TextPart = Extract<StreamPart, { type: "text-start" | "text-delta" | "text-end" }>;

const MAX_BUFFERED_SIZE = 16 << 20;
/** Estimated size of a part without its text. */
const PART_OVERHEAD = 200;

/**
 * Repairs the parts of a streamed response. A part, and everything after it, is buffered only while its text could be
 * part of a call.
 */
export class PartRepairer implements StreamBuffer<StreamPart, StreamPart> {
  readonly #turn: RepairTurn;
  readonly #segments = new Map<string, TextSegment>();
  readonly #calls: PartCalls;
  readonly #onEnd: (leaks: readonly LeakReport[], calls: readonly CallReport[]) => void;
  readonly #ignoresLeaks: boolean;
  #thinkingFirst: boolean;
  #queue: QueuedPart[] = [];
  /** Number of emitted parts at the start of the queue. */
  #head = 0;
  #out: StreamPart[] = [];
  #bufferedSize = 0;
  #isPassingThrough = false;

  constructor(context: TurnContext, onEnd: (leaks: readonly LeakReport[], calls: readonly CallReport[]) => void) {
    this.#turn = new RepairTurn(context);
    if (context.options.ignoresLeaks === true) this.#turn.forbid("passed-through");
    this.#calls = new PartCalls(context);
    this.#thinkingFirst = context.options.thinkingFirst === true;
    this.#ignoresLeaks = context.options.ignoresLeaks === true;
    this.#onEnd = onEnd;
  }

  push(part: StreamPart): readonly StreamPart[] {
    if (this.#isPassingThrough) return [part];
    this.#queue.push(unchanged(part));
    this.#bufferedSize += sizeOf(part);
    return this.#guarded(() => {
      this.#queue[this.#queue.length - 1] = this.#read(part);
      if (this.#bufferedSize <= MAX_BUFFERED_SIZE) return;
      this.#turn.forbid("buffer-full");
      this.#calls.release();
    });
  }

  end(): readonly StreamPart[] {
    const flushed = this.#guarded(() => {
      this.#turn.end("aborted");
      this.#calls.release();
    });
    attempt(() => this.#onEnd(this.#ignoresLeaks ? [] : this.#turn.reports, this.#calls.reports));
    return flushed;
  }

  #read(part: StreamPart): QueuedPart {
    if (isCallPart(part)) this.#turn.forbid("native-call");
    if (this.#thinkingFirst && (part.type === "text-start" || part.type === "reasoning-start")) {
      this.#thinkingFirst = false;
      if (part.type === "text-start") this.#turn.forbid("thinking");
    }
    const call = this.#calls.read(part);
    if (call !== undefined) return call;
    switch (part.type) {
      case "text-start":
        this.#segments.set(part.id, this.#turn.newSegment());
        return this.#text(part);
      case "text-delta":
        return this.#text(part, part.delta);
      case "text-end": {
        this.#segments.get(part.id)?.end();
        if (isCited(part)) this.#turn.forbid("citations");
        return this.#text(part);
      }
      case "finish":
        this.#turn.end(endProblem(part.finishReason));
        return { part, isReady: always, render: () => (this.#turn.isRepaired ? this.#repairedEnd(part) : [part]) };
      case "error":
        this.#turn.end("error");
    }
    return unchanged(part);
  }

  #text(part: TextPart, delta = ""): QueuedPart {
    const segment = this.#segments.get(part.id);
    if (segment === undefined) return unchanged(part);
    const start = segment.length;
    segment.push(delta);
    const end = segment.length;
    return {
      part,
      isReady: () => this.#turn.canEmit(segment, end),
      render: () => (this.#turn.isRepaired ? remaining(part, segment, start, end) : [part]),
    };
  }

  #repairedEnd(part: FinishPart): readonly StreamPart[] {
    const calls = this.#turn.calls.flatMap((call): StreamPart[] => [
      { type: "tool-input-start", id: call.id, toolName: call.name },
      { type: "tool-input-delta", id: call.id, delta: call.arguments },
      { type: "tool-input-end", id: call.id },
      toolCall(call),
    ]);
    return [...calls, { ...part, finishReason: withToolCalls(part.finishReason) }];
  }

  /** A defect in repair must not break the response: emits the buffered parts unchanged and stops repairing. */
  #guarded(work: () => void): readonly StreamPart[] {
    try {
      work();
      this.#flush();
    } catch {
      this.#isPassingThrough = true;
      this.#out.push(...this.#queue.slice(this.#head).map(({ part }) => part));
      [this.#queue, this.#head] = [[], 0];
    }
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #flush(): void {
    for (let next = this.#queue[this.#head]; next?.isReady() === true; next = this.#queue[this.#head]) {
      this.#out.push(...next.render());
      this.#bufferedSize -= sizeOf(next.part);
      this.#head += 1;
    }
    // Trimmed only when half of it is emitted: removing parts one by one would be quadratic for long queues.
    if (this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}

function remaining(part: TextPart, segment: TextSegment, start: number, end: number): readonly StreamPart[] {
  if (segment.isRemoved) return [];
  if (part.type !== "text-delta" || end === start) return [part];
  const remainder = segment.remaining(start, end);
  if (remainder === "") return [];
  return remainder.length === end - start ? [part] : [{ ...part, delta: remainder }];
}

function unchanged(part: StreamPart): QueuedPart {
  return { part, isReady: always, render: () => [part] };
}

function always(): boolean {
  return true;
}

function sizeOf(part: StreamPart): number {
  return PART_OVERHEAD + (part.type === "text-delta" || part.type === "tool-input-delta" ? part.delta.length : 0);
}
