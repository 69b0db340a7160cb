import { hash } from "node:crypto";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { Queries } from "./database.ts";

export interface SessionKey {
  readonly project: string;
  readonly session_id: string;
}

/** A writer takes no more at once: the server's table of locks is small. */
const MAX_LOCKS = 300;

/** Too much for one transaction, as far as it can be done in parts. */
export function exceedsLockLimit(sessions: Iterable<SessionKey>, observations: readonly Observation[]): boolean {
  return observations.length > 1 && namesOf(sessions, observations).size > MAX_LOCKS;
}

/**
 * Takes the right to change these sessions, until the transaction ends. Servers that speak of one session at the same time do so one after the other; and a
 * call that two sessions carry is seen by whichever comes second, because the ids of calls are locked too. Always in the same order, so that nobody
 * waits crosswise.
 */
export async function lockAll(
  db: Queries,
  sessions: Iterable<SessionKey>,
  observations: readonly Observation[],
): Promise<void> {
  const keys = [...namesOf(sessions, observations)].map(numberOf).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  // Counted, so that the answer is one row.
  await db.all("SELECT count(pg_advisory_xact_lock(key)) FROM unnest(?::bigint[]) AS key", keys.map(String));
}

function namesOf(sessions: Iterable<SessionKey>, observations: readonly Observation[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of sessions) names.add(`s${sessionKeyText(key)}`);
  for (const one of observations) {
    if (one.kind === "call") names.add(`c${one.project}\u0000${one.tool_call_id}`);
  }
  return names;
}

function numberOf(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash("sha256", `toolmend\u0000${name}`, "hex").slice(0, 16)}`));
}
