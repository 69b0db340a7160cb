import { hash } from "node:crypto";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { Queries } from "./database.ts";

export interface SessionKey {
  readonly project: string;
  readonly session_id: string;
}

/** Above this many, a writer asks for everything at once: the server's table of locks is small. */
const MOST_LOCKS = 300;

/** Held together by all writers, and alone by one that asks for everything. */
const EVERYTHING = numberOf("everything");

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
  const names = new Set<string>();
  for (const key of sessions) names.add(`s${sessionKeyText(key)}`);
  for (const one of observations) {
    if (one.kind === "call") names.add(`c${one.project}\u0000${one.tool_call_id}`);
  }
  if (names.size > MOST_LOCKS) {
    await db.all("SELECT pg_advisory_xact_lock(?)", String(EVERYTHING));
    return;
  }
  const keys = [...names].map(numberOf).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  await Promise.all([
    db.all("SELECT pg_advisory_xact_lock_shared(?)", String(EVERYTHING)),
    // Counted, so that the answer is one row.
    db.all("SELECT count(pg_advisory_xact_lock(key)) FROM unnest(?::bigint[]) AS key", keys.map(String)),
  ]);
}

function numberOf(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash("sha256", `toolmend\u0000${name}`, "hex").slice(0, 16)}`));
}
