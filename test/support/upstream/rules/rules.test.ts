import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { type Api, type ParsedRequest, parseRequest, type RequestFrame } from "../parsed-request.ts";
import { checkRequest, RULES } from "./check-request.ts";

/** A valid and an invalid request for one rule, and the rule's message for the second. */
interface Case {
  readonly passing: ParsedRequest;
  readonly failing: ParsedRequest;
  readonly message: string | RegExp;
}

function request(
  api: Api,
  body: JsonObject,
  frame: Partial<RequestFrame> = {},
  open?: readonly string[],
): ParsedRequest {
  const whole: RequestFrame = {
    api,
    operation: "generate",
    nth: 0,
    path: "/v1",
    headers: {},
    flavor: "openai",
    callIdsUniqueWithin: "message",
    ...frame,
  };
  return parseRequest(whole, body, () => (open === undefined ? undefined : new Set(open)));
}

function testCases(api: Api, cases: { readonly [rule: string]: Case }): void {
  it("every rule has a case", () => {
    expect(Object.keys(cases)).toEqual(RULES[api].map(({ name }) => name));
  });

  it.each(Object.entries(cases))("%s", (rule, { passing, failing, message }) => {
    expect(checkRequest(passing)).toBeUndefined();
    const violation = checkRequest(failing);
    expect(violation?.rule).toBe(rule);
    expect(violation?.problem.message).toMatch(message);
  });
}

describe("Anthropic Messages", () => {
  const user: JsonObject = { role: "user", content: "hi" };
  const use = (id: Json = "toolu_1", more: JsonObject = {}): JsonObject => ({
    type: "tool_use",
    id,
    name: "Read",
    input: {},
    ...more,
  });
  const result = (id: Json = "toolu_1", content: Json = "ok"): JsonObject => ({
    type: "tool_result",
    tool_use_id: id,
    content,
  });
  const text = (words: string): JsonObject => ({ type: "text", text: words });
  const assistant = (...content: Json[]): JsonObject => ({ role: "assistant", content });
  const results = (...content: Json[]): JsonObject => ({ role: "user", content });
  const base = { model: "m", max_tokens: 1 };
  const of = (...messages: Json[]) => request("anthropic-messages", { ...base, messages });
  const withBody = (body: JsonObject, frame?: Partial<RequestFrame>) => request("anthropic-messages", body, frame);
  const exchange = of(user, assistant(text("I look."), use()), results(result(), text("go on")));

  testCases("anthropic-messages", {
    "model-required": {
      passing: exchange,
      failing: withBody({ max_tokens: 1, messages: [user] }),
      message: "model: Field required",
    },
    "max-tokens-required": {
      passing: withBody({ model: "m", messages: [user] }, { operation: "count-tokens" }),
      failing: withBody({ model: "m", messages: [user] }),
      message: "max_tokens: Field required",
    },
    "messages-required": { passing: of(user), failing: of(), message: "at least one message" },
    "known-roles": {
      passing: of(user, { role: "system", content: "Be brief." }, assistant(text("ok")), user),
      failing: of(user, { role: "tool", content: "x" }),
      message: "messages.1.role",
    },
    "first-message-from-user": {
      passing: of({ role: "system", content: "Be brief." }, user),
      failing: of(assistant(text("ok")), user),
      message: "first message must use",
    },
    "content-not-empty": {
      passing: of(user, assistant()),
      failing: of(user, assistant(), user),
      message: "messages.1: all messages must have non-empty content",
    },
    "no-empty-text": {
      passing: of(user, assistant(use()), results(result("toolu_1", ""))),
      failing: of(user, assistant(text(""), use()), results(result())),
      message: "must be non-empty",
    },
    "no-blank-text": {
      passing: of(user, assistant(use()), results(result("toolu_1", [text("\n")]))),
      failing: of(user, assistant(text("\n\n"), use()), results(result())),
      message: "non-whitespace",
    },
    "no-trailing-space-in-prefill": {
      passing: of(user, assistant(text("ok ")), user, assistant(text("{"))),
      failing: of(user, assistant(text("{ "))),
      message: "trailing whitespace",
    },
    "thinking-signed": {
      passing: of(user, assistant({ type: "thinking", thinking: "Hm.", signature: "s" }, text("ok")), user),
      failing: of(user, assistant({ type: "thinking", thinking: "Hm." }, text("ok")), user),
      message: "thinking.signature",
    },
    "thinking-before-calls": {
      passing: withBody({
        ...base,
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [
          user,
          assistant({ type: "thinking", thinking: "Hm.", signature: "s" }, text("I look."), use()),
          results(result()),
        ],
      }),
      failing: withBody({
        ...base,
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [user, assistant(text("I look."), use()), results(result())],
      }),
      message: "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`",
    },
    "blocks-by-role": {
      passing: exchange,
      failing: of(results(use())),
      message: "can only be in `assistant` messages",
    },
    "call-id-pattern": {
      passing: of(user, assistant(use("bash-uOQIdN0O")), results(result("bash-uOQIdN0O"))),
      failing: of(user, assistant(use("functions.Read:0")), results(result("functions.Read:0"))),
      message: "messages.1.content.0.tool_use.id: String should match pattern",
    },
    "call-name-pattern": {
      passing: of(user, assistant(use("toolu_1", { name: "n".repeat(128) })), results(result())),
      failing: of(user, assistant(use("toolu_1", { name: "functions.Read" })), results(result())),
      message: "tool_use.name: String should match pattern",
    },
    "call-input-object": {
      passing: of(user, assistant(use("toolu_1", { input: { a: 1 } })), results(result())),
      failing: of(user, assistant(use("toolu_1", { input: '{"a":1}' })), results(result())),
      message: "valid dictionary",
    },
    "call-ids-unique": {
      passing: of(user, assistant(use("a")), results(result("a")), assistant(use("b")), results(result("b"))),
      failing: of(user, assistant(use("a")), results(result("a")), assistant(use("a")), results(result("a"))),
      message: "ids must be unique",
    },
    "results-first": {
      passing: of(user, assistant(use()), results(result(), text("and now?"))),
      failing: of(user, assistant(use()), results(text("and now?"), result())),
      message: "without `tool_result` blocks immediately after: toolu_1",
    },
    "results-have-calls": {
      passing: exchange,
      failing: of(user, assistant(use()), results(result()), assistant(text("ok")), results(result())),
      message: "messages.4.content.0: unexpected `tool_use_id`",
    },
    "calls-have-results": {
      passing: of(
        user,
        assistant(use("a"), use("b")),
        { role: "system", content: "Be brief." },
        results(result("b"), result("a")),
      ),
      failing: of(user, assistant(use("a"), use("b")), results(result("b"))),
      message: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.",
    },
    "calls-answered-once": {
      passing: exchange,
      failing: of(user, assistant(use()), results(result(), result())),
      message: "single result",
    },
    "tool-name-pattern": {
      passing: withBody({ ...base, messages: [user], tools: [{ name: "Read" }, { type: "later_tool" }] }),
      failing: withBody({ ...base, messages: [user], tools: [{ name: "mcp.read" }] }),
      message: "tools.0.custom.name",
    },
    "tool-names-unique": {
      passing: withBody({ ...base, messages: [user], tools: [{ name: "Read" }, { name: "Write" }] }),
      failing: withBody({ ...base, messages: [user], tools: [{ name: "Read" }, { name: "Read" }] }),
      message: "must be unique",
    },
  });

  it("accepts block types and fields it does not know", () => {
    const odd = assistant({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }, text("ok"));
    expect(checkRequest(of(user, { ...odd, later: true }, results({ type: "later" })))).toBeUndefined();
  });

  it("rejects an empty text inside a tool result", () => {
    const violation = checkRequest(of(user, assistant(use()), results(result("toolu_1", [text("")]))));
    expect(violation?.rule).toBe("no-empty-text");
  });

  it("rejects a call in the last message", () => {
    expect(checkRequest(of(user, assistant(use())))?.rule).toBe("calls-have-results");
  });
});

