import { describe, expect, it } from "vitest";
import { chosenTools } from "./read-request.ts";

const names = (choice: unknown): readonly string[] | undefined => {
  const chosen = chosenTools(choice);
  return chosen && [...chosen].sort();
};

describe("the tools that a request limits the model to", () => {
  it.each([
    ["no choice", undefined],
    ["null", null],
    ["Chat and Responses: auto", "auto"],
    ["Chat and Responses: required", "required"],
    ["Mistral: any", "any"],
    ["Messages: auto", { type: "auto" }],
    ["Messages: any", { type: "any", disable_parallel_tool_use: true }],
  ])("are all: %s", (_what, choice) => {
    expect(names(choice)).toBeUndefined();
  });

  it.each([
    ["Chat", { type: "function", function: { name: "read" } }, ["read"]],
    ["Chat without a type", { function: { name: "read" } }, ["read"]],
    ["Chat, a custom tool", { type: "custom", custom: { name: "patch" } }, ["patch"]],
    ["Messages", { type: "tool", name: "read", disable_parallel_tool_use: true }, ["read"]],
    ["Responses", { type: "function", name: "read" }, ["read"]],
    ["Responses, a custom tool", { type: "custom", name: "patch" }, ["patch"]],
    ["Responses, a tool of a name space", { type: "function", name: "find", namespace: "docs" }, ["docs.find", "find"]],
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
    ["a list of the provider's tools", { type: "allowed_tools", tools: [{ type: "web_search" }] }, []],
    ["a tool of the provider", { type: "file_search" }, []],
    ["a tool of an MCP server", { type: "mcp", server_label: "x", name: "read" }, []],
    ["a choice without a name", { type: "function" }, []],
  ])("are those it names: %s", (_what, choice, expected) => {
    expect(names(choice)).toEqual(expected);
  });
});
