import { addRemoved, NOTHING_REMOVED } from "../../store/deletions.ts";
import type { Removed, Store } from "../../store/port.ts";

/** Small, to keep the store responsive. */
const SESSION_BATCH_SIZE = 20;

/** Removes all sessions without activity since `before`, a few at a time. */
export async function removeOlder(
  store: Pick<Store, "deleteBefore">,
  before: number,
  now: () => number,
  onProgress?: (removed: Removed) => void,
): Promise<Removed> {
  let removed = NOTHING_REMOVED;
  for (;;) {
    const batch = await store.deleteBefore(before, SESSION_BATCH_SIZE, now());
    if (batch.sessions === 0) return removed;
    removed = addRemoved(removed, batch);
    onProgress?.(removed);
  }
}
