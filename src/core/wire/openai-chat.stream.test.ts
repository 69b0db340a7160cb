import { describe, expect, it } from "vitest";
import { createStreamDecoder, decodeResponse } from "./openai-chat.ts";
import type { DecodedResponse } from "./turn.ts";

const read = (...events: (object | string)[]): DecodedResponse => {
  const decoder = createStreamDecoder();
  for (const event of events) decoder.push(typeof event === "string" ? event : JSON.stringify(event));
  return decoder.end();
};
const delta = (value: object, more: object = {}): object => ({
  id: "chatcmpl-1",
  model: "qwen3-coder",
  choices: [{ index: 0, delta: value, ...more }],
});
const part = (index: number | undefined, fields: object, called: object = {}): object =>
  delta({ tool_calls: [{ ...(index !== undefined && { index }), ...fields, function: called }] });
const stop = delta({}, { finish_reason: "tool_calls" });

describe("decodeResponse of Chat Completions", () => {
  it("returns text, calls, stop reason and token counts", () => {
    expect(
      decodeResponse({
        id: "chatcmpl-1",
        model: "qwen3-coder",
        choices: [
          {
            index: 0,
            finish_reason: "tool_calls",
            message: {
              role: "assistant",
              content: "I will look",
              tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"a":1}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } },
      }),
    ).toEqual({
      id: "chatcmpl-1",
      model: "qwen3-coder",
      stopReason: "tool_calls",
      text: "I will look",
      calls: [{ id: "c1", name: "bash", arguments: '{"a":1}' }],
      usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 8 },
      finished: true,
    });
  });

  it.each([
    [{ type: "invalid_request_error", message: "no such model" }, "invalid_request_error: no such model"],
    [{ message: "only words" }, "only words"],
    ["a bare text", "a bare text"],
    [{}, "error"],
    [7, "error"],
  ])("returns the error %j of an error body", (error, expected) => {
    expect(decodeResponse({ error })).toEqual({ text: "", calls: [], usage: {}, finished: true, error: expected });
  });

  it("accepts a response whose error is null, and rejects other bodies", () => {
    expect(decodeResponse({ error: null, choices: [] })).toMatchObject({ calls: [], finished: true });
    for (const body of [null, "x", [], {}, { choices: "x" }, { data: [] }])
      expect(decodeResponse(body)).toBeUndefined();
  });
});

