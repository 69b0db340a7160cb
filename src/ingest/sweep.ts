import type { Observation } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";
import { closeQuietCalls, closeQuietSessions } from "./quiet-calls.ts";

/** So few at a time that traffic never waits long for the store. */
const SESSIONS_AT_ONCE = 20;

/** What is due from time to time: open calls of sessions that are over, their scores, and what is older than it shall be kept. */
export async function sweepStore(
  store: Pick<Store, "quietCalls" | "quietSessions" | "deleteBefore">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { quietMs, keepMs }: { readonly quietMs?: number | undefined; readonly keepMs?: number | undefined } = {},
): Promise<void> {
  await closeQuietCalls(store, record, now, quietMs);
  await closeQuietSessions(store, record, now, quietMs);
  if (keepMs !== undefined) await deleteOld(store, now - keepMs);
}

/** Removes sessions that are older; returns how many. */
export async function deleteOld(store: Pick<Store, "deleteBefore">, before: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const few = await store.deleteBefore(before, SESSIONS_AT_ONCE);
    deleted += few;
    if (few < SESSIONS_AT_ONCE) return deleted;
  }
}
