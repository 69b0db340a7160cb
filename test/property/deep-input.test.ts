import { describe, expect, it } from "vitest";
import { classifyToolResult, resultText } from "../../src/core/detect/index.ts";
import { observeText, readMendOptions } from "../../src/core/mend/index.ts";
import type { Json } from "../../src/core/model/tool-call.ts";
import { createLeakScanner, extractToolCalls } from "../../src/core/recover/index.ts";
import { type Api, WIRE } from "../../src/core/wire/index.ts";

const TOOLS = [{ name: "f", parameters: { type: "object", properties: { a: {} } } }];
/** Far more than any stack has room for. */
const DEEP = 100_000;
const LEAK = '<tool_call>{"name": "f", "arguments": {"a": "{}", "b": "1"}}</tool_call>';

function deep(open: string, inside: string, close: string): unknown {
  return JSON.parse(open.repeat(DEEP) + inside + close.repeat(DEEP));
}

describe("text that repeats an opener", () => {
  const pieces = [
    ...["```\n", "```json\n", "print(", "f(", "f(a=", "[f(", "[", "{", '{"a":', '{"tool_call":', '{"function":'],
    ...[
      '{"tool_calls":[',
      '{"function_calls":[{"function":',
      '{"name": "f", "arguments": ',
      "<a>",
      "<item>",
      "<think>",
    ],
    ...["<tool_call>", '<invoke name="f">', '<parameter name="a">', "<function=f>", "call:f{a:", "> ", "- ", "("],
  ];
  const openers = [
    "",
    "<tool_call>",
    "<function_calls>",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "Action: f\nAction Input: ",
  ];

  it.each(pieces)("%j 20,000 times is read without an exception, whole and in pieces", (piece) => {
    for (const opener of openers) {
      const text = opener + piece.repeat(20_000);
      for (const mode of ["safe", "eager"] as const)
        expect(extractToolCalls(text, { tools: TOOLS, mode }).content).toBe(text);
      const scanner = createLeakScanner({ tools: TOOLS });
      for (let at = 0; at < text.length; at += 4096) scanner.push(text.slice(at, at + 4096));
      scanner.end();
      expect(scanner.held).toBe(0);
    }
  });
});

describe("arguments that are nested deeper than the reader allows", () => {
  const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const bodies = (depth: number): readonly string[] => [
    `{"name": "f", "arguments": {"a": ${nest(depth)}}}`,
    `{{"name": "f", "arguments": {"a": ${nest(depth)}}}}`,
    `${"[".repeat(depth)}{"name": "f",}${"]".repeat(depth)}`,
  ];

  it.each([2000, 4000, 7000])("are left as text at depth %i, also when the same text is in the context", (depth) => {
    for (const body of bodies(depth)) {
      const text = `<tool_call>${body}</tool_call>`;
      for (const context of [[], [text]])
        expect(extractToolCalls(text, { tools: TOOLS, context })).toMatchObject({ content: text, toolCalls: [] });
    }
  });
});

describe("a list with very many entries", () => {
  const MANY = 200_000;
  const options = { tools: [{ name: "f" }], maxCandidate: 1 << 26 };

  it("of calls inside a list is read without an exception", () => {
    const text = `<tool_call>[[${'{"name":"f"},'.repeat(MANY)}{"name":"f"}]]</tool_call>`;
    // The same call is made once.
    expect(extractToolCalls(text, options).matches).toMatchObject([{ calls: [{ name: "f" }], duplicates: MANY }]);
  });

  it("of arguments in a Python call is read without an exception", () => {
    const members = Array.from({ length: MANY }, (_, n) => `"k${n}": 1`).join();
    const [call] = extractToolCalls(`<tool_call>f({${members}})</tool_call>`, options).toolCalls;
    expect(Object.keys(call?.arguments ?? {})).toHaveLength(MANY);
  });
});

describe("a tool's schema", () => {
  it("that refers to itself is followed without an exception, and only once per reference", () => {
    const self = Array.from({ length: 60 }, () => ({ $ref: "#" }));
    const parameters = { anyOf: self, properties: { a: { anyOf: self.map(() => ({ $ref: "#/properties/a" })) } } };
    expect(extractToolCalls(LEAK, { tools: [{ name: "f", parameters }] }).toolCalls).toHaveLength(1);
  });

  it("with 100,000 nested alternatives is followed without an exception", () => {
    const parameters = deep('{"anyOf":[', "{}", "]}");
    expect(extractToolCalls(LEAK, { tools: [{ name: "f", parameters }] }).toolCalls).toHaveLength(1);
  });
});

describe("JSON values nested 100,000 deep", () => {
  const values: readonly (readonly [string, unknown])[] = [
    ["lists", deep("[", "1", "]")],
    ["objects", deep('{"a":', "1", "}")],
    ["content parts", deep('{"content":[', '"x"', "]}")],
    ["results", deep('{"result":', "{}", "}")],
    ["schemas", deep('{"anyOf":[', "{}", "]}")],
    ["name spaces", deep('{"type":"namespace","name":"n","tools":[', "{}", "]}")],
  ];
  const APIS: readonly Api[] = ["anthropic", "chat", "responses"];

  it.each(values)("%s are classified without an exception", (_, given) => {
    const value = given as Json;
    expect(typeof resultText([value])).toBe("string");
    const result = { callId: "c", content: "Error: no such file" };
    const call = { name: "f", arguments: value };
    expect(classifyToolResult(result, call, { tools: [{ name: "f", parameters: value }] }).status).toBe("failed");
  });

  it.each(values)("%s in every place of a request are read without an exception", (_, value) => {
    const body = {
      model: "m",
      messages: [
        value,
        { role: "user", content: value },
        { role: "assistant", content: [value], tool_calls: [{ id: "x", function: { name: "f", arguments: value } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: value }] },
        { role: "tool", tool_call_id: "x", content: value },
      ],
      input: [
        value,
        { type: "function_call", call_id: "c", name: "f", arguments: value },
        { type: "function_call_output", call_id: "c", output: value },
        { type: "additional_tools", tools: [value] },
      ],
      system: value,
      store: false,
    };
    const tools = {
      anthropic: [value, { name: "f", input_schema: value }],
      chat: [value, { type: "function", function: { name: "f", parameters: value } }],
      responses: [value, { type: "function", name: "f", parameters: value }],
    };
    for (const api of APIS) {
      const request = { ...body, tools: tools[api] };
      expect(WIRE[api].decodeRequest(request)?.calls).not.toEqual([]);
      const settings = { mode: "known", allow: [] } as const;
      const options = readMendOptions(api, request, { settings, letters: (length) => "a".repeat(length) });
      if (options === undefined) throw new Error(`${api}: the request declares a tool`);
      expect(options.context()).not.toBeUndefined();
      expect(observeText(api, LEAK, { ...options, blocked: "observe" })).toHaveLength(1);
    }
  });

  it.each(values)("%s in every place of a response are read without an exception", (_, value) => {
    const body = {
      type: "message",
      object: "response",
      content: [value, { type: "tool_use", id: "i", name: "f", input: value }],
      choices: [{ message: { content: value, tool_calls: [{ id: "i", function: { name: "f", arguments: value } }] } }],
      output: [value, { type: "function_call", call_id: "c", name: "f", arguments: value }],
      usage: value,
    };
    for (const api of APIS) expect(WIRE[api].decodeResponse(body)?.calls).toHaveLength(1);
    expect(WIRE.chat.decodeResponse({ detail: value })?.calls).toEqual([]);
  });
});
