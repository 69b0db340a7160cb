import { describe, expect, it } from "vitest";
import { decodeRequest } from "./openai-chat.ts";

const toolCall = (id: string, name = "bash", args: unknown = '{"command":"ls"}'): object => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const assistant = (...tool_calls: object[]): object => ({ role: "assistant", content: null, tool_calls });
const result = (id: string, content?: unknown): object => ({ role: "tool", tool_call_id: id, content });
const calls = (...messages: object[]): unknown => decodeRequest({ messages })?.calls;

describe("decodeRequest of Chat Completions", () => {
  it("returns model, streaming, message count and declared tools", () => {
    expect(
      decodeRequest({
        model: "qwen3-coder",
        stream: false,
        tools: [
          { type: "function", function: { name: "bash", parameters: { type: "object" } } },
          { type: "custom", custom: { name: "x" } },
          { type: "function", function: { name: "read" } },
        ],
        messages: [
          { role: "system", content: "be brief" },
          { role: "user", content: "hello" },
        ],
      }),
    ).toEqual({
      model: "qwen3-coder",
      streaming: false,
      messageCount: 2,
      tools: [{ name: "bash", parameters: { type: "object" } }, { name: "read" }],
      calls: [],
      prompts: [{ content: "hello", calls: 0 }],
      firstUserText: "hello",
    });
  });

  it("rejects a body without a list of messages", () => {
    for (const body of [undefined, null, 1, "text", [], {}, { messages: "hello" }]) {
      expect(decodeRequest(body)).toBeUndefined();
    }
  });

  it("pairs calls with results that are a string, parts or empty", () => {
    const parts = [{ type: "text", text: "from qwen" }];
    expect(
      calls(
        assistant(toolCall("a"), toolCall("b"), toolCall("c")),
        result("b", parts),
        result("a", "text"),
        result("c"),
      ),
    ).toMatchObject([
      { id: "a", n: 0, name: "bash", arguments: '{"command":"ls"}', result: { content: "text" } },
      { id: "b", n: 0, name: "bash", arguments: '{"command":"ls"}', result: { content: parts } },
      { id: "c", n: 0, name: "bash", arguments: '{"command":"ls"}', result: { content: undefined } },
    ]);
  });

  it("numbers the calls of a repeated id and gives each its own result", () => {
    expect(
      calls(
        assistant(toolCall("call_0", "read")),
        result("call_0", "one"),
        assistant(toolCall("call_0", "bash")),
        result("call_0", "two"),
      ),
    ).toMatchObject([
      { id: "call_0", n: 0, name: "read", result: { content: "one" } },
      { id: "call_0", n: 1, name: "bash", result: { content: "two" } },
    ]);
  });

  it("ignores a second result for one call, sent by a client that ran it twice", () => {
    expect(calls(assistant(toolCall("a")), result("a", "first"), result("a", "second"))).toMatchObject([
      { id: "a", n: 0, result: { content: "first" } },
    ]);
    expect(calls(assistant(toolCall("a")), result("a", "first"), result("a", "second"))).toHaveLength(1);
  });

  it("returns a result whose call is missing", () => {
    expect(calls(result("gone", "late"))).toEqual([{ id: "gone", n: 0, result: { content: "late" }, resultAt: 0 }]);
  });

  it("ignores unknown roles, calls and fields", () => {
    expect(
      calls(
        { role: "developer", content: "x" },
        { role: "function", name: "old", content: "x" },
        {
          role: "assistant",
          tool_calls: [null, 1, { function: { name: "no id" } }, { id: "odd" }, { id: "b", function: 3 }],
        },
        { role: "tool", content: "no id" },
        { role: "user", tool_call_id: "odd", content: "not a result" },
      ),
    ).toMatchObject([
      { id: "odd", n: 0, unanswered: true },
      { id: "b", n: 0, unanswered: true },
    ]);
  });

  it("returns the first user text and the first assistant turn", () => {
    const first = { role: "user", content: [{ type: "text", text: "do it" }] };
    expect(decodeRequest({ messages: [first] })).not.toHaveProperty("firstTurn");
    expect(decodeRequest({ messages: [first, assistant(toolCall("a"), toolCall("b", "read"))] })?.firstTurn).toBe(
      "a bash\nb read",
    );
    expect(decodeRequest({ messages: [first, { role: "assistant", content: "Hello\n there " }] })?.firstTurn).toBe(
      "Hello there",
    );
  });
});
