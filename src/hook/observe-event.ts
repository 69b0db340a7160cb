import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { HOOK_READERS, type HookAgent } from "./agents.ts";
import type { HookMoment, HookReading, HookSighting } from "./hook-event.ts";
import { joinSightings } from "./join-sightings.ts";

/** Reads the bytes of one event. Never throws. */
export function readEvent(agent: HookAgent, body: string, moment: HookMoment): HookReading {
  try {
    return HOOK_READERS[agent](JSON.parse(body), moment);
  } catch (error) {
    const reason = error instanceof SyntaxError ? "the payload is not JSON" : "the payload cannot be read";
    return { kind: "unreadable", reason };
  }
}

/** What the rest of the house knows of events: their texts have become facts. */
export function observeSightings(sightings: readonly HookSighting[], observer: CallObserver): readonly Observation[] {
  return joinSightings(sightings).map((one) => observeSighting(one, observer));
}

export function observeSighting(sighting: HookSighting, observer: CallObserver): Observation {
  return "tool_call_id" in sighting ? observer.observe(sighting) : sighting;
}
