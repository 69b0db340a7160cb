import { expect, it } from "vitest";
import { rateDifference } from "./rate-difference.ts";

it("the interval of Newcombe's worked example is reproduced", () => {
  // 56 of 70 against 48 of 80: 0.2, from 0.0524 to 0.3339.
  const found = rateDifference({ failed: 56, ok: 14 }, { failed: 48, ok: 32 });
  expect(found?.difference).toBeCloseTo(0.2, 6);
  expect(found?.interval[0]).toBeCloseTo(0.0524, 4);
  expect(found?.interval[1]).toBeCloseTo(0.3339, 4);
  expect(found?.isCertain).toBe(true);
});

it("a difference between few calls is not certain", () => {
  expect(rateDifference({ failed: 2, ok: 5 }, { failed: 1, ok: 8 })?.isCertain).toBe(false);
});

it("the difference is null without a known outcome on either side", () => {
  expect(rateDifference({ failed: 0, ok: 0 }, { failed: 1, ok: 8 })).toBeNull();
  expect(rateDifference({ failed: 1, ok: 8 }, { failed: 0, ok: 0 })).toBeNull();
});
