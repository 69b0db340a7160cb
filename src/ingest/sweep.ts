import type { Observation } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";
import { deleteOlder } from "./delete-older.ts";
import { closeQuietCalls, closeQuietSessions } from "./quiet-calls.ts";

/** What is due from time to time: open calls of sessions that are over, their scores, and what is older than it shall be kept. */
export async function sweepStore(
  store: Pick<Store, "quietCalls" | "quietSessions" | "deleteBefore">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { quietMs, keepMs }: { readonly quietMs?: number | undefined; readonly keepMs?: number | undefined } = {},
): Promise<void> {
  await closeQuietCalls(store, record, now, quietMs);
  await closeQuietSessions(store, record, now, quietMs);
  if (keepMs !== undefined) await deleteOlder(store, now - keepMs);
}
