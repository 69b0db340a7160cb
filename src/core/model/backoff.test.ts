import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";

const BACKOFF = { firstMs: 100, longestMs: 5000 };

describe("backoffMs", () => {
  it("doubles with every failure up to the limit", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) => backoffMs(BACKOFF, failures, () => 1));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  it("adds jitter between half and all of the pause", () => {
    expect([0, 0.5, 1].map((random) => backoffMs(BACKOFF, 3, () => random))).toEqual([200, 300, 400]);
  });
});
