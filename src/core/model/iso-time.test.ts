import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "./iso-time.ts";

describe("isoTime", () => {
  it.each([
    [0, "1970-01-01T00:00:00.000Z"],
    [86_399_999, "1970-01-01T23:59:59.999Z"],
    [Date.UTC(2024, 1, 29, 12, 3, 4, 5), "2024-02-29T12:03:04.005Z"],
    [253_402_300_800_000, "+010000-01-01T00:00:00.000Z"],
    [-1, "1969-12-31T23:59:59.999Z"],
  ])("turns %d into %s", (at, text) => {
    expect(isoTime(at)).toBe(text);
  });

  it("equals Date.toISOString for any sequence of times", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 8.64e15 - 1 })), (times) => {
        for (const at of times) expect(isoTime(at)).toBe(new Date(at).toISOString());
      }),
    );
  });
});
