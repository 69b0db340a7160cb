import { describe, expect, it } from "vitest";
import { compileSchema } from "../core/calls/index.ts";
import { MAX_REPAIRED_CHARS, repairCallMessage } from "./repair-message.ts";

const ADD = compileSchema({
  type: "object",
  properties: { a: { type: "number" }, tags: { type: "array", items: { type: "string" } } },
  required: ["a"],
});

function repair(text: string, isDestructive = false): string | undefined {
  return repairCallMessage(text, (name) => (name === "add" ? { input: ADD, isDestructive } : undefined));
}

describe("a call to an MCP server", () => {
  it("a repaired call keeps every byte outside of its arguments", () => {
    const text = (args: string) =>
      `{ "id":7,"params" : {"_meta":{"x":"é"}, "name":"add","arguments":${args}, "y":1},"method":"tools\\/call","jsonrpc":"2.0"}\r`;
    expect(repair(text('{ "a" : "1" }'))).toBe(text('{ "a" : 1 }'));
  });

  it("a repaired call stays in one line if a list that was sent as text contains line ends", () => {
    const args = JSON.stringify({ a: 1, tags: '[\n  "x",\r\n  "y"\n]' });
    const repaired = repair(`{"id":1,"method":"tools/call","params":{"name":"add","arguments":${args}}}`);
    expect(repaired).not.toMatch(/[\r\n]/);
    expect(JSON.parse(repaired ?? "{}")).toMatchObject({ params: { arguments: { a: 1, tags: ["x", "y"] } } });
  });

  it.each([
    ["its arguments fit", '{"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}'],
    ["a required value is missing", '{"method":"tools/call","params":{"name":"add","arguments":{}}}'],
    ["the tool is not listed", '{"method":"tools/call","params":{"name":"sub","arguments":{"a":"1"}}}'],
    ["it is another request", '{"method":"prompts/get","params":{"name":"add","arguments":{"a":"1"}}}'],
    ["a key occurs twice", '{"method":"tools/call","params":{"name":"add","name":"add","arguments":{"a":"1"}}}'],
    [
      "it continues an earlier request",
      '{"method":"tools/call","params":{"name":"add","arguments":{"a":"1"},"requestState":"s"}}',
    ],
    ["it is one of a batch", '[{"method":"tools/call","params":{"name":"add","arguments":{"a":"1"}}}]'],
    ["it is not JSON", '{"method":"tools/call","params":{"name":"add","arguments":{"a":"1"}'],
    [
      "it is too long",
      `{"method":"tools/call","params":{"name":"add","arguments":{"a":"1"},"x":"${"x".repeat(MAX_REPAIRED_CHARS)}"}}`,
    ],
  ])("a call is not changed if %s", (_why, text) => {
    expect(repair(text)).toBeUndefined();
  });

  it("a call is not changed if the server declares that the tool destroys data", () => {
    const text = '{"method":"tools/call","params":{"name":"add","arguments":{"a":"1"}}}';
    expect([repair(text), repair(text, true)]).toEqual([expect.stringContaining('{"a":1}'), undefined]);
  });
});
