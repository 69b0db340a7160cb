import { describe, expect, it } from "vitest";
import { resolveToolName } from "./resolve-tool-name.ts";
import type { ClientTool } from "./types.ts";

const index = (...tools: readonly ClientTool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const TOOLS = index(
  { name: "read" },
  { name: "functions.both" },
  { name: "both" },
  { name: "patch", custom: true },
  { name: "docs.search", wireName: "search", namespace: "docs" },
);

describe("resolveToolName", () => {
  it.each([
    ["read<|channel|>commentary", "read"],
    ["<|channel|>commentary functions.read", "read"],
    ["functions.read", "read"],
    ["default_api.read", "read"],
    ["functions.read<|constrain|>json", "read"],
    ["read<｜tool▁sep｜>", "read"],
    [" read ", "read"],
  ])("resolves %s after removing tokens and prefix", (written, name) => {
    expect(resolveToolName(written, TOOLS)?.name).toBe(name);
  });

  it.each([
    ["a declared name", "read"],
    ["a name that matches two tools", "functions.both<|channel|>json"],
    ["an undeclared name", "functions.write"],
    ["a name with different case", "Read"],
    ["an unknown prefix", "api.read"],
    ["a namespaced tool", "functions.docs.search"],
    ["a name of tokens only", "<|channel|>commentary"],
    ["a name over the length limit", `${"<|a|>".repeat(60)}read`],
  ])("does not resolve %s", (_what, written) => {
    expect(resolveToolName(written, TOOLS)).toBeUndefined();
  });

  it("resolves only to a tool of the same kind as the call", () => {
    expect(resolveToolName("functions.patch", TOOLS, true)?.name).toBe("patch");
    expect(resolveToolName("functions.patch", TOOLS)).toBeUndefined();
    expect(resolveToolName("functions.read", TOOLS, true)).toBeUndefined();
  });
});
