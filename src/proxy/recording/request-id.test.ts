import { expect, it } from "vitest";
import { requestId } from "../exchange/create-exchange.ts";

const NOON = Date.UTC(2026, 2, 10, 12);

it("a request id is a version 7 UUID that begins with its time", () => {
  expect(requestId(NOON)).toMatch(/^019cd79e-4600-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it("request ids sort by time and differ within a millisecond", () => {
  const ids = [NOON, NOON + 1, NOON + 70_000, NOON + 86_400_000].map(requestId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => requestId(NOON))).size).toBe(1000);
});

it("a request id has 36 characters for any clock value", () => {
  for (const now of [0, -5, 1.5, 8.64e15]) expect(requestId(now)).toHaveLength(36);
});
