import { expect, it } from "vitest";
import { NO_CALLS } from "../../src/core/model/session-record.ts";
import type { BreakdownRow } from "../../src/store/port.ts";
import { nextSort, parseSort, sortTools } from "./sort-tools.ts";

const row = (key: string, failed: number, rate: number | null): BreakdownRow => ({
  ...NO_CALLS,
  key,
  calls: 10,
  failed,
  phases: { call: 0, gate: 0, run: failed },
  p95_ms: null,
  previous: null,
  failure_rate: rate,
  top_category: null,
});
const ROWS = [row("b", 5, 0.5), row("A", 5, 1), row("c", 0, null), row("d", 1, 0)];

const order = (sort: string): string =>
  sortTools(ROWS, parseSort(sort))
    .map(({ key }) => key)
    .join("");

it("sorts names without regard to case", () => {
  expect([order("name"), order("-name")]).toEqual(["Abcd", "dcbA"]);
});

it("keeps the server's order of equal rows, either way", () => {
  expect([order("failed"), order("-failed"), order("calls")]).toEqual(["cdbA", "bAdc", "bAcd"]);
});

it("puts rows without a rate last, either way", () => {
  expect([order("rate"), order("-rate")]).toEqual(["dbAc", "Abdc"]);
});

it("starts numbers at the largest and texts at A, and turns round on a second click", () => {
  expect(nextSort(parseSort("name"), "calls")).toEqual({ column: "calls", descending: true });
  expect(nextSort(parseSort("-calls"), "calls")).toEqual({ column: "calls", descending: false });
  expect(nextSort(parseSort("-calls"), "name")).toEqual({ column: "name", descending: false });
});
