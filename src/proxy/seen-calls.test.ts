import { expect, it } from "vitest";
import { SeenCalls } from "./seen-calls.ts";

it("knows a call again only with the same size of its result", () => {
  const seen = new SeenCalls();
  expect(seen.has("a", -1)).toBe(false);
  seen.add("a", -1);
  expect(seen.has("a", -1)).toBe(true);
  expect(seen.has("a", 12)).toBe(false);
  seen.add("a", 12);
  expect([seen.has("a", 12), seen.has("a", -1)]).toEqual([true, false]);
});

it("holds no more than its limit and forgets the oldest first", () => {
  const seen = new SeenCalls(3);
  for (const key of ["a", "b", "c"]) seen.add(key, 1);
  seen.add("a", 2);
  seen.add("d", 1);
  expect(["a", "b", "c", "d"].map((key) => seen.has(key, key === "a" ? 2 : 1))).toEqual([true, false, true, true]);
});
