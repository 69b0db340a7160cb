import { describe, expect, it } from "vitest";
import { classifyToolResult, resultText } from "../../src/core/detect/index.ts";
import type { Json } from "../../src/core/model/tool-call.ts";
import { createLeakScanner, extractToolCalls } from "../../src/core/recover/index.ts";
import { observeText, readRepairOptions } from "../../src/core/repair/index.ts";
import { type Api, WIRE } from "../../src/core/wire/index.ts";

const TOOLS = [{ name: "f", parameters: { type: "object", properties: { a: {} } } }];
/** Deeper than any call stack. */
const DEEP = 100_000;
const LEAK = '<tool_call>{"name": "f", "arguments": {"a": "{}", "b": "1"}}</tool_call>';

function deep(open: string, inside: string, close: string): unknown {
  return JSON.parse(open.repeat(DEEP) + inside + close.repeat(DEEP));
}

describe("a text that repeats one opener", () => {
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

  it.each(pieces)("%j, repeated 20,000 times, does not throw, whole or in chunks", (piece) => {
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

describe("arguments that nest deeper than the parser's limit", () => {
  const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const bodies = (depth: number): readonly string[] => [
    `{"name": "f", "arguments": {"a": ${nest(depth)}}}`,
    `{{"name": "f", "arguments": {"a": ${nest(depth)}}}}`,
    `${"[".repeat(depth)}{"name": "f",}${"]".repeat(depth)}`,
  ];

  it.each([2000, 4000, 7000])(
    "arguments stay text at depth %i, also when the context contains the same text",
    (depth) => {
      for (const body of bodies(depth)) {
        const text = `<tool_call>${body}</tool_call>`;
        for (const context of [[], [text]])
          expect(extractToolCalls(text, { tools: TOOLS, context })).toMatchObject({ content: text, toolCalls: [] });
      }
    },
  );
});

describe("extractToolCalls with very many entries", () => {
  const MANY = 200_000;
  const options = { tools: [{ name: "f" }], maxCandidateChars: 1 << 26 };

  it("200,000 calls in a nested list are read", () => {
    const text = `<tool_call>[[${'{"name":"f"},'.repeat(MANY)}{"name":"f"}]]</tool_call>`;
    const { matches, toolCalls } = extractToolCalls(text, options);
    expect([matches.length, toolCalls.length]).toEqual([1, MANY + 1]);
  });

  it("200,000 arguments of a Python call are read", () => {
    const members = Array.from({ length: MANY }, (_, n) => `"k${n}": 1`).join();
    const [call] = extractToolCalls(`<tool_call>f({${members}})</tool_call>`, options).toolCalls;
    expect(Object.keys(call?.arguments ?? {})).toHaveLength(MANY);
  });
});

describe("extractToolCalls with a hostile schema", () => {
  it("a schema with 120 references to itself is followed", () => {
    const self = Array.from({ length: 60 }, () => ({ $ref: "#" }));
    const parameters = { anyOf: self, properties: { a: { anyOf: self.map(() => ({ $ref: "#/properties/a" })) } } };
    expect(extractToolCalls(LEAK, { tools: [{ name: "f", parameters }] }).toolCalls).toHaveLength(1);
  });

  it("a schema with 100,000 nested alternatives is followed", () => {
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
    ["namespaces", deep('{"type":"namespace","name":"n","tools":[', "{}", "]}")],
  ];
  const APIS: readonly Api[] = ["anthropic", "chat", "responses", "gemini", "ollama"];

  it.each(values)("deep values (%s) do not throw in classifyToolResult", (_, given) => {
    const value = given as Json;
    expect(typeof resultText([value])).toBe("string");
    const result = { callId: "c", content: "Error: no such file" };
    const call = { name: "f", arguments: value };
    expect(classifyToolResult(result, call, { tools: [{ name: "f", parameters: value }] }).status).toBe("failed");
  });

  it.each(values)("deep values (%s) do not throw anywhere in a request", (_, value) => {
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
      contents: [
        value,
        { role: "user", parts: [value] },
        { role: "model", parts: [value, { functionCall: { name: "f", args: value } }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: value } }] },
      ],
      system: value,
      systemInstruction: { parts: [value] },
      store: false,
    };
    const tools = {
      anthropic: [value, { name: "f", input_schema: value }],
      chat: [value, { type: "function", function: { name: "f", parameters: value } }],
      responses: [value, { type: "function", name: "f", parameters: value }],
      gemini: [value, { functionDeclarations: [value, { name: "f", parameters: value }] }],
      ollama: [value, { type: "function", function: { name: "f", parameters: value } }],
    };
    for (const api of APIS) {
      const request = { ...body, tools: tools[api] };
      expect(WIRE[api].decodeRequest(request)?.calls).not.toEqual([]);
      const settings = { mode: "known", allow: [] } as const;
      const options = readRepairOptions(api, request, { settings, randomAlphanumeric: (length) => "a".repeat(length) });
      if (options === undefined) throw new Error(`${api}: the request declares a tool`);
      expect(options.context()).not.toBeUndefined();
      expect(observeText(api, LEAK, { ...options, blocked: "observe" })).toHaveLength(1);
    }
  });

  it.each(values)("deep values (%s) do not throw anywhere in a response", (_, value) => {
    const body = {
      type: "message",
      object: "response",
      content: [value, { type: "tool_use", id: "i", name: "f", input: value }],
      choices: [{ message: { content: value, tool_calls: [{ id: "i", function: { name: "f", arguments: value } }] } }],
      output: [value, { type: "function_call", call_id: "c", name: "f", arguments: value }],
      candidates: [{ content: { parts: [value, { functionCall: { name: "f", args: value } }] } }],
      message: { content: value, tool_calls: [{ function: { name: "f", arguments: value } }] },
      usage: value,
      usageMetadata: value,
    };
    for (const api of APIS) expect(WIRE[api].decodeResponse(body)?.calls).toHaveLength(1);
    expect(WIRE.chat.decodeResponse({ detail: value })?.calls).toEqual([]);
  });
});
