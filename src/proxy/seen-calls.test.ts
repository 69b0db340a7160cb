import { expect, it } from "vitest";
import { SeenCalls, seenKey } from "./seen-calls.ts";

it("knows a call with the size it had last", () => {
  const seen = new SeenCalls();
  expect(seen.of("thread").get("a")).toBeUndefined();
  seen.add("thread", [["a", -1]]);
  expect(seen.of("thread").get("a")).toBe(-1);
  seen.add("thread", [["a", 12]]);
  expect(seen.of("thread").get("a")).toBe(12);
});

it("keeps threads apart, and the same id from its second occurrence", () => {
  const seen = new SeenCalls();
  seen.add("one", [[seenKey("call_0", 0), 1]]);
  expect(seen.of("other").get("call_0")).toBeUndefined();
  expect(seen.of("one").get(seenKey("call_0", 1))).toBeUndefined();
});

it("holds no more than its limit and forgets the thread that was silent longest", () => {
  const seen = new SeenCalls(4);
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
  const seen = new SeenCalls(2);
  seen.add("one", [
    ["a", 1],
    ["b", 1],
    ["c", 1],
  ]);
  expect(seen.of("one").size).toBe(0);
});
