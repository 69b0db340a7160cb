import { describe, expect, it } from "vitest";
import { LineFramer } from "../line-framer.ts";
import { readPath } from "../path.ts";
import { decodeRequest } from "./request.ts";
import { createStreamDecoder, decodeResponse } from "./response.ts";

const call = (name: string, args: object, id?: string): object => ({
  ...(id !== undefined && { id }),
  function: { name, arguments: args },
});

describe("an Ollama request", () => {
  it.each(["/api/chat", "/ollama/api/chat"])("an Ollama request is read at %s", (path) => {
    expect(readPath(path)).toEqual({ api: "ollama" });
  });

  it.each(["/api/generate", "/api/tags", "/api/pull"])("an Ollama request is not read at %s", (path) => {
    expect(readPath(path)).toBeUndefined();
  });

  it("an Ollama request streams unless it is set not to", () => {
    expect(decodeRequest({ messages: [] })?.streaming).toBe(true);
    expect(decodeRequest({ messages: [], stream: false })?.streaming).toBe(false);
  });

  it("results are paired by name and order, and without names by order alone", () => {
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: "", tool_calls: [call("read", { a: 1 }), call("list", {})] },
      { role: "tool", tool_name: "list", content: "two files" },
      { role: "tool", tool_name: "read", content: "text" },
      { role: "assistant", content: "", tool_calls: [call("read", { a: 2 }), call("read", { a: 3 })] },
      { role: "tool", content: "first" },
      { role: "tool", content: "second" },
    ];
    expect(decodeRequest({ model: "qwen3", messages })?.calls).toMatchObject([
      { id: "functions.read:0", name: "read", result: { content: "text" }, resultAt: 3 },
      { id: "functions.list:1", name: "list", result: { content: "two files" }, resultAt: 2 },
      { id: "functions.read:2", arguments: { a: 2 }, result: { content: "first" } },
      { id: "functions.read:3", arguments: { a: 3 }, result: { content: "second" } },
    ]);
  });

  it("an Ollama history is the same whatever ids a library makes up", () => {
    const with_ = (id?: string): object[] => [
      { role: "user", content: "go" },
      { role: "assistant", content: "", tool_calls: [call("read", {}, id)] },
      { role: "tool", content: "text", ...(id !== undefined && { tool_call_id: id }) },
    ];
    expect(decodeRequest({ messages: with_("4f1c0a52") })).toEqual(decodeRequest({ messages: with_() }));
  });
});

describe("an Ollama response", () => {
  const LINES = [
    { model: "qwen3", message: { role: "assistant", content: "", thinking: "hm" }, done: false },
    { model: "qwen3", message: { role: "assistant", content: "I " }, done: false },
    {
      model: "qwen3",
      message: { role: "assistant", content: "read.", tool_calls: [call("read", { a: 1 })] },
      done: false,
    },
    {
      model: "qwen3",
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 9,
      eval_count: 4,
    },
  ];
  const DECODED = {
    ...{ model: "qwen3", stopReason: "stop", text: "I read.", finished: true, signature: 'read {"a":1}' },
    calls: [{ id: "no-id-0", name: "read", arguments: { a: 1 } }],
    usage: { input_tokens: 9, output_tokens: 4 },
  };

  it("an Ollama response is assembled from lines", () => {
    const decoder = createStreamDecoder();
    for (const line of LINES) decoder.push(JSON.stringify(line));
    expect(decoder.end()).toEqual(DECODED);
  });

  it("an Ollama response is unfinished without its last line", () => {
    const decoder = createStreamDecoder();
    decoder.push(JSON.stringify(LINES[1]));
    expect(decoder.end()).toMatchObject({ finished: false, usage: {} });
  });

  it("an Ollama response may be an error, also after the first line", () => {
    expect(decodeResponse({ error: "model does not support tools" })).toMatchObject({
      error: "model does not support tools",
    });
    const decoder = createStreamDecoder();
    decoder.push(JSON.stringify(LINES[1]));
    decoder.push('{"error":"out of memory"}');
    expect(decoder.end()).toMatchObject({ error: "out of memory", text: "I " });
  });
});

it("a line framer reproduces the stream, however it is cut", () => {
  const source = Buffer.from('{"a":"é"}\n\r\n{"b":1}\r\n{"c"');
  for (let size = 1; size <= source.length; size += 1) {
    const framer = new LineFramer();
    const frames = [];
    for (let at = 0; at < source.length; at += size) frames.push(...framer.push(source.subarray(at, at + size)));
    expect(frames.map(({ data }) => data)).toEqual(['{"a":"é"}', undefined, '{"b":1}']);
    expect(Buffer.concat([...frames.map(({ raw }) => raw), framer.end()])).toEqual(source);
  }
});
