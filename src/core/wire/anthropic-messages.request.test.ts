import { describe, expect, it } from "vitest";
import { decodeRequest } from "./anthropic-messages.ts";

const use = (id: string, name = "Bash", input: unknown = { command: "ls" }): object => ({
  type: "tool_use",
  id,
  name,
  input,
});
const result = (id: string, content: unknown, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
const assistant = (...content: object[]): object => ({ role: "assistant", content });
const user = (...content: object[]): object => ({ role: "user", content });
const calls = (...messages: object[]): unknown => decodeRequest({ messages })?.calls;

describe("decodeRequest of Messages", () => {
  it("returns model, streaming, message count and declared tools", () => {
    expect(
      decodeRequest({
        model: "claude-opus-4-5",
        stream: true,
        tools: [{ name: "Bash", input_schema: { type: "object" } }, { type: "web_search_20250305" }, { name: "Read" }],
        messages: [{ role: "user", content: "hello" }],
      }),
    ).toEqual({
      model: "claude-opus-4-5",
      streaming: true,
      messageCount: 1,
      tools: [{ name: "Bash", parameters: { type: "object" } }, { name: "Read" }],
      calls: [],
      prompts: [{ content: "hello", calls: 0 }],
      firstUserText: "hello",
    });
  });

  it("rejects a body without a list of messages", () => {
    for (const body of [undefined, null, 1, "text", [], {}, { messages: null }, { messages: { role: "user" } }]) {
      expect(decodeRequest(body)).toBeUndefined();
    }
  });

  it("pairs a call with its result as a string", () => {
    expect(calls(assistant(use("t1")), user(result("t1", "done")))).toMatchObject([
      { id: "t1", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: "done" } },
    ]);
  });

  it("preserves the parts of a result, and an absent content", () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }];
    expect(calls(assistant(use("t1"), use("t2")), user(result("t1", parts), result("t2", undefined)))).toMatchObject([
      { id: "t1", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: parts } },
      { id: "t2", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: undefined } },
    ]);
  });

  it.each([
    [{ is_error: true }, { content: "x", is_error: true }],
    [{ is_error: false }, { content: "x", is_error: false }],
    [{}, { content: "x" }],
    [{ is_error: null }, { content: "x" }],
    [{ is_error: "true" }, { content: "x" }],
  ])("takes the flag %j as is_error only if it is a boolean", (flag, expected) => {
    expect(calls(assistant(use("t1")), user(result("t1", "x", flag)))).toMatchObject([{ id: "t1", result: expected }]);
    expect(decodeRequest({ messages: [user(result("t1", "x", flag))] })?.calls[0]?.result).toEqual(expected);
  });

  it("pairs results that are not in the order of their calls", () => {
    const read = calls(
      assistant(use("a"), use("b"), use("c")),
      user(result("c", "third"), result("a", "first"), result("b", "second")),
    );
    expect(read).toMatchObject([
      { id: "a", result: { content: "first" } },
      { id: "b", result: { content: "second" } },
      { id: "c", result: { content: "third" } },
    ]);
  });

  it("accepts a system message in the middle of the conversation", () => {
    const request = decodeRequest({
      messages: [
        { role: "user", content: "do it" },
        { role: "system", content: "remember the date" },
        assistant(use("t1")),
        { role: "system", content: [{ type: "text", text: "still" }] },
        user(result("t1", "done")),
      ],
    });
    expect(request).toMatchObject({ messageCount: 5, firstUserText: "do it", firstTurn: "t1 Bash" });
    expect(request?.calls).toMatchObject([{ id: "t1", result: { content: "done" } }]);
  });

  it("numbers the calls of a repeated id and gives each its own result", () => {
    expect(
      calls(
        assistant(use("call_0", "Read")),
        user(result("call_0", "one")),
        assistant(use("call_0", "Bash")),
        user(result("call_0", "two", { is_error: true })),
        assistant(use("call_0", "Edit")),
      ),
    ).toMatchObject([
      { id: "call_0", n: 0, name: "Read", result: { content: "one" } },
      { id: "call_0", n: 1, name: "Bash", result: { content: "two", is_error: true } },
      { id: "call_0", n: 2, name: "Edit" },
    ]);
  });

  it("ignores a second result for one call", () => {
    const read = calls(assistant(use("t1")), user(result("t1", "first"), result("t1", "second", { is_error: true })));
    expect(read).toMatchObject([
      { id: "t1", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: "first" } },
    ]);
  });

  it("returns a result whose call was compacted away, without a name", () => {
    expect(calls(user(result("gone", "still here")))).toEqual([
      { id: "gone", n: 0, result: { content: "still here" }, resultAt: 0 },
    ]);
  });

  it("ignores unknown roles, blocks and fields", () => {
    expect(
      calls(
        { role: "moderator", content: [{ type: "verdict", id: "x" }] },
        { content: [use("t1")] },
        { role: "assistant", content: [null, 3, "text", { type: "thinking", thinking: "hm" }, use("t2")] },
        user({ type: "tool_use", name: "no id" }, { type: "tool_result", content: "no id" }),
      ),
    ).toMatchObject([{ id: "t1" }, { id: "t2" }]);
  });

  it("returns the first user text and the first assistant turn", () => {
    const first = {
      role: "user",
      content: [{ type: "text", text: "do" }, { type: "image" }, { type: "text", text: "it" }],
    };
    expect(decodeRequest({ messages: [first] })?.firstUserText).toBe("do\nit");
    expect(decodeRequest({ messages: [first] })).not.toHaveProperty("firstTurn");
    expect(decodeRequest({ messages: [first, assistant(use("a"), use("b", "Read"))] })?.firstTurn).toBe(
      "a Bash\nb Read",
    );
    expect(decodeRequest({ messages: [first, { role: "assistant", content: " so\n\n be  it " }] })?.firstTurn).toBe(
      "so be it",
    );
  });
});
