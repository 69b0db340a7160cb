import type { Queries, Transactions } from "./database.ts";

const RECOUNT = `UPDATE session_rollups r SET unhealthy = (
  SELECT count(*) FROM sessions s
  WHERE s.health = 'unhealthy' AND s.project = r.project AND s.last_at >= r.start AND s.last_at < r.start + r.span)`;

/** Counts the unhealthy sessions of all hours and days. */
export async function recountUnhealthy(db: Queries): Promise<void> {
  await db.all(RECOUNT);
}

/** Longer than servers of two versions run side by side during an update. */
const RECENT_MS = 2 * 86_400_000;

/**
 * Counts the unhealthy sessions of the last two days again, at the start of a server: one of an older version beside it
 * counts by other rules, or not at all. The lock keeps others from adding to a sum that is being replaced.
 */
export async function recountRecentUnhealthy(db: Transactions): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.all("LOCK TABLE session_rollups IN SHARE ROW EXCLUSIVE MODE");
    await tx.all(`${RECOUNT} WHERE r.start + r.span > extract(epoch FROM now()) * 1000 - ${RECENT_MS}`);
  });
}
