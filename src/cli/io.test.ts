import { expect, it } from "vitest";
import { terminalWidth } from "./io.ts";

it.each([
  ["the terminal's", 120, { COLUMNS: "60" }, 120],
  ["80 for a terminal that reports 0", 0, {}, 80],
  ["COLUMNS in a pipe", undefined, { COLUMNS: "60" }, 60],
  ["unlimited in a pipe without COLUMNS", undefined, {}, Number.MAX_SAFE_INTEGER],
] as const)("the width of output is %s", (_what, columns, environment, width) => {
  expect(terminalWidth(columns, environment)).toBe(width);
});
