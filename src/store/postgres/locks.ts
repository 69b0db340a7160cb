import { hash } from "node:crypto";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { SessionKey } from "../deletions.ts";
import { query, type Work } from "../sql/work.ts";

/** Per transaction, because the lock table of the server is small. */
const MAX_LOCKS = 300;
/** An arbitrary number that all servers share. */
const NUMBERING_LOCK = "4817220511980442";

/** Whether a batch needs too many locks for one transaction. A single observation cannot be split. */
export function exceedsLockLimit(sessions: Iterable<SessionKey>, observations: readonly Observation[]): boolean {
  return observations.length > 1 && namesOf(sessions, observations).size > MAX_LOCKS;
}

/**
 * Locks these sessions until the transaction ends, so that servers change a session one after the other. Locks call ids
 * too: of two servers with the same call in two sessions, the second finds the call of the first. Always in the same
 * order, to avoid deadlocks.
 */
export function* lockAll(sessions: Iterable<SessionKey>, observations: readonly Observation[]): Work<void> {
  const keys = [...namesOf(sessions, observations)].map(numberOf).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  // count() reduces the result to one row.
  yield* query("SELECT count(pg_advisory_xact_lock(key)) FROM unnest(?::bigint[]) AS key", keys.map(String));
}

export function* lockNumbers(): Work<void> {
  yield* query("SELECT pg_advisory_xact_lock(?)", NUMBERING_LOCK);
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
