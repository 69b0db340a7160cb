import type { LeakReport } from "../../core/repair/index.ts";
import { RepairTurn, type TurnContext } from "../../core/repair/repair-turn.ts";
import type { TextSegment } from "../../core/repair/text-segment.ts";
import type { StreamBuffer } from "../buffered-stream.ts";
import { attempt } from "../support.ts";
import type { StreamPart } from "./model-types.ts";
import { callsMade, endProblem, isCallPart, isCited, toolCall } from "./repair-generated.ts";

/** A part that waits: when it may leave, and as what. */
interface Waiting {
  readonly part: StreamPart;
  readonly mayLeave: () => boolean;
  readonly render: () => readonly StreamPart[];
}

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type TextPart = Extract<StreamPart, { type: "text-start" | "text-delta" | "text-end" }>;

const MAX_HELD = 16 << 20;
/** What a part weighs beside its text. */
const PART_WEIGHT = 200;

/** Mends the parts of a streamed answer: they are held, with everything behind them, only while their text could still belong to a call. */
export class PartRepairer implements StreamBuffer<StreamPart, StreamPart> {
  readonly #turn: RepairTurn;
  readonly #units = new Map<string, TextSegment>();
  readonly #onLeaks: (leaks: readonly LeakReport[]) => void;
  #thinkingFirst: boolean;
  #waiting: Waiting[] = [];
  /** How many at the beginning have left. */
  #head = 0;
  #out: StreamPart[] = [];
  #weight = 0;
  #inert = false;

  constructor(context: TurnContext, onLeaks: (leaks: readonly LeakReport[]) => void) {
    this.#turn = new RepairTurn(context);
    this.#thinkingFirst = context.options.thinkingFirst === true;
    this.#onLeaks = onLeaks;
  }

  push(part: StreamPart): readonly StreamPart[] {
    if (this.#inert) return [part];
    this.#waiting.push(asItCame(part));
    this.#weight += weightOf(part);
    return this.#guarded(() => {
      this.#waiting[this.#waiting.length - 1] = this.#read(part);
      if (this.#weight > MAX_HELD) this.#turn.forbid("hold-cap");
    });
  }

  end(): readonly StreamPart[] {
    const rest = this.#guarded(() => this.#turn.end("broken-off"));
    attempt(() => this.#onLeaks(this.#turn.reports));
    return rest;
  }

  #read(part: StreamPart): Waiting {
    if (isCallPart(part)) this.#turn.forbid("native-call");
    if (this.#thinkingFirst && (part.type === "text-start" || part.type === "reasoning-start")) {
      this.#thinkingFirst = false;
      if (part.type === "text-start") this.#turn.forbid("thinking");
    }
    switch (part.type) {
      case "text-start":
        this.#units.set(part.id, this.#turn.newSegment());
        return this.#text(part);
      case "text-delta":
        return this.#text(part, part.delta);
      case "text-end": {
        this.#units.get(part.id)?.end();
        if (isCited(part)) this.#turn.forbid("citations");
        return this.#text(part);
      }
      case "finish":
        this.#turn.end(endProblem(part.finishReason));
        return { part, mayLeave: always, render: () => (this.#turn.isRepaired ? this.#mendedEnd(part) : [part]) };
      case "error":
        this.#turn.end("error");
    }
    return asItCame(part);
  }

  #text(part: TextPart, delta = ""): Waiting {
    const unit = this.#units.get(part.id);
    if (unit === undefined) return asItCame(part);
    const start = unit.length;
    unit.push(delta);
    const end = unit.length;
    return {
      part,
      mayLeave: () => this.#turn.canEmit(unit, end),
      render: () => (this.#turn.isRepaired ? remaining(part, unit, start, end) : [part]),
    };
  }

  #mendedEnd(part: FinishPart): readonly StreamPart[] {
    const calls = this.#turn.calls.flatMap((call): StreamPart[] => [
      { type: "tool-input-start", id: call.id, toolName: call.name },
      { type: "tool-input-delta", id: call.id, delta: call.arguments },
      { type: "tool-input-end", id: call.id },
      toolCall(call),
    ]);
    return [...calls, { ...part, finishReason: callsMade(part.finishReason) }];
  }

  /** A defect of ours must not cost the client its answer: what is held leaves as it came, and nothing is held any more. */
  #guarded(work: () => void): readonly StreamPart[] {
    try {
      work();
      this.#flush();
    } catch {
      this.#inert = true;
      this.#out.push(...this.#waiting.slice(this.#head).map(({ part }) => part));
      [this.#waiting, this.#head] = [[], 0];
    }
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #flush(): void {
    for (let next = this.#waiting[this.#head]; next?.mayLeave() === true; next = this.#waiting[this.#head]) {
      this.#out.push(...next.render());
      this.#weight -= weightOf(next.part);
      this.#head += 1;
    }
    // Cut off by halves: one by one would be quadratic when many wait.
    if (this.#head * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}

function remaining(part: TextPart, unit: TextSegment, start: number, end: number): readonly StreamPart[] {
  if (unit.isRemoved) return [];
  if (part.type !== "text-delta" || end === start) return [part];
  const rest = unit.remaining(start, end);
  if (rest === "") return [];
  return rest.length === end - start ? [part] : [{ ...part, delta: rest }];
}

function asItCame(part: StreamPart): Waiting {
  return { part, mayLeave: always, render: () => [part] };
}

function always(): boolean {
  return true;
}

function weightOf(part: StreamPart): number {
  return PART_WEIGHT + (part.type === "text-delta" ? part.delta.length : 0);
}
