import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { HOOK_READERS, type HookAgent } from "./agents.ts";
import type { HookReadContext, HookReading, RawHookObservation } from "./hook-event.ts";
import { mergeRawObservations } from "./hook-event.ts";

/** Reads the bytes of one event. Never throws. */
export function readEvent(agent: HookAgent, body: string, moment: HookReadContext): HookReading {
  try {
    return HOOK_READERS[agent](JSON.parse(body), moment);
  } catch (error) {
    const reason = error instanceof SyntaxError ? "the payload is not JSON" : "the payload cannot be read";
    return { kind: "unreadable", reason };
  }
}

/** What the rest of the house knows of events: their texts have become facts. */
export function toObservations(
  sightings: readonly RawHookObservation[],
  observer: CallObserver,
): readonly Observation[] {
  return mergeRawObservations(sightings).map((one) => observeSighting(one, observer));
}

export function observeSighting(sighting: RawHookObservation, observer: CallObserver): Observation {
  return "tool_call_id" in sighting ? observer.observe(sighting) : sighting;
}
