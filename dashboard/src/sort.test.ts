import { expect, it } from "vitest";
import { nextSort, parseSort, sortRows, sortText } from "./sort.ts";

const ROWS = [
  { name: "b", rate: 0.5 },
  { name: "A", rate: 1 },
  { name: "c", rate: null },
  { name: "d", rate: 0 },
];
type Row = (typeof ROWS)[number];
const byName = ({ name }: Row): string => name.toLowerCase();
const byRate = ({ rate }: Row): number | null => rate;
const order = (rows: readonly Row[]): string => rows.map(({ name }) => name).join("");

it("sorts texts alphabetically and numbers by size, with missing values last in both directions", () => {
  expect([order(sortRows(ROWS, byName, false)), order(sortRows(ROWS, byName, true))]).toEqual(["Abcd", "dcbA"]);
  expect([order(sortRows(ROWS, byRate, false)), order(sortRows(ROWS, byRate, true))]).toEqual(["dbAc", "Abdc"]);
});

it("reads an order from the URL", () => {
  expect([parseSort("-rate"), parseSort("name"), parseSort("")]).toEqual([
    { column: "rate", descending: true },
    { column: "name", descending: false },
    undefined,
  ]);
});

it("sorts texts ascending and numbers descending first, and reverses on the second click", () => {
  const name = nextSort(parseSort("-rate"), "name", true);
  expect([sortText(name), sortText(nextSort(name, "name", true)), sortText(nextSort(name, "rate", false))]).toEqual([
    ...["name", "-name", "-rate"],
  ]);
});
