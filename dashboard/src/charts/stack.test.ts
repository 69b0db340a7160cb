import { expect, it } from "vitest";
import type { SeriesPoint } from "../../../src/store/port.ts";
import { stackOf } from "./stack.ts";

const HOUR = 3_600_000;
const point = (at: number, ok: number, categories: Record<string, number>): SeriesPoint =>
  ({ at, ok, failed: Object.values(categories).reduce((a, b) => a + b, 0), categories }) as unknown as SeriesPoint;

it("creates a column for every hour, and no rate for hours without known outcomes", () => {
  const points = [point(2 * HOUR, 6, { timeout: 1, error: 3 }), point(4 * HOUR, 0, { timeout: 2 })];
  const stack = stackOf(points, "hour", 1.5 * HOUR, 4.9 * HOUR);
  expect(stack.x).toEqual([3600, 7200, 10800, 14400]);
  expect(stack.names).toEqual(["error", "timeout"]);
  expect(stack.tops).toEqual([
    [null, 0.3, null, 0],
    [null, 0.4, null, 1],
  ]);
  expect(stack.known).toEqual([0, 10, 0, 2]);
});

it("merges rare categories into one layer without losing failures", () => {
  const categories = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name, at) => [name, 10 - at]));
  const { names, counts } = stackOf([point(0, 0, categories)], "day", undefined, HOUR);
  expect(names).toEqual(["a", "b", "c", "d", "e", "other"]);
  expect(counts.map(([count]) => count)).toEqual([10, 9, 8, 7, 6, 9]);
});

it("creates one empty column without data, and a bounded number with much data", () => {
  expect(stackOf([], "hour", undefined, 5 * HOUR).x).toEqual([18000]);
  expect(stackOf([point(0, 1, {})], "hour", undefined, 9000 * HOUR).x).toHaveLength(400);
});
