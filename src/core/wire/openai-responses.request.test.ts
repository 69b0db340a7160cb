import { describe, expect, it } from "vitest";
import { decodeRequest } from "./openai-responses.ts";

const calls = (...input: readonly unknown[]): unknown => decodeRequest({ input })?.calls;
const functionCall = (call_id: string, more: object = {}): object => ({
  type: "function_call",
  id: `fc_${call_id}`,
  call_id,
  name: "bash",
  arguments: '{"cmd":"ls"}',
  ...more,
});
const output = (call_id: string, value: unknown = "done", more: object = {}): object => ({
  type: "function_call_output",
  id: `fco_${call_id}`,
  call_id,
  output: value,
  ...more,
});
const user = { role: "user", content: [{ type: "input_text", text: "do it" }] };

describe("decodeRequest of Responses", () => {
  it("reads a string as one user message", () => {
    expect(decodeRequest({ model: "gpt-5", stream: true, input: "hello" })).toEqual({
      model: "gpt-5",
      streaming: true,
      messageCount: 1,
      tools: [],
      calls: [],
      prompts: [{ content: "hello", calls: 0 }],
      firstUserText: "hello",
    });
  });

  it("accepts a missing input, because the provider may store the conversation", () => {
    expect(decodeRequest({ model: "gpt-5", conversation: "conv_1" })).toMatchObject({ messageCount: 0, calls: [] });
  });

  it("rejects an input of another type", () => {
    for (const body of [undefined, null, "x", 1, [], { input: 7 }, { input: {} }, { input: true }]) {
      expect(decodeRequest(body)).toBeUndefined();
    }
  });

  it("pairs call and output by call_id, never by the ids of the items", () => {
    expect(
      calls(
        user,
        functionCall("call_a", { id: "call_b" }),
        functionCall("call_b", { id: "call_a" }),
        output("call_a", "A"),
      ),
    ).toMatchObject([
      { id: "call_a", n: 0, name: "bash", arguments: '{"cmd":"ls"}', result: { content: "A" } },
      { id: "call_b", n: 0, name: "bash", arguments: '{"cmd":"ls"}', unanswered: true },
    ]);
  });

  it("preserves arguments as the text the model wrote, valid or not", () => {
    expect(calls(functionCall("a", { arguments: '{"cmd":' }))).toMatchObject([{ arguments: '{"cmd":' }]);
  });

  it("reads custom tools with text input and text or parts as output", () => {
    const parts = [{ type: "input_text", text: "Script completed" }];
    expect(
      calls(
        { type: "custom_tool_call", id: "ctc_1", call_id: "c1", name: "exec", input: "text(1)", status: "completed" },
        { type: "custom_tool_call_output", id: "ctco_1", call_id: "c1", output: parts },
        { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin Patch" },
        { type: "custom_tool_call_output", call_id: "c2", output: "Done!" },
      ),
    ).toMatchObject([
      { id: "c1", n: 0, name: "exec", arguments: "text(1)", result: { content: parts } },
      { id: "c2", n: 0, name: "apply_patch", arguments: "*** Begin Patch", result: { content: "Done!" } },
    ]);
  });

  it("names the shell and patch calls, whose items have no name", () => {
    const action = { type: "exec", command: ["ls"] };
    expect(
      calls(
        { type: "local_shell_call", id: "lsh_1", call_id: "s1", action },
        { type: "local_shell_call_output", id: "s1", output: "a.txt" },
        { type: "shell_call", call_id: "s2", action: { commands: ["ls"] } },
        {
          type: "shell_call_output",
          call_id: "s2",
          output: [{ stdout: "", stderr: "", outcome: { type: "timeout" } }],
        },
        { type: "apply_patch_call", call_id: "p1", operation: { type: "delete_file", path: "a" } },
        { type: "apply_patch_call_output", call_id: "p1", status: "failed", output: "no such file" },
      ),
    ).toMatchObject([
      { id: "s1", name: "local_shell", arguments: action, result: { content: "a.txt" } },
      { id: "s2", name: "shell", result: { content: [{ outcome: { type: "timeout" } }] } },
      { id: "p1", name: "apply_patch", result: { content: "no such file", is_error: true } },
    ]);
  });

  it("omits calls that the provider runs itself", () => {
    expect(
      calls(
        { type: "web_search_call", id: "ws_1", call_id: "ws_1", status: "completed" },
        { type: "mcp_call", id: "mcp_1", name: "search", arguments: "{}", output: "found" },
        { type: "shell_call", call_id: "s1", action: {}, environment: { type: "container_reference" } },
        { type: "code_interpreter_call", id: "ci_1", code: "1" },
        { type: "item_reference", id: "fc_1" },
        { type: "reasoning", id: "rs_1", summary: [] },
      ),
    ).toEqual([]);
  });

  it("returns an output whose call is not in the request, without a name", () => {
    expect(calls(output("gone"))).toEqual([{ id: "gone", n: 0, result: { content: "done" }, resultAt: 0 }]);
  });

  it("marks calls as unanswered once the conversation continues, but not those at its end", () => {
    const marks = (...input: readonly object[]): unknown =>
      decodeRequest({ input })?.calls.map(({ id, unanswered }) => [id, unanswered]);
    expect(marks(user, functionCall("a"), functionCall("b"))).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(marks(user, functionCall("a"), functionCall("b"), output("b"), user)).toEqual([
      ["a", true],
      ["b", undefined],
    ]);
  });

  it("numbers the calls of a repeated id, and ignores a second output", () => {
    expect(
      calls(
        functionCall("call_0"),
        output("call_0", "one"),
        output("call_0", "again"),
        functionCall("call_0"),
        output("call_0", "two"),
      ),
    ).toMatchObject([
      { id: "call_0", n: 0, result: { content: "one" } },
      { id: "call_0", n: 1, result: { content: "two" } },
    ]);
  });

  it("flattens tools of namespaces, client modes and searches", () => {
    const parameters = { type: "object" };
    const body = {
      input: [
        {
          type: "additional_tools",
          role: "developer",
          tools: [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }],
        },
        { type: "tool_search_output", call_id: "t", tools: [{ type: "function", name: "found", parameters }] },
      ],
      tools: [
        { type: "function", name: "bash", parameters },
        {
          type: "namespace",
          name: "mcp__docs",
          tools: [{ type: "function", name: "search", parameters }, { type: "x" }],
        },
        { type: "namespace", name: "mcp__wiki__", tools: [{ type: "function", name: "search" }] },
        { type: "web_search" },
        {},
        null,
      ],
    };
    expect(decodeRequest(body)?.tools).toEqual([
      { name: "bash", parameters },
      { name: "mcp__docs.search", parameters },
      { name: "mcp__wiki__search" },
      { name: "web_search" },
      { name: "functions.exec" },
      { name: "found", parameters },
    ]);
    expect(calls(functionCall("a", { name: "search", namespace: "mcp__docs" }))).toMatchObject([
      { name: "mcp__docs.search" },
    ]);
  });

  it("returns the first user text and the first turn of the model", () => {
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: " so\n be  it " }] };
    const developer = { type: "message", role: "developer", content: "be brief" };
    expect(decodeRequest({ input: [developer, user] })).toMatchObject({ firstUserText: "do it" });
    expect(decodeRequest({ input: [developer, user] })).not.toHaveProperty("firstTurn");
    expect(decodeRequest({ input: [user, said, user] })?.firstTurn).toBe("so be it");
    expect(
      decodeRequest({ input: [user, { type: "reasoning" }, said, functionCall("a"), output("a")] })?.firstTurn,
    ).toBe("a bash");
  });

  it("returns the same first turn whether outputs follow each call or all of them", () => {
    const together = [user, functionCall("a"), functionCall("b"), output("a"), output("b")];
    const each = [user, functionCall("a"), output("a"), functionCall("b"), output("b")];
    expect(decodeRequest({ input: each })?.firstTurn).toBe(decodeRequest({ input: together })?.firstTurn);
  });
});
