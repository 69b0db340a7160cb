import { expect, it } from "vitest";
import { callCacheKey, RecordedCallCache } from "./recorded-call-cache.ts";

it("knows a call with the size it had last", () => {
  const seen = new RecordedCallCache();
  expect(seen.of("thread").get("a")).toBeUndefined();
  seen.add("thread", [["a", -1]]);
  expect(seen.of("thread").get("a")).toBe(-1);
  seen.add("thread", [["a", 12]]);
  expect(seen.of("thread").get("a")).toBe(12);
});

it("keeps threads apart, and the same id from its second occurrence", () => {
  const seen = new RecordedCallCache();
  seen.add("one", [[callCacheKey("call_0", 0), 1]]);
  expect(seen.of("other").get("call_0")).toBeUndefined();
  expect(seen.of("one").get(callCacheKey("call_0", 1))).toBeUndefined();
});

it("holds no more than its limit and forgets the thread that was silent longest", () => {
  const seen = new RecordedCallCache({ calls: 4 });
  seen.add("one", [["a", 1]]);
  seen.add("two", [["b", 1]]);
  seen.add("two", [["c", 1]]);
  seen.add("one", [["a", 2]]);
  seen.add("three", [
    ["d", 1],
    ["e", 1],
  ]);
  expect(["one", "two", "three"].map((thread) => seen.of(thread).size)).toEqual([1, 0, 2]);
});

it("forgets a thread of more calls than the limit as well", () => {
  const seen = new RecordedCallCache({ calls: 2 });
  seen.add("one", [
    ["a", 1],
    ["b", 1],
    ["c", 1],
  ]);
  expect(seen.of("one").size).toBe(0);
});

it("holds no more text than its limit, however long the ids are", () => {
  const seen = new RecordedCallCache({ weight: 3000 });
  seen.add("one", [["a".repeat(1000), 1]]);
  seen.add("two", [["b".repeat(1000), 1]]);
  // The same call again, with its result: no more text than before.
  for (let size = 2; size < 50; size += 1) seen.add("one", [["a".repeat(1000), size]]);
  expect(["one", "two"].map((thread) => seen.of(thread).size)).toEqual([1, 1]);
  seen.add("three", [["c".repeat(1000), 1]]);
  expect(["one", "two", "three"].map((thread) => seen.of(thread).size)).toEqual([1, 0, 1]);
  seen.add("large", [["d".repeat(5000), 1]]);
  expect(["one", "three", "large"].map((thread) => seen.of(thread).size)).toEqual([0, 0, 0]);
});
