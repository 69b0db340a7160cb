import { groupKeyText } from "../core/model/call-key.ts";
import type { Figures } from "../core/model/figures.ts";
import { sessionKeyText } from "../core/model/fold.ts";
import type { Observation } from "../core/model/observation.ts";
import { hashText } from "./hash-text.ts";

export interface SessionKey {
  readonly project: string;
  readonly session_id: string;
}

/** What a deletion removed from the store. */
export interface Removed {
  readonly sessions: number;
  readonly calls: number;
  /** Events that no reader had passed yet, or that the live feed still kept. */
  readonly events: number;
  /** Calls and sessions that were exported before: what the other system has stays there. */
  readonly exported: number;
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

/** A session that was deleted, for whoever has copies of its lines. */
export interface Deletion {
  readonly id: number;
  /** {@link sessionHash} */
  readonly session: string;
}

/** Names a deleted session without its id. */
export function sessionHash(key: SessionKey): string {
  return hashText(sessionKeyText(key)).slice(0, 32);
}

/**
 * The observations of a batch without those that would bring a deleted session back: what happened or was seen before the deletion, and
 * calls that only a history shows. Clients send their whole history with every request, so a call without a record of its making was made
 * before the deletion. Everything else starts the session again.
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

/** What deleted calls take from sums. Where retention deletes them the sums stay; errors never do, because they show a text of their calls. */
export function removedFigures(figures: Figures, keepsSums: boolean): Figures {
  const rest: Figures = { ...figures, facets: [], seen: [] };
  return keepsSums ? { ...rest, rollups: [], origins: [], totals: [], workflows: [], durations: [] } : rest;
}

/** A row of event lines without those of one session. Their places stay, empty: events are numbered by their place. */
export function blankSessionLines(lines: string, key: SessionKey): { readonly text: string; readonly blanked: number } {
  const [session, project] = [sessionNeedle(key.session_id), `"project":${JSON.stringify(key.project)}`];
  let blanked = 0;
  const kept = lines.split("\n").map((line) => {
    if (!line.includes(session) || !line.includes(project)) return line;
    blanked += 1;
    return "";
  });
  return { text: kept.join("\n"), blanked };
}

/** Occurs in every event line of a session, and in no text inside a line: quotes are escaped there. */
export function sessionNeedle(sessionId: string): string {
  return `"session_id":${JSON.stringify(sessionId)}`;
}

/** The keys of calls of one session, as copies of these calls name their original: in the column (NUL is a space there) and in the record. */
export function originalsOf(key: SessionKey): {
  readonly from: string;
  readonly until: string;
  readonly includes: (text: string) => boolean;
} {
  const start = `${sessionKeyText(key)}\u0000`;
  const column = start.replaceAll("\u0000", " ");
  // "!" follows the space: everything that begins with the column's text lies between the two.
  return {
    from: column,
    until: `${column.slice(0, -1)}!`,
    includes: (text) => text.startsWith(start),
  };
}
