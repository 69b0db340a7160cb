import { expect, it } from "vitest";
import { compareWords } from "./compare-words.ts";

it("says how many times as often the worse one fails, if chance does not explain it", () => {
  expect(compareWords({ name: "opus", failed: 12, ok: 188 }, { name: "haiku", failed: 48, ok: 152 })).toBe(
    "opus fails 6.0% of 200 calls, haiku fails 24.0% of 200 calls. haiku fails 4.0 times as often as opus; " +
      "chance alone rarely explains this (95% interval: +11.2 to +24.9 points).",
  );
});

it("says that few calls may differ by chance", () => {
  expect(compareWords({ name: "a", failed: 2, ok: 5 }, { name: "b", failed: 1, ok: 8 })).toContain(
    "The difference may be chance",
  );
});

it("names the one without a known outcome", () => {
  expect(compareWords({ name: "a", failed: 0, ok: 0 }, { name: "b", failed: 1, ok: 8 })).toBe(
    "No comparison: a has no call with a known outcome.",
  );
});
