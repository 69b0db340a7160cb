import { expect, it } from "vitest";
import { deleteOlder } from "./delete-older.ts";
import { sweepStore } from "./sweep.ts";

/** A store of so many old sessions that tells what it was asked. */
function storeOf(old: number) {
  const asked: { readonly before: number; readonly limit: number }[] = [];
  let left = old;
  return {
    asked,
    left: () => left,
    async deleteBefore(before: number, limit: number) {
      asked.push({ before, limit });
      const gone = Math.min(left, limit);
      left -= gone;
      return gone;
    },
    quietCalls: async () => [],
    quietSessions: async () => [],
  };
}

it("removes all of them, twenty at a time, and says how many", async () => {
  const store = storeOf(45);
  expect(await deleteOlder(store, 7000)).toBe(45);
  expect(store.left()).toBe(0);
  expect(new Set(store.asked.map(({ before, limit }) => `${before} ${limit}`))).toEqual(new Set(["7000 20"]));
});

it("a sweep removes what is older than it shall be kept, and nothing where everything is kept", async () => {
  const store = storeOf(21);
  await sweepStore(store, async () => 0, 10_000);
  expect(store.left()).toBe(21);
  await sweepStore(store, async () => 0, 10_000, { keepMs: 3000 });
  expect(store.left()).toBe(0);
  expect(store.asked[0]?.before).toBe(7000);
});
