import { describe, expect, it } from "vitest";
import { repairName } from "./repair-name.ts";

const DECLARED = ["Bash", "read_file", "mcp__files__search", "mcp__web__fetch", "get-weather", "apply_patch"];

describe("repairName", () => {
  it.each([
    ["bash", "Bash"],
    ["readFile", "read_file"],
    ["READ-FILE", "read_file"],
    ["functions.read_file", "read_file"],
    ["default_api:get_weather", "get-weather"],
    ["search", "mcp__files__search"],
    ["mcp__files__mcp__files__search", "mcp__files__search"],
    ["read_fileread_file", "read_file"],
    ["Bash<|channel|>commentary", "Bash"],
  ])("the name %s means %s", (written, name) => {
    expect(repairName(written, DECLARED)).toBe(name);
  });

  it.each([
    ["a declared name", "Bash"],
    ["a synonym", "shell"],
    ["a typing error", "raed_file"],
    ["a part of a name", "read"],
    ["nothing", ""],
    ["a long name", "b".repeat(300)],
  ])("the name %s stays", (_, written) => {
    expect(repairName(written, DECLARED)).toBeUndefined();
  });

  it("a name that several tools could mean stays", () => {
    expect(repairName("READ", ["read", "Read"])).toBeUndefined();
    expect(repairName("search", ["mcp__files__search", "mcp__web__search"])).toBeUndefined();
  });
});
