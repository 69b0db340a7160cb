import { expect, it } from "vitest";
import { csvOf } from "./csv.ts";

it("writes a column for every field that occurs, nested values as JSON", () => {
  expect(
    csvOf([
      { a: 1, b: null },
      { a: -0.5, c: { x: [1] } },
    ]),
  ).toBe('a,b,c\r\n1,,\r\n-0.5,,"{""x"":[1]}"\r\n');
});

it("escapes formulas for spreadsheets, and quotes cells with line breaks", () => {
  const cells = ["=1+1", "+x", "-x", "@x", "plain", 'say "hi"', "two\nlines"].map((key) => ({ key }));
  expect(csvOf(cells).split("\r\n").slice(1, -1)).toEqual([
    ...["'=1+1", "'+x", "'-x", "'@x", "plain", '"say ""hi"""', '"two\nlines"'],
  ]);
});

it("writes a header even without rows", () => {
  expect(csvOf([])).toBe("\r\n");
});
