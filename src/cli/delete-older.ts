import type { Store } from "../store/port.ts";

const AT_ONCE = 100;

/** Removes all sessions whose last sign of life is older, a few at a time: what is recorded meanwhile does not wait. */
export async function deleteOlder(store: Pick<Store, "deleteBefore">, before: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const now = await store.deleteBefore(before, AT_ONCE);
    deleted += now;
    if (now === 0) return deleted;
  }
}
