import { present } from "../../core/model/narrow.ts";
import type { ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { jsonValue } from "../outcome/result-text.ts";
import { isPending } from "../registry/failures.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { CallGate } from "./call-gate.ts";
import { type LoopEvent, shownInput } from "./events.ts";
import { safeError } from "./history.ts";
import type { LoopOptions } from "./loop-options.ts";

export interface Schedule {
  readonly concurrency: number;
  /** Whether the call must run alone. */
  isSequential(call: ModelCall): boolean;
  /** Starts a call. Rejects only for an unknown name in strict mode. */
  start(call: ModelCall): Promise<ToolOutcome>;
  /** Whether the call has no tool: it is started first, because strict mode throws before anything runs. */
  isUnknown(call: ModelCall): boolean;
  /** Called as soon as a call has ended. */
  onOutcome(outcome: ToolOutcome): void;
}

/**
 * Runs the calls of one round to their end, concurrently except for sequential ones. Returns the outcomes in the order
 * of the calls.
 */
export async function runCalls(calls: readonly ModelCall[], schedule: Schedule): Promise<readonly ToolOutcome[]> {
  const outcomes = new Map<number, ToolOutcome>();
  const running = new Set<Promise<void>>();
  let thrown: { readonly error: unknown } | undefined;
  const settle = (index: number, outcome: ToolOutcome): void => {
    outcomes.set(index, outcome);
    schedule.onOutcome(outcome);
  };
  for (const [index, call] of calls.entries()) {
    if (schedule.isUnknown(call)) settle(index, await schedule.start(call));
  }
  for (const [index, call] of calls.entries()) {
    if (outcomes.has(index)) continue;
    const isAlone = schedule.isSequential(call);
    const limit = isAlone ? 1 : Math.max(1, schedule.concurrency);
    while (running.size >= limit) await (isAlone ? Promise.all(running) : Promise.race(running));
    const task: Promise<void> = schedule
      .start(call)
      .then(
        (outcome) => settle(index, outcome),
        (error) => {
          thrown ??= { error };
        },
      )
      .finally(() => running.delete(task));
    running.add(task);
    if (isAlone) await task;
  }
  await Promise.all(running);
  if (thrown !== undefined) throw thrown.error;
  return calls.map((_, index) => present(outcomes.get(index)));
}

/** An ordered queue of values from background tasks, for one reader. */
export class Channel<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield present(this.#waiting.shift());
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

/** Position within a run; part of every event. */
export interface Place {
  readonly round: number;
  readonly turn: string;
}

export interface TurnCalls {
  readonly calls: readonly ModelCall[];
  /** The turn was truncated, so its calls cannot be trusted. */
  readonly isCut: boolean;
  readonly place: Place;
  readonly gate: CallGate;
  readonly registry: ToolRegistry;
  readonly concurrency: number;
  /** Decisions on calls that were pending. */
  readonly approvals?: LoopOptions["approvals"];
}

/** Runs the calls of a turn and emits an event for each. Returns the outcomes in the order of the calls. */
export async function* runCallsWithEvents(
  turnCalls: TurnCalls,
): AsyncGenerator<LoopEvent, readonly ToolOutcome[], void> {
  const { calls, isCut, place, gate, registry, concurrency, approvals = {} } = turnCalls;
  const channel = new Channel<LoopEvent>();
  const round = gate.newRound({
    registry,
    scope: place.turn,
    isCut,
    approvals,
    onRetry: ({ id }, attempt, delayMs) => channel.push({ kind: "tool_retry", ...place, callId: id, attempt, delayMs }),
    onProgress: ({ id, name }, value) =>
      channel.push({ kind: "tool_progress", ...place, callId: id, name, value: jsonValue(value) }),
  });
  const running = runCalls(calls, {
    concurrency,
    isSequential: ({ name }) => registry.find(name)?.sequential === true,
    isUnknown: ({ name }) => registry.find(name) === undefined,
    start: (call) => round.start(call),
    onOutcome: (outcome) => channel.push(outcomeEvent(outcome, place)),
  }).finally(() => channel.close());
  running.catch(() => undefined);
  yield* channel;
  return await running;
}

function outcomeEvent(outcome: ToolOutcome, place: Place): LoopEvent {
  const { id: callId, name } = outcome.call;
  const base = { ...place, callId, name, input: shownInput(outcome.input) };
  if (isPending(outcome)) return { kind: "tool_pending", ...base };
  if (outcome.ok) return { kind: "tool_result", ...base, result: jsonValue(outcome.value) };
  return { kind: "tool_failed", ...base, error: safeError(outcome.call, outcome.failure) };
}
