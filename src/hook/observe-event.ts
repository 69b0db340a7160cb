import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { HOOK_READERS, type HookAgent } from "./agents.ts";
import type { HookReadContext, HookReading, RawHookObservation } from "./hook-event.ts";
import { mergeRawObservations } from "./hook-event.ts";

/** Parses and reads one event. Never throws. */
export function readEvent(agent: HookAgent, body: string, context: HookReadContext): HookReading {
  try {
    return HOOK_READERS[agent](JSON.parse(body), context);
  } catch (error) {
    const reason = error instanceof SyntaxError ? "the payload is not JSON" : "the payload cannot be read";
    return { kind: "unreadable", reason };
  }
}

/** Converts raw hook events to observations. Text is reduced to facts here and goes no further. */
export function toObservations(
  observations: readonly RawHookObservation[],
  observer: CallObserver,
): readonly Observation[] {
  return mergeRawObservations(observations).map((one) => toObservation(one, observer));
}

export function toObservation(observation: RawHookObservation, observer: CallObserver): Observation {
  return "tool_call_id" in observation ? observer.observe(observation) : observation;
}
