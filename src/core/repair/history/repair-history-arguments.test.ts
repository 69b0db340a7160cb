import { describe, expect, it } from "vitest";
import type { Api } from "../types.ts";
import { repairHistoryArguments } from "./repair-history-arguments.ts";

/** An item with a call that has these arguments. */
function item(api: Api, args: unknown): unknown {
  switch (api) {
    case "anthropic":
      return { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: args }] };
    case "chat": {
      const tool_calls = [{ id: "t1", type: "function", function: { name: "read", arguments: args } }];
      return { role: "assistant", content: null, tool_calls };
    }
    case "responses":
      return { type: "function_call", call_id: "t1", name: "read", arguments: args };
  }
}

const sourceOf = (api: Api, ...items: readonly unknown[]): string =>
  JSON.stringify({ model: "m", n: 1, [api === "responses" ? "input" : "messages"]: items });
const USER = { role: "user", content: "Hi" };

describe.each(["anthropic", "chat", "responses"] as const)("repairHistoryArguments of a request to %s", (api) => {
  const asSent = (text: string): unknown => (api === "anthropic" ? JSON.parse(text) : text);

  it.each([
    ["arguments encoded twice", '"{\\"path\\": \\"a\\"}"', '{"path": "a"}'],
    ["empty arguments", "", "{}"],
    ["missing arguments", undefined, "{}"],
    ["null", null, "{}"],
    ["Python's notation", "{'path': 'a'}", '{"path": "a"}'],
    ["a repeated object", '{"path": "a"}{"path": "a"}', '{"path": "a"}'],
    ["arguments that were cut off", '{"path": "a', "{}"],
    ["a list", "[1]", "{}"],
  ])("repairHistoryArguments repairs %s", (_what, args, expected) => {
    const repaired = repairHistoryArguments(api, sourceOf(api, USER, item(api, args), USER));
    const wanted = sourceOf(api, USER, item(api, asSent(expected)), USER);
    expect(JSON.parse(repaired ?? "null")).toEqual(JSON.parse(wanted));
    expect(repairHistoryArguments(api, repaired ?? "")).toBeUndefined();
  });

  it("repairHistoryArguments returns undefined if every call has an object, whatever is in it", () => {
    expect(
      repairHistoryArguments(api, sourceOf(api, item(api, asSent('{"path": 5, "x": null}')), USER)),
    ).toBeUndefined();
  });

  it("repairHistoryArguments takes time in proportion to the history", () => {
    const source = sourceOf(api, ...Array.from({ length: 3000 }, () => item(api, "{'a': 1}")));
    expect(repairHistoryArguments(api, source)?.length).toBeGreaterThan(source.length / 2);
  });
});

it("repairHistoryArguments writes an object of the Chat or Responses API as text", () => {
  expect(repairHistoryArguments("chat", sourceOf("chat", item("chat", { path: "a" })))).toBe(
    sourceOf("chat", item("chat", '{"path":"a"}')),
  );
});
