import type { ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { jsonValue } from "../outcome/result-text.ts";
import type { ToolRegistry } from "../registry/tool-registry.ts";
import type { CallGate } from "./call-gate.ts";
import { Channel } from "./channel.ts";
import { type LoopEvent, shownInput } from "./events.ts";
import { safeError } from "./round-history.ts";
import { runCalls } from "./run-calls.ts";

/** Where a run stands; every event says so. */
export interface Place {
  readonly round: number;
  readonly turn: string;
}

export interface CallsOfTurn {
  readonly calls: readonly ModelCall[];
  /** The turn was cut off, its calls are not to be trusted. */
  readonly isCut: boolean;
  readonly place: Place;
  readonly gate: CallGate;
  readonly registry: ToolRegistry;
  readonly concurrency: number;
}

/** Runs the calls of a turn and tells of each; the outcomes in the order of the calls. */
export async function* runToldCalls(told: CallsOfTurn): AsyncGenerator<LoopEvent, readonly ToolOutcome[], void> {
  const { calls, isCut, place, gate, registry, concurrency } = told;
  const outcomes: ToolOutcome[] = [];
  const channel = new Channel<LoopEvent>();
  const round = gate.newRound(place.turn, isCut, (callId, attempt, delayMs) =>
    channel.push({ kind: "tool_retry", ...place, callId, attempt, delayMs }),
  );
  const running = runCalls(calls, {
    concurrency,
    isSequential: ({ name }) => registry.find(name)?.sequential === true,
    start: (call) => round.start(call),
    onOutcome(outcome) {
      outcomes.push(outcome);
      channel.push(outcomeEvent(outcome, place));
    },
  }).finally(() => channel.close());
  running.catch(() => undefined);
  yield* channel;
  await running;
  return outcomes;
}

function outcomeEvent(outcome: ToolOutcome, place: Place): LoopEvent {
  const { id: callId, name } = outcome.call;
  const base = { ...place, callId, name, input: shownInput(outcome.input) };
  if (outcome.ok) return { kind: "tool_result", ...base, result: jsonValue(outcome.value) };
  return { kind: "tool_failed", ...base, error: safeError(outcome.call, outcome.failure) };
}
