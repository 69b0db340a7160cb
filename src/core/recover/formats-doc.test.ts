import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TOOLS } from "../../../test/property/recover-fixtures.ts";
import { FORMATS } from "./formats/table.ts";
import { extractToolCalls } from "./index.ts";

const pages = ["formats-json", "formats-markup"].map((name) =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"),
);
const sections = [...pages.join("\n").matchAll(/^### (\S+)\n(?:.+\n)+?(`{3,4})text\n([\s\S]*?)\n\2$/gm)].map(
  (match) => [match[1] as string, match[3] as string] as const,
);

describe("docs/formats-json.md and docs/formats-markup.md", () => {
  it.each(sections)("the example of %s matches the parser", (format, text) => {
    const { toolCalls } = extractToolCalls(text, { tools: TOOLS });
    expect(toolCalls.length).toBeGreaterThan(0);
    expect(toolCalls[0]?.format).toBe(format);
  });

  it("the pages list every format of the table", () => {
    const listed = new Set(sections.map(([format]) => format));
    expect([...new Set(FORMATS.map((row) => row.format))].filter((format) => !listed.has(format))).toEqual([]);
  });
});
