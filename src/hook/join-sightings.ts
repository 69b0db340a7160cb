import { groupKeyText } from "../core/model/call-key.ts";
import type { CallSighting } from "../ingest/observe/observe-call.ts";
import type { HookSighting } from "./hook-event.ts";

/**
 * Puts together what two events of one moment say about one call: how it ended, and, from the batch it was part of, its place in
 * the turn. The store would come to the same from both; so it has one to look at. What the batch says of a result counts only where
 * nothing else tells of it, so it is not even read here.
 */
export function joinSightings(sightings: readonly HookSighting[]): readonly HookSighting[] {
  const ended = new Map<string, number>();
  const joined: HookSighting[] = [];
  for (const sighting of sightings) {
    const key = isCall(sighting) && sighting.result !== undefined ? groupKeyText(sighting) : undefined;
    const at = key === undefined ? undefined : ended.get(key);
    const before = at === undefined ? undefined : (joined[at] as CallSighting);
    if (before !== undefined && isBatch(before) !== isBatch(sighting as CallSighting)) {
      const [told, batch] = isBatch(before) ? [sighting as CallSighting, before] : [before, sighting as CallSighting];
      joined[at as number] = { ...batch, ...told, seen_at: before.seen_at };
      continue;
    }
    if (key !== undefined) ended.set(key, joined.length);
    joined.push(sighting);
  }
  return joined;
}

function isCall(sighting: HookSighting): sighting is CallSighting {
  return "tool_call_id" in sighting;
}

function isBatch({ result }: CallSighting): boolean {
  return result?.stage === "unrun";
}
