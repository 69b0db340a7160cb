import { expect, it } from "vitest";
import { filterRows } from "./filter-rows.ts";

const ROWS = [
  ["Bash", "exit_code"],
  ["Read", null],
];
const found = (filter: string): readonly unknown[] => filterRows(ROWS, filter, (row) => row).map(([name]) => name);

it("requires every word somewhere in the row, in any case and order", () => {
  expect(found("EXIT ba")).toEqual(["Bash"]);
  expect(found("exit read")).toEqual([]);
});

it("keeps all rows for a blank filter", () => {
  expect(found("  ")).toEqual(["Bash", "Read"]);
});

it("does not match a word across two texts, nor the word null for a missing text", () => {
  expect([...found("hexit"), ...found("null")]).toEqual([]);
});
