import { expect, it } from "vitest";
import { NOTHING_REMOVED } from "../../store/deletions.ts";
import type { Removed } from "../../store/port.ts";
import { removeOlder } from "./session-deleter.ts";

it("removeOlder removes all old sessions in batches of 20 and returns how many", async () => {
  const deleteCalls: unknown[] = [];
  let left = 45;
  const store = {
    async deleteBefore(before: number, limit: number, at: number): Promise<Removed> {
      deleteCalls.push([before, limit, at]);
      const sessions = Math.min(left, limit);
      left -= sessions;
      return { ...NOTHING_REMOVED, sessions, calls: 2 * sessions };
    },
  };
  const progress: number[] = [];
  const removed = await removeOlder(
    store,
    7000,
    () => 9000,
    ({ sessions }) => progress.push(sessions),
  );
  expect(removed).toMatchObject({ sessions: 45, calls: 90 });
  expect(progress).toEqual([20, 40, 45]);
  expect(deleteCalls).toEqual(Array(4).fill([7000, 20, 9000]));
});
