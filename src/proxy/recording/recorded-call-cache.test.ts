import { expect, it } from "vitest";
import { callCacheKey, RecordedCallCache } from "./recorded-call-cache.ts";

it("RecordedCallCache returns the latest size of a call", () => {
  const cache = new RecordedCallCache();
  expect(cache.of("thread").get("a")).toBeUndefined();
  cache.add("thread", [["a", -1]]);
  expect(cache.of("thread").get("a")).toBe(-1);
  cache.add("thread", [["a", 12]]);
  expect(cache.of("thread").get("a")).toBe(12);
});

it("RecordedCallCache distinguishes threads and repeated ids", () => {
  const cache = new RecordedCallCache();
  cache.add("one", [[callCacheKey("call_0", 0), 1]]);
  expect(cache.of("other").get("call_0")).toBeUndefined();
  expect(cache.of("one").get(callCacheKey("call_0", 1))).toBeUndefined();
});

it("RecordedCallCache evicts the least recently active thread above its call limit", () => {
  const cache = new RecordedCallCache({ calls: 4 });
  cache.add("one", [["a", 1]]);
  cache.add("two", [["b", 1]]);
  cache.add("two", [["c", 1]]);
  cache.add("one", [["a", 2]]);
  cache.add("three", [
    ["d", 1],
    ["e", 1],
  ]);
  expect(["one", "two", "three"].map((thread) => cache.of(thread).size)).toEqual([1, 0, 2]);
});

it("RecordedCallCache evicts a thread with more calls than the limit", () => {
  const cache = new RecordedCallCache({ calls: 2 });
  cache.add("one", [
    ["a", 1],
    ["b", 1],
    ["c", 1],
  ]);
  expect(cache.of("one").size).toBe(0);
});

it("RecordedCallCache limits the total length of ids", () => {
  const cache = new RecordedCallCache({ weight: 3000 });
  cache.add("one", [["a".repeat(1000), 1]]);
  cache.add("two", [["b".repeat(1000), 1]]);
  // The same call with its result adds no text.
  for (let size = 2; size < 50; size += 1) cache.add("one", [["a".repeat(1000), size]]);
  expect(["one", "two"].map((thread) => cache.of(thread).size)).toEqual([1, 1]);
  cache.add("three", [["c".repeat(1000), 1]]);
  expect(["one", "two", "three"].map((thread) => cache.of(thread).size)).toEqual([1, 0, 1]);
  cache.add("large", [["d".repeat(5000), 1]]);
  expect(["one", "three", "large"].map((thread) => cache.of(thread).size)).toEqual([0, 0, 0]);
});
