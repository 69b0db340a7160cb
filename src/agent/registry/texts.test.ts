import { describe, expect, it } from "vitest";
import { z } from "zod";
import { limitText } from "../outcome/result-text.ts";
import { defineTool } from "./define-tool.ts";
import { suggestNames } from "./names.ts";
import { createToolRegistry } from "./registry.ts";

const options = { log: false } as const;
const city = defineTool({ name: "city", input: z.object({ name: z.string() }), run: ({ name }) => name });
const optional = defineTool({ name: "optional", input: z.object({ name: z.string().optional() }), run: () => "ran" });

async function modelText(name: string, args: unknown): Promise<string> {
  const outcome = await createToolRegistry([city, optional], options).call({ id: "1", name, arguments: args });
  return outcome.ok ? outcome.modelText : outcome.failure.modelMessage;
}

describe("the texts for the model", () => {
  it("says that no tools exist if a registry is empty", async () => {
    const outcome = await createToolRegistry([], options).call({ id: "1", name: "city", arguments: {} });
    expect(outcome.ok ? "" : outcome.failure.modelMessage).toBe(
      "Error: Tool 'city' not found.\n\nNo tools are available. Please answer without calling a tool.",
    );
  });

  it("does not claim that arguments which never began end in the middle", async () => {
    expect(await modelText("city", "hello")).toContain("they are not a JSON object");
    expect(await modelText("city", '{"name": "Par')).toContain("they end in the middle");
  });

  it("treats empty arguments as an empty object if every parameter is optional", async () => {
    expect(await modelText("optional", "")).toBe("ran");
    expect(await modelText("city", "")).toContain("they were empty");
  });

  it("keeps the start and the end of a long result", () => {
    const { text, cut } = limitText(`start ${"é".repeat(5000)} end`, 1000);
    expect(text.startsWith("start é")).toBe(true);
    expect(text.endsWith("é end")).toBe(true);
    expect(text).toMatch(/\n\n\[Cut: \d+ of 10010 bytes are shown\.\]\n\n/);
    expect(cut?.bytes).toBe(10_010);
    expect(new TextEncoder().encode(text).length).toBeLessThan(1100);
  });
});

describe("similar names", () => {
  it("names are not similar because of a shared server prefix", () => {
    const names = ["filesystem__read_file", "filesystem__write_file", "mcp__github__list_issues"];
    expect(suggestNames("filesystem__bash", names)).toEqual([]);
    expect(suggestNames("mcp__github__bash", names)).toEqual([]);
    expect(suggestNames("filesystem__readFile", names)[0]).toBe("filesystem__read_file");
    expect(suggestNames("filesystem__list_issues", names)).toEqual(["mcp__github__list_issues"]);
  });
});
