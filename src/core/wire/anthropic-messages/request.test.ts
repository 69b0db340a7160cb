import { describe, expect, it } from "vitest";
import { decodeRequest } from "./request.ts";

const use = (id: string, name = "Bash", input: unknown = { command: "ls" }): object => ({
  type: "tool_use",
  id,
  name,
  input,
});
const answer = (id: string, content: unknown, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
const assistant = (...content: object[]): object => ({ role: "assistant", content });
const user = (...content: object[]): object => ({ role: "user", content });
const calls = (...messages: object[]): unknown => decodeRequest({ messages })?.calls;

describe("a Messages request", () => {
  it("says what it asks for: model, streaming, messages and declared tools", () => {
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

  it("is none without a list of messages", () => {
    for (const body of [undefined, null, 1, "text", [], {}, { messages: null }, { messages: { role: "user" } }]) {
      expect(decodeRequest(body)).toBeUndefined();
    }
  });

  it("pairs a call with its result as a text", () => {
    expect(calls(assistant(use("t1")), user(answer("t1", "done")))).toMatchObject([
      { id: "t1", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: "done" } },
    ]);
  });

  it("keeps a result's parts as they came, and its absence as absence", () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }];
    expect(calls(assistant(use("t1"), use("t2")), user(answer("t1", parts), answer("t2", undefined)))).toMatchObject([
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
  ])("reads the flag %j as what it is, and anything but a boolean as absent", (flag, result) => {
    expect(calls(assistant(use("t1")), user(answer("t1", "x", flag)))).toMatchObject([{ id: "t1", result }]);
    expect(decodeRequest({ messages: [user(answer("t1", "x", flag))] })?.calls[0]?.result).toEqual(result);
  });

  it("finds results that are not in the order of their calls", () => {
    const read = calls(
      assistant(use("a"), use("b"), use("c")),
      user(answer("c", "third"), answer("a", "first"), answer("b", "second")),
    );
    expect(read).toMatchObject([
      { id: "a", result: { content: "first" } },
      { id: "b", result: { content: "second" } },
      { id: "c", result: { content: "third" } },
    ]);
  });

  it("takes a system message in the middle of the conversation", () => {
    const request = decodeRequest({
      messages: [
        { role: "user", content: "do it" },
        { role: "system", content: "remember the date" },
        assistant(use("t1")),
        { role: "system", content: [{ type: "text", text: "still" }] },
        user(answer("t1", "done")),
      ],
    });
    expect(request).toMatchObject({ messageCount: 5, firstUserText: "do it", firstTurn: "t1 Bash" });
    expect(request?.calls).toMatchObject([{ id: "t1", result: { content: "done" } }]);
  });

  it("counts how often an id stood before, and gives each its own result", () => {
    expect(
      calls(
        assistant(use("call_0", "Read")),
        user(answer("call_0", "one")),
        assistant(use("call_0", "Bash")),
        user(answer("call_0", "two", { is_error: true })),
        assistant(use("call_0", "Edit")),
      ),
    ).toMatchObject([
      { id: "call_0", n: 0, name: "Read", result: { content: "one" } },
      { id: "call_0", n: 1, name: "Bash", result: { content: "two", is_error: true } },
      { id: "call_0", n: 2, name: "Edit" },
    ]);
  });

  it("keeps the first of two results for one call and makes no second call of it", () => {
    const read = calls(assistant(use("t1")), user(answer("t1", "first"), answer("t1", "second", { is_error: true })));
    expect(read).toMatchObject([
      { id: "t1", n: 0, name: "Bash", arguments: { command: "ls" }, result: { content: "first" } },
    ]);
  });

  it("keeps a result whose call was compacted away, without a name", () => {
    expect(calls(user(answer("gone", "still here")))).toEqual([
      { id: "gone", n: 0, result: { content: "still here" } },
    ]);
  });

  it("passes over roles, blocks and fields it does not know", () => {
    expect(
      calls(
        { role: "moderator", content: [{ type: "verdict", id: "x" }] },
        { content: [use("t1")] },
        { role: "assistant", content: [null, 3, "text", { type: "thinking", thinking: "hm" }, use("t2")] },
        user({ type: "tool_use", name: "no id" }, { type: "tool_result", content: "no id" }),
      ),
    ).toMatchObject([{ id: "t1" }, { id: "t2" }]);
  });

  it("knows the conversation by its first user text and the first assistant turn", () => {
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
