import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Column, oneLineText, renderTable, wrapText } from "./table.ts";

type Row = { readonly name: string; readonly calls: number };
const COLUMNS: readonly Column<Row>[] = [
  { title: "TOOL", text: ({ name }) => name },
  { title: "CALLS", align: "right", text: ({ calls }) => String(calls) },
];

describe("renderTable", () => {
  it("aligns columns without trailing white space", () => {
    const rows = [
      { name: "Bash", calls: 12 },
      { name: "mcp__search", calls: 7 },
    ];
    expect(renderTable(COLUMNS, rows, 80)).toBe(
      ["TOOL         CALLS", "Bash            12", "mcp__search      7", ""].join("\n"),
    );
  });

  it("shortens the first column on a narrow terminal", () => {
    expect(renderTable(COLUMNS, [{ name: "a_very_long_tool_name", calls: 1 }], 18)).toBe(
      ["TOOL         CALLS", "a_very_lon…      1", ""].join("\n"),
    );
  });

  it("fits every width that leaves eight characters for the first column", () => {
    const row = fc.record({ name: fc.string({ maxLength: 60 }), calls: fc.nat() });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 30, max: 100 }), (rows, width) => {
        for (const line of renderTable(COLUMNS, rows, width).split("\n"))
          expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("drops optional columns, the least important first, before it shortens the first column", () => {
    const columns: readonly Column<Row>[] = [
      ...COLUMNS,
      { title: "WHY", text: () => "because", drop: 1 },
      { title: "WHEN", text: () => "just now", drop: 2 },
    ];
    const heads = [40, 30, 20].map(
      (width) => renderTable(columns, [{ name: "twelve_chars", calls: 1 }], width).split("\n")[0],
    );
    expect(heads).toEqual(["TOOL          CALLS  WHY      WHEN", "TOOL          CALLS  WHY", "TOOL          CALLS"]);
  });

  it("drops the last columns if even the required ones do not fit", () => {
    const columns: readonly Column<Row>[] = [...COLUMNS, { title: "MOSTLY", text: () => "http_server_error" }];
    const heads = [40, 30, 10].map(
      (width) => renderTable(columns, [{ name: "twelve_chars", calls: 1 }], width).split("\n")[0],
    );
    expect(heads).toEqual(["TOOL          CALLS  MOSTLY", "TOOL          CALLS", "TOOL      CALLS"]);
  });

  it("counts wide characters as two columns", () => {
    expect(renderTable(COLUMNS, [{ name: "読み取り", calls: 1 }], 80)).toBe("TOOL      CALLS\n読み取り      1\n");
  });

  it("does not split a surrogate pair", () => {
    for (let width = 15; width < 30; width += 1) {
      expect(renderTable(COLUMNS, [{ name: "👀".repeat(20), calls: 1 }], width).isWellFormed()).toBe(true);
    }
  });

  it("prints one line per row, even if names contain line breaks", () => {
    const names = ["a\nb", "\u001b[31mred\u001b[0m", "tab\there", "\u009b2J", "\u202eevil", "null\u0000", "\u2028"];
    const text = renderTable(
      COLUMNS,
      names.map((name) => ({ name, calls: 1 })),
      80,
    );
    expect(text.split("\n")).toHaveLength(names.length + 2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters that must not appear
    expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  });
});

it.each([
  ["plain", "plain"],
  ["été 漢字 👀", "été 漢字 👀"],
  ["a\u001b[0mb", "a�[0mb"],
  ["a\r\nb", "a b"],
  ["one\n\n  two\tthree", "one two three"],
  ["  two  spaces stay", "  two  spaces stay"],
])("renders %j as %s", (text, expected) => {
  expect(oneLineText(text)).toBe(expected);
});

describe("wrapText", () => {
  it("breaks at blanks, and inside words that are too long", () => {
    expect(wrapText("cannot create directory", 14, 9)).toEqual(["cannot create", "directory"]);
    expect(wrapText("a /very/long/path/name.ts", 10, 9)).toEqual(["a", "/very/long", "/path/name", ".ts"]);
    expect(wrapText("fits", 10, 9)).toEqual(["fits"]);
    expect(wrapText("", 10, 9)).toEqual([""]);
    expect(wrapText("ab 文字文字", 5, 9)).toEqual(["ab", "文字", "文字"]);
  });

  it("truncates the last line", () => {
    expect(wrapText("one two three four", 5, 2)).toEqual(["one", "two …"]);
  });
});