describe("OpenAI Chat Completions", () => {
  const user: JsonObject = { role: "user", content: "hi" };
  const toolCall = (id: Json = "call_1", fn: JsonObject = {}): JsonObject => ({
    id,
    type: "function",
    function: { name: "read", arguments: "{}", ...fn },
  });
  const assistant = (...calls: Json[]): JsonObject => ({ role: "assistant", content: null, tool_calls: calls });
  const tool = (id: Json = "call_1"): JsonObject => ({ role: "tool", tool_call_id: id, content: "ok" });
  const of = (...messages: Json[]) => request("openai-chat", { model: "m", messages });
  const withFlavor = (frame: Partial<RequestFrame>, ...messages: Json[]) =>
    request("openai-chat", { model: "m", messages }, frame);
  const exchange = of(user, assistant(toolCall()), tool(), user);
  const long = `chatcmpl-tool-${"0".repeat(32)}`;

  testCases("openai-chat", {
    "model-required": {
      passing: exchange,
      failing: request("openai-chat", { messages: [user] }),
      message: "model parameter",
    },
    "messages-required": { passing: of(user), failing: of(), message: "empty array" },
    "known-roles": {
      passing: of({ role: "developer", content: "Be brief." }, user),
      failing: of({ role: "model", content: "x" }),
      message: "Invalid value: 'model'",
    },
    "content-present": {
      passing: of(user, { role: "assistant", content: "" }, user),
      failing: of(user, { role: "assistant", content: null }, user),
      message: "expected a string, got null",
    },
    "calls-not-empty": {
      passing: exchange,
      failing: of(user, { role: "assistant", content: "ok", tool_calls: [] }, user),
      message: "Invalid 'messages[1].tool_calls': empty array",
    },
    "call-id-present": {
      passing: exchange,
      failing: of(user, assistant(toolCall("")), tool("")),
      message: "messages[1].tool_calls[0].id': empty string",
    },
    "call-id-length": {
      passing: withFlavor({ flavor: "local" }, user, assistant(toolCall(long)), tool(long)),
      failing: of(user, assistant(toolCall(long)), tool(long)),
      message: "maximum length 40, but got a string with length 46",
    },
    "call-id-mistral": {
      passing: withFlavor({ flavor: "mistral" }, user, assistant(toolCall("a1B2c3D4e")), tool("a1B2c3D4e")),
      failing: withFlavor({ flavor: "mistral" }, user, assistant(toolCall()), tool()),
      message: "with a length of 9",
    },
    "call-name-pattern": {
      passing: of(user, assistant(toolCall("call_1", { name: "mcp__a-b" })), tool()),
      failing: of(user, assistant(toolCall("call_1", { name: "functions.read" })), tool()),
      message: "does not match pattern",
    },
    "call-arguments-string": {
      passing: of(user, assistant(toolCall("call_1", { arguments: "{broken" })), tool()),
      failing: of(user, assistant(toolCall("call_1", { arguments: {} })), tool()),
      message: "expected a string, but got an object instead",
    },
    "call-ids-unique": {
      passing: of(user, assistant(toolCall("call_0")), tool("call_0"), assistant(toolCall("call_0")), tool("call_0")),
      failing: of(user, assistant(toolCall(), toolCall()), tool()),
      message: "Duplicate value",
    },
    "results-have-calls": {
      passing: exchange,
      failing: of(user, assistant(toolCall()), tool(), user, tool()),
      message: "must be a response to a preceeding message with 'tool_calls'",
    },
    "calls-answered-once": {
      passing: exchange,
      failing: of(user, assistant(toolCall()), tool(), tool()),
      message: "more than once",
    },
    "calls-have-results": {
      passing: of(user, assistant(toolCall("a"), toolCall("b")), tool("b"), tool("a")),
      failing: of(user, assistant(toolCall("a"), toolCall("b")), tool("b"), user),
      message: /did not have response messages: a$/,
    },
    "tool-name-pattern": {
      passing: request("openai-chat", {
        model: "m",
        messages: [user],
        tools: [{ type: "function", function: { name: "read" } }, { type: "later" }],
      }),
      failing: request("openai-chat", {
        model: "m",
        messages: [user],
        tools: [{ type: "function", function: { name: "n".repeat(65) } }],
      }),
      message: "maximum length 64",
    },
  });

  it("rejects ids reused across turns where the server requires unique ids in a conversation", () => {
    const messages = [user, assistant(toolCall()), tool(), assistant(toolCall()), tool()];
    const violation = checkRequest(withFlavor({ callIdsUniqueWithin: "conversation" }, ...messages));
    expect(violation?.rule).toBe("call-ids-unique");
  });

  it("rejects the result of another call in an exchange", () => {
    const violation = checkRequest(of(user, assistant(toolCall()), tool("call_9")));
    expect(violation).toMatchObject({ rule: "results-have-calls", problem: { param: "messages.[2].role" } });
  });

  it("uses Mistral's wording for Mistral", () => {
    const violation = checkRequest(withFlavor({ flavor: "mistral" }, user, assistant(toolCall("a1B2c3D4e")), user));
    expect(violation?.problem.message).toBe("Not the same number of function calls and responses");
  });
});

