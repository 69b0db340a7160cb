import { describe, expect, it } from "vitest";
import { chosenTools } from "./read-request.ts";

const names = (choice: unknown): readonly string[] | undefined => {
  const chosen = chosenTools(choice);
  return chosen && [...chosen].sort();
};

describe("chosenTools", () => {
  it.each([
    ["no choice", undefined],
    ["null", null],
    ["Chat and Responses: auto", "auto"],
    ["Chat and Responses: required", "required"],
    ["Mistral: any", "any"],
    ["Messages: auto", { type: "auto" }],
    ["Messages: any", { type: "any", disable_parallel_tool_use: true }],
  ])("allows all tools: %s", (_what, choice) => {
    expect(names(choice)).toBeUndefined();
  });

  it.each([
    ["Chat", { type: "function", function: { name: "read" } }, ["read"]],
    ["Chat without a type", { function: { name: "read" } }, ["read"]],
    ["Chat, a custom tool", { type: "custom", custom: { name: "patch" } }, ["patch"]],
    ["Messages", { type: "tool", name: "read", disable_parallel_tool_use: true }, ["read"]],
    ["Responses", { type: "function", name: "read" }, ["read"]],
    ["Responses, a custom tool", { type: "custom", name: "patch" }, ["patch"]],
    ["Responses, a namespaced tool", { type: "function", name: "find", namespace: "docs" }, ["docs.find", "find"]],
    [
      "Responses, a list",
      {
        type: "allowed_tools",
        mode: "auto",
        tools: [
          { type: "function", name: "a" },
          { type: "custom", name: "b" },
        ],
      },
      ["a", "b"],
    ],
    [
      "Chat, a list",
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "a" } }] },
      },
      ["a"],
    ],
    ["a list of provider tools", { type: "allowed_tools", tools: [{ type: "web_search" }] }, []],
    ["a provider tool", { type: "file_search" }, []],
    ["an MCP tool", { type: "mcp", server_label: "x", name: "read" }, []],
    ["a choice without a name", { type: "function" }, []],
  ])("returns the named tools: %s", (_what, choice, expected) => {
    expect(names(choice)).toEqual(expected);
  });
});
