import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { HOOK_READERS, type HookAgent } from "./agents.ts";
import type { HookMoment, HookSighting, TranscriptMention } from "./hook-event.ts";

/** An event as the rest of the house knows it: texts have become facts. */
export type ObservedEvent =
  | {
      readonly kind: "observed";
      readonly observations: readonly Observation[];
      readonly transcripts: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** From the bytes of one hook event to observations. Never throws. */
export function observeEvent(
  agent: HookAgent,
  body: string,
  observer: CallObserver,
  moment: Omit<HookMoment, "hash">,
): ObservedEvent {
  try {
    const reading = HOOK_READERS[agent](JSON.parse(body), { ...moment, hash: observer.hash });
    if (reading.kind === "unreadable") return reading;
    const observations = reading.seen.map((sighting) => observed(sighting, observer));
    return { kind: "observed", observations, transcripts: reading.transcripts ?? [] };
  } catch (error) {
    const reason = error instanceof SyntaxError ? "the payload is not JSON" : "the payload cannot be read";
    return { kind: "unreadable", reason };
  }
}

function observed(sighting: HookSighting, observer: CallObserver): Observation {
  return "tool_call_id" in sighting ? observer.observe(sighting) : sighting;
}
