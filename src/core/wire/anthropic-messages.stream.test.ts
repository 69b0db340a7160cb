import { describe, expect, it } from "vitest";
import { createStreamDecoder, decodeResponse } from "./anthropic-messages.ts";

const read = (...events: object[]): ReturnType<ReturnType<typeof createStreamDecoder>["end"]> => {
  const decoder = createStreamDecoder();
  for (const event of events) decoder.push(JSON.stringify(event));
  return decoder.end();
};
const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    model: "claude-opus-4-5",
    usage: { input_tokens: 10, cache_read_input_tokens: 7, output_tokens: 1 },
  },
};
const toolStart = (index: number, id: string, name: string): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id, name, input: {} },
});
const json = (index: number, partial_json: string): object => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
});
const textDelta = (index: number, text: string): object => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text },
});
const textStart = (index: number): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "text", text: "" },
});
const over = [
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 25 } },
  { type: "message_stop" },
];

describe("decodeResponse of Messages", () => {
  it("returns text, calls, stop reason and all 4 token counts", () => {
    expect(
      decodeResponse({
        type: "message",
        id: "msg_1",
        model: "claude-opus-4-5",
        stop_reason: "tool_use",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I will" },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
          { type: "text", text: "look" },
        ],
        usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
      }),
    ).toEqual({
      id: "msg_1",
      model: "claude-opus-4-5",
      stopReason: "tool_use",
      text: "I will\nlook",
      calls: [{ id: "t1", name: "Bash", arguments: { command: "ls" } }],
      usage: { input_tokens: 8, output_tokens: 2, cached_tokens: 3, cache_write_tokens: 4 },
      finished: true,
    });
  });

  it("returns the error of an error body", () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    expect(decodeResponse({ type: "error", error })).toEqual({
      text: "",
      calls: [],
      usage: {},
      finished: true,
      error: "overloaded_error: Overloaded",
    });
    expect(decodeResponse({ type: "error" })?.error).toBe("error");
  });

  it("rejects other bodies", () => {
    for (const body of [null, "x", [], {}, { type: "model" }, { input_tokens: 5 }])
      expect(decodeResponse(body)).toBeUndefined();
  });
});

describe("createStreamDecoder of Messages", () => {
  it("assembles the response from its events", () => {
    const response = read(
      start,
      { type: "ping" },
      textStart(0),
      textDelta(0, "I "),
      textDelta(0, "will"),
      { type: "content_block_stop", index: 0 },
      toolStart(1, "t1", "Bash"),
      json(1, '{"comm'),
      json(1, 'and":"ls"}'),
      { type: "content_block_stop", index: 1 },
      ...over,
    );
    expect(response).toEqual({
      id: "msg_1",
      model: "claude-opus-4-5",
      stopReason: "tool_use",
      text: "I will",
      calls: [{ id: "t1", name: "Bash", arguments: '{"command":"ls"}' }],
      usage: { input_tokens: 17, output_tokens: 25, cached_tokens: 7 },
      finished: true,
    });
  });

  it("separates blocks whose deltas are interleaved", () => {
    const response = read(
      toolStart(0, "a", "Read"),
      toolStart(1, "b", "Bash"),
      json(0, "{"),
      json(1, "["),
      json(0, "}"),
      json(1, "]"),
    );
    expect(response.calls).toEqual([
      { id: "a", name: "Read", arguments: "{}" },
      { id: "b", name: "Bash", arguments: "[]" },
    ]);
  });

  it("returns a call without deltas as a call without arguments", () => {
    expect(read(toolStart(0, "t1", "Now")).calls).toEqual([{ id: "t1", name: "Now", arguments: {} }]);
  });

  it("returns a call whose only delta is empty as a call without arguments, as the provider sends it", () => {
    expect(read(start, toolStart(0, "t1", "Now"), json(0, ""), ...over).calls).toEqual([
      { id: "t1", name: "Now", arguments: {} },
    ]);
  });

  it("does not restart when message_start is sent twice", () => {
    const again = { ...start, message: { ...start.message, id: "msg_2", model: "other" } };
    const response = read(start, again, textStart(0), textDelta(0, "once"), ...over);
    expect(response).toMatchObject({ id: "msg_1", model: "claude-opus-4-5", text: "once", finished: true });
  });

  it("reports a stream without message_stop as unfinished", () => {
    expect(read(start, textStart(0), textDelta(0, "half"))).toMatchObject({ text: "half", finished: false });
    expect(read(start, ...over.slice(0, 1)).finished).toBe(false);
    expect(read().finished).toBe(false);
  });

  it("reports an error sent inside the stream", () => {
    const response = read(start, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    expect(response).toMatchObject({ error: "overloaded_error: Overloaded", finished: false });
  });

  it("omits a call without an id or a name, as the JSON decoder does", () => {
    expect(read({ type: "content_block_start", index: 0, content_block: { type: "tool_use" } }, ...over).calls).toEqual(
      [],
    );
  });

  it("ignores unknown events and fields", () => {
    const decoder = createStreamDecoder();
    for (const data of [
      "",
      "[DONE]",
      "null",
      "[]",
      "{",
      '{"type":"constructor"}',
      '{"type":"__proto__"}',
      '{"type":7}',
    ]) {
      decoder.push(data);
    }
    for (const type of ["message_start", "content_block_start", "content_block_delta", "message_delta", "error"]) {
      decoder.push(JSON.stringify({ type }));
    }
    expect(decoder.end()).toEqual({ text: "", calls: [], usage: {}, error: "error", finished: false });
  });
});
