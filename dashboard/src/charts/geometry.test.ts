import { expect, it } from "vitest";
import { layerPath, timeTicks, topOf, valueTicks } from "./geometry.ts";
import type { Stack } from "./stack.ts";

const stack = (tops: (number | null)[][]): Stack => ({ tops }) as unknown as Stack;

it("scales to slightly above the highest column, at least 5 % and at most 100 %", () => {
  expect([topOf(stack([[0.5, null]])), topOf(stack([[1]])), topOf(stack([[0]])), topOf(stack([]))]).toEqual([
    ...[0.55, 1, 0.05, 0.05].map((value) => expect.closeTo(value)),
  ]);
});

it("draws few grid lines, at round values", () => {
  expect(valueTicks(0.05)).toEqual([0, 0.02, 0.04]);
  expect(valueTicks(1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(valueTicks(0.33)).toEqual([0, 0.1, 0.2, expect.closeTo(0.3)]);
});

it("labels at most seven columns, evenly spaced", () => {
  expect(timeTicks(24)).toEqual([1, 5, 9, 13, 17, 21]);
  expect(timeTicks(2)).toEqual([0, 1]);
  expect([1, 7, 25, 31, 400].map((columns) => timeTicks(columns).length)).toEqual([1, 7, 6, 6, 7]);
});

it("draws a layer on top of the one below, and skips empty columns", () => {
  const two = stack([
    [0.1, null, 0],
    [0.3, null, 0.2],
  ]);
  expect(layerPath(two, 0, 0.5)).toBe("M0.09 80h0.82v20h-0.82z");
  expect(layerPath(two, 1, 0.5)).toBe("M0.09 40h0.82v40h-0.82zM2.09 60h0.82v40h-0.82z");
});
