import { expect, it } from "vitest";
import { CallCounts } from "./call-counts.ts";

it("CallCounts returns how often an id occurs, however often it is asked", () => {
  const counts = new CallCounts();
  counts.add("call_0", 0);
  counts.add("other", 0);
  counts.add("call_0", 1);
  for (let n = 0; n < 8; n += 1) expect(["call_0", "other", "none"].map((id) => counts.of(id))).toEqual([2, 1, 0]);
  counts.add("call_0", 2);
  expect(counts.of("call_0")).toBe(3);
});

it("CallCounts continues the counts of a stored conversation", () => {
  const counts = new CallCounts(new Map([["call_0", 4]]));
  counts.add("call_0", 2);
  counts.add("call_1", 0);
  expect([counts.of("call_0"), counts.of("call_1")]).toEqual([4, 1]);
  expect([...counts.all]).toEqual([
    ["call_0", 4],
    ["call_1", 1],
  ]);
});
