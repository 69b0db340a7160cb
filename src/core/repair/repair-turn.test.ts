import { describe, expect, it } from "vitest";
import { resolveToolName } from "./repair-turn.ts";
import type { ClientTool } from "./types.ts";

const index = (...tools: readonly ClientTool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const TOOLS = index(
  { name: "read" },
  { name: "functions.both" },
  { name: "both" },
  { name: "patch", custom: true },
  { name: "docs.search", wireName: "search", namespace: "docs" },
);

describe("a broken name of a native call", () => {
  it.each([
    ["read<|channel|>commentary", "read"],
    ["<|channel|>commentary functions.read", "read"],
    ["functions.read", "read"],
    ["default_api.read", "read"],
    ["functions.read<|constrain|>json", "read"],
    ["read<｜tool▁sep｜>", "read"],
    [" read ", "read"],
  ])("means the tool that is left when tokens and prefix are gone: %s", (written, name) => {
    expect(resolveToolName(written, TOOLS)?.name).toBe(name);
  });

  it.each([
    ["a declared name", "read"],
    ["one of two", "functions.both<|channel|>json"],
    ["a name that nobody declared", "functions.write"],
    ["a name that is only like one", "Read"],
    ["another prefix", "api.read"],
    ["a tool of a name space", "functions.docs.search"],
    ["nothing but tokens", "<|channel|>commentary"],
    ["a text that is too long for a name", `${"<|a|>".repeat(60)}read`],
  ])("is left: %s", (_what, written) => {
    expect(resolveToolName(written, TOOLS)).toBeUndefined();
  });

  it("means only a tool that takes what the call brings", () => {
    expect(resolveToolName("functions.patch", TOOLS, true)?.name).toBe("patch");
    expect(resolveToolName("functions.patch", TOOLS)).toBeUndefined();
    expect(resolveToolName("functions.read", TOOLS, true)).toBeUndefined();
  });
});
