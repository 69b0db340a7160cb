import type { AggregateDeltas } from "../core/model/aggregates.ts";
import { groupKeyText } from "../core/model/call-key.ts";
import { sessionKeyText } from "../core/model/fold.ts";
import type { Observation } from "../core/model/observation.ts";
import { hashText } from "./hash-text.ts";
import type { Removed } from "./port.ts";

export interface SessionKey {
  readonly project: string;
  readonly session_id: string;
}

export const NOTHING_REMOVED: Removed = { sessions: 0, calls: 0, events: 0, exported: 0 };

export function addRemoved(a: Removed, b: Removed): Removed {
  return {
    sessions: a.sessions + b.sessions,
    calls: a.calls + b.calls,
    events: a.events + b.events,
    exported: a.exported + b.exported,
  };
}

/** Identifies a deleted session without containing its id. */
export function sessionHash(key: SessionKey): string {
  return hashText(sessionKeyText(key)).slice(0, 32);
}

/**
 * Removes observations that would restore a deleted session: those that happened or were seen before the deletion, and
 * calls that only a request's history contains. Clients send their whole history with every request, so a call without
 * a record was made before the deletion. Everything else starts the session again.
 *
 * @param deletedAt when sessions of the batch were deleted, by the text of their key
 * @param hasRecord whether the store has a call under this group key
 */
export function withoutDeleted(
  observations: readonly Observation[],
  deletedAt: ReadonlyMap<string, number>,
  hasRecord: (group: string) => boolean,
): readonly Observation[] {
  if (deletedAt.size === 0) return observations;
  const later = observations.filter((one) => {
    const at = deletedAt.get(sessionKeyText(one));
    return at === undefined || (one.seen_at > at && one.occurred_at > at);
  });
  const made = new Set<string>();
  for (const one of later) if (one.kind === "call" && one.place.kind !== "history") made.add(groupKeyText(one));
  return later.filter((one) => {
    if (one.kind !== "call" || one.place.kind !== "history" || !deletedAt.has(sessionKeyText(one))) return true;
    const group = groupKeyText(one);
    return made.has(group) || hasRecord(group);
  });
}

/**
 * What deleted calls subtract from the aggregates. Retention keeps aggregates, except errors: those contain text of
 * their calls.
 */
export function removedAggregates(aggregates: AggregateDeltas, keepsSums: boolean): AggregateDeltas {
  const rest: AggregateDeltas = { ...aggregates, facets: [], fingerprintTimes: [] };
  return keepsSums ? { ...rest, rollups: [], origins: [], totals: [], workflows: [], durations: [] } : rest;
}

/** Blanks the lines of one session in a row of event lines. Blank lines preserve the numbers of the others. */
export function blankSessionLines(lines: string, key: SessionKey): { readonly text: string; readonly blanked: number } {
  const [session, project] = [sessionNeedle(key.session_id), `"project":${JSON.stringify(key.project)}`];
  let blanked = 0;
  const blankedLines = lines.split("\n").map((line) => {
    if (!line.includes(session) || !line.includes(project)) return line;
    blanked += 1;
    return "";
  });
  return { text: blankedLines.join("\n"), blanked };
}

/** A substring of every event line of a session. It cannot occur within a string value, where quotes are escaped. */
export function sessionNeedle(sessionId: string): string {
  return `"session_id":${JSON.stringify(sessionId)}`;
}

/**
 * Range and test for keys of one session's calls as `inherited_from` contains them: the column has spaces for NUL, the
 * record does not.
 */
export function originalsOf(key: SessionKey): {
  readonly from: string;
  readonly until: string;
  readonly includes: (text: string) => boolean;
} {
  const start = `${sessionKeyText(key)}\u0000`;
  const column = start.replaceAll("\u0000", " ");
  // "!" follows the space in ASCII: every text that starts with the prefix lies between the two.
  return {
    from: column,
    until: `${column.slice(0, -1)}!`,
    includes: (text) => text.startsWith(start),
  };
}
