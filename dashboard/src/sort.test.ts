import { expect, it } from "vitest";
import { nextSort, parseSort, sortRows, sortText } from "./sort.ts";

const VALUES = {
  name: ({ name }: Row) => name.toLowerCase(),
  rate: ({ rate }: Row) => rate,
};
interface Row {
  readonly name: string;
  readonly rate: number | null;
}
const ROWS: readonly Row[] = [
  { name: "b", rate: 0.5 },
  { name: "A", rate: 1 },
  { name: "c", rate: null },
  { name: "d", rate: 0 },
];
const USUAL = { column: "rate", descending: true } as const;

const order = (text: string): string =>
  sortRows(ROWS, VALUES, parseSort<"name" | "rate">(text, VALUES, USUAL))
    .map(({ name }) => name)
    .join("");

it("sorts texts alphabetically and numbers by size, with missing values last in both directions", () => {
  expect([order("name"), order("-name"), order("rate"), order("-rate")]).toEqual(["Abcd", "dcbA", "dbAc", "Abdc"]);
});

it("uses the default order for an unknown column", () => {
  expect([order("-constructor"), order("")]).toEqual([order("-rate"), order("-rate")]);
});

it("sorts texts ascending and numbers descending first, and reverses on the second click", () => {
  const name = nextSort<"name" | "rate">(USUAL, "name", true);
  expect([sortText(name), sortText(nextSort(name, "name", true)), sortText(nextSort(name, "rate", false))]).toEqual([
    ...["name", "-name", "-rate"],
  ]);
});