describe("createStreamDecoder of Chat Completions", () => {
  it("assembles the response from its chunks", () => {
    const response = read(
      delta({ role: "assistant", content: "" }),
      delta({ content: "I will" }),
      delta({ content: " look" }),
      part(0, { id: "c1", type: "function" }, { name: "bash", arguments: "" }),
      part(0, {}, { arguments: '{"a"' }),
      part(0, {}, { arguments: ":1}" }),
      stop,
      { id: "chatcmpl-1", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
      "[DONE]",
    );
    expect(response).toEqual({
      id: "chatcmpl-1",
      model: "qwen3-coder",
      stopReason: "tool_calls",
      text: "I will look",
      calls: [{ id: "c1", name: "bash", arguments: '{"a":1}' }],
      usage: { input_tokens: 10, output_tokens: 5 },
      finished: true,
    });
  });

  it("returns id and name once when the server repeats them in every chunk", () => {
    const repeated = { id: "c1", type: "function" };
    expect(
      read(
        part(0, repeated, { name: "bash", arguments: '{"a"' }),
        part(0, repeated, { name: "bash", arguments: ":1}" }),
        stop,
      ).calls,
    ).toEqual([{ id: "c1", name: "bash", arguments: '{"a":1}' }]);
  });

  it("uses the first id when the server generates a new one for each chunk of a call", () => {
    expect(
      read(part(0, { id: "c1" }, { name: "bash", arguments: "{" }), part(0, { id: "c2" }, { arguments: "}" }), stop)
        .calls,
    ).toEqual([{ id: "c1", name: "bash", arguments: "{}" }]);
  });

  it("separates parallel calls by index", () => {
    expect(
      read(
        part(0, { id: "a" }, { name: "read", arguments: "{" }),
        part(1, { id: "b" }, { name: "bash", arguments: "[" }),
        part(0, {}, { arguments: "}" }),
        part(1, {}, { arguments: "]" }),
      ).calls,
    ).toEqual([
      { id: "a", name: "read", arguments: "{}" },
      { id: "b", name: "bash", arguments: "[]" },
    ]);
  });

  it.each([
    ["without an index", undefined],
    ["all with index 0", 0],
  ])("separates parallel calls that arrive complete, one per chunk, %s", (_how, index) => {
    expect(
      read(
        part(index, { id: "a" }, { name: "read", arguments: '{"path":"x"}' }),
        part(index, { id: "b" }, { name: "read", arguments: '{"path":"y"}' }),
        stop,
      ).calls,
    ).toEqual([
      { id: "a", name: "read", arguments: '{"path":"x"}' },
      { id: "b", name: "read", arguments: '{"path":"y"}' },
    ]);
  });

  it("appends to the latest of several calls that share an index", () => {
    expect(
      read(
        part(0, { id: "a" }, { name: "read", arguments: "{}" }),
        part(0, { id: "b" }, { name: "read", arguments: '{"p"' }),
        part(0, {}, { arguments: ":1}" }),
      ).calls,
    ).toEqual([
      { id: "a", name: "read", arguments: "{}" },
      { id: "b", name: "read", arguments: '{"p":1}' },
    ]);
  });

  it("separates texts and calls of several choices, in order", () => {
    const choice = (index: number, value: object, finish_reason?: string): object => ({
      choices: [{ index, delta: value, finish_reason: finish_reason ?? null }],
    });
    const response = read(
      choice(1, { content: "no" }),
      choice(0, { content: "ye" }),
      choice(1, { content: "pe", tool_calls: [{ index: 0, id: "b", function: { name: "bash", arguments: "{}" } }] }),
      choice(0, { content: "s", tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: "{}" } }] }),
      choice(1, {}, "length"),
      choice(0, {}, "stop"),
      "[DONE]",
    );
    expect(response).toMatchObject({
      text: "yes\nnope",
      stopReason: "stop",
      calls: [
        { id: "a", name: "read", arguments: "{}" },
        { id: "b", name: "bash", arguments: "{}" },
      ],
    });
  });

  it("counts as finished after [DONE] or a finish reason only", () => {
    expect(read(delta({ content: "half" })).finished).toBe(false);
    expect(read(delta({ content: "whole" }), stop).finished).toBe(true);
    expect(read(delta({ content: "whole" }), "[DONE]").finished).toBe(true);
    expect(read().finished).toBe(false);
  });

  it("reports an error sent inside the stream", () => {
    expect(read(delta({ content: "ha" }), { error: { message: "out of memory", type: "server_error" } })).toMatchObject(
      {
        text: "ha",
        error: "server_error: out of memory",
        finished: false,
      },
    );
  });

  it("omits a call without an id or a name, as the JSON decoder does", () => {
    expect(read(part(0, {}, { arguments: "{}" }), part(1, { id: "x" }, {}), stop).calls).toEqual([]);
  });

  it("ignores unknown fields and values that cannot be converted to text", () => {
    const decoder = createStreamDecoder();
    const odd = '{"toString":1,"valueOf":1}';
    for (const data of [
      "",
      "null",
      "{",
      '{"choices":[null,{"delta":null},{"delta":{"tool_calls":[null,{"function":7}]}}]}',
      `{"choices":[{"index":${odd},"delta":{"tool_calls":[{"index":${odd},"id":${odd}}],"content":${odd}}}]}`,
    ]) {
      decoder.push(data);
    }
    expect(decoder.end()).toEqual({ text: "", calls: [], usage: {}, finished: false });
  });
});