describe("OpenAI Responses", () => {
  const user: JsonObject = { role: "user", content: "hi" };
  const fn = (callId: Json = "call_1", more: JsonObject = {}): JsonObject => ({
    type: "function_call",
    call_id: callId,
    name: "read",
    arguments: "{}",
    ...more,
  });
  const output = (callId: Json = "call_1", more: JsonObject = {}): JsonObject => ({
    type: "function_call_output",
    call_id: callId,
    output: "ok",
    ...more,
  });
  const of = (...input: Json[]) => request("openai-responses", { model: "m", input });
  const following = (open: readonly string[] | undefined, ...input: Json[]) =>
    request("openai-responses", { model: "m", input, previous_response_id: "resp_1" }, {}, open);
  const exchange = of(user, fn("call_1", { id: "fc_1" }), output("call_1", { id: "fco_1" }));

  testCases("openai-responses", {
    "model-required": {
      passing: request("openai-responses", { model: "m", input: "hi" }),
      failing: request("openai-responses", { input: "hi" }),
      message: "'model'",
    },
    "input-required": {
      passing: following(undefined),
      failing: request("openai-responses", { model: "m" }),
      message: "must be provided",
    },
    "call-id-present": {
      passing: exchange,
      failing: of(user, fn(""), output("")),
      message: "Invalid 'input[1].call_id': empty string",
    },
    "item-id-prefix": {
      passing: of(user, { type: "reasoning", id: "rs_1", summary: [] }, fn(), output()),
      failing: of(user, fn("call_1", { id: "call_1" }), output()),
      message: "Expected an ID that begins with 'fc'",
    },
    "item-ids-unique": {
      passing: exchange,
      failing: of(user, fn("a", { id: "fc_1" }), output("a"), fn("b", { id: "fc_1" }), output("b")),
      message: "Duplicate item found with id fc_1",
    },
    "call-name-pattern": {
      passing: exchange,
      failing: of(user, fn("call_1", { name: "a b" }), output()),
      message: "input[1].name",
    },
    "call-arguments-string": {
      passing: of(user, fn("call_1", { arguments: "{broken" }), output()),
      failing: of(user, fn("call_1", { arguments: {} }), output()),
      message: "Invalid type for 'input[1].arguments'",
    },
    "output-present": {
      passing: of(user, fn(), output("call_1", { output: [{ type: "input_text", text: "ok" }] })),
      failing: of(user, fn(), output("call_1", { output: null })),
      message: "input[2].output",
    },
    "parts-by-role": {
      passing: of(user, { role: "assistant", content: [{ type: "output_text", text: "ok" }] }, user),
      failing: of(user, { role: "assistant", content: [{ type: "input_text", text: "ok" }] }, user),
      message: "'output_text', 'refusal'",
    },
    "reasoning-followed": {
      passing: of(user, { type: "reasoning", id: "rs_1", summary: [] }, fn(), output()),
      failing: of(user, fn(), { type: "reasoning", id: "rs_1", summary: [] }, output()),
      message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    },
    "call-ids-unique": {
      passing: of(user, fn("call_0"), output("call_0"), fn("call_0"), output("call_0")),
      failing: of(user, fn(), fn(), output()),
      message: "call_id call_1",
    },
    "outputs-have-calls": {
      passing: following(undefined, output()),
      failing: of(user, output()),
      message: "No tool call found for function call output with call_id call_1.",
    },
    "calls-answered-once": {
      passing: exchange,
      failing: of(user, fn(), output(), output()),
      message: "Duplicate tool output",
    },
    "calls-have-outputs": {
      passing: following(["call_1"], output()),
      failing: of(user, fn(), user),
      message: "No tool output found for function call call_1.",
    },
  });

  it("knows the open calls of responses it sent itself", () => {
    expect(checkRequest(following(["call_1"], user))?.rule).toBe("calls-have-outputs");
    expect(checkRequest(following(["call_1"], output(), output("call_2")))?.rule).toBe("outputs-have-calls");
  });

  it("rejects an item id that is not a string, whatever its type", () => {
    const violation = checkRequest(of(user, fn("call_1", { id: { toString: 1 } }), output()));
    expect(violation).toMatchObject({ rule: "item-id-prefix", problem: { code: "invalid_type" } });
  });

  it("treats item types that are names of JavaScript built-ins as unknown", () => {
    expect(checkRequest(of(user, { type: "constructor", id: "x" }))).toBeUndefined();
  });

  it("names custom calls as the API does", () => {
    const custom: JsonObject = { type: "custom_tool_call", call_id: "call_1", name: "exec", input: "ls" };
    expect(checkRequest(of(user, custom))?.problem.message).toBe("No tool output found for custom tool call call_1.");
  });
});

describe("any JSON value", () => {
  const word = fc.constantFrom(
    ...["user", "assistant", "tool", "system", "text", "tool_use", "tool_result", "thinking", "reasoning"],
    ...["function_call", "function_call_output", "", "call_1", "enabled"],
  );
  const key = fc.constantFrom(
    ...["role", "content", "type", "text", "id", "tool_use_id", "input", "name", "tool_calls", "tool_call_id"],
    ...["function", "arguments", "call_id", "output", "signature", "messages", "model", "tools", "system", "thinking"],
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "medium" },
      word,
      fc.constantFrom<Json>(null, true, 1),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    ),
  }));

  it.each(Object.keys(RULES) as Api[])("any JSON value is checked without throwing on %s", (api) => {
    const body = fc.record({
      model: word,
      max_tokens: value,
      messages: value,
      input: value,
      tools: value,
      thinking: value,
    });
    fc.assert(
      fc.property(body, (fields) => {
        for (const { check } of RULES[api]) check(request(api, fields));
      }),
      { numRuns: 500 },
    );
  });
});
