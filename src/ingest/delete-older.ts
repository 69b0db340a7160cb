import type { Store } from "../store/port.ts";

/** So few that traffic never waits long for the store. */
const AT_ONCE = 20;

/** Removes all sessions whose last sign of life is older, a few at a time; returns how many. */
export async function deleteOlder(store: Pick<Store, "deleteBefore">, before: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const now = await store.deleteBefore(before, AT_ONCE);
    deleted += now;
    if (now === 0) return deleted;
  }
}
