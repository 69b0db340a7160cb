import { expect, it } from "vitest";
import { parseMoment, parseSpan } from "./parameters.ts";

const NOW = Date.UTC(2026, 2, 10, 12);

it.each([
  ["90m", 5_400_000],
  ["24h", 86_400_000],
  ["7d", 604_800_000],
  ["4w", 2_419_200_000],
  ["0h", 0],
  ["7", undefined],
  ["d", undefined],
  ["-7d", undefined],
  ["1.5h", undefined],
  ["7 d", undefined],
  ["7D", undefined],
  ["7dd", undefined],
  ["1234567d", undefined],
  ["", undefined],
])("parseSpan(%j) returns %s", (text, expected) => {
  expect(parseSpan(text)).toBe(expected);
});

it.each([
  ["24h", NOW - 86_400_000],
  ["2026-03-09", Date.UTC(2026, 2, 9)],
  ["2026-03-09T06:30:00Z", Date.UTC(2026, 2, 9, 6, 30)],
  ["2026-13-09", undefined],
  ["2026-03-09 and more", undefined],
  ["03/09/2026", undefined],
  ["yesterday", undefined],
  ["1773144000000", undefined],
])("parseMoment(%j) returns %s", (text, expected) => {
  expect(parseMoment(text, NOW)).toBe(expected);
});
