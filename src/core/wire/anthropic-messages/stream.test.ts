import { describe, expect, it } from "vitest";
import { decodeResponse } from "./response.ts";
import { createStreamDecoder } from "./stream.ts";

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
const words = (index: number, text: string): object => ({
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

describe("a whole Messages answer", () => {
  it("gives text, calls, stop reason and all four token counts", () => {
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
      usage: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_creation_tokens: 4 },
      finished: true,
    });
  });

  it("gives the error in its place", () => {
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

  it("is none when it is something else", () => {
    for (const body of [null, "x", [], {}, { type: "model" }, { input_tokens: 5 }])
      expect(decodeResponse(body)).toBeUndefined();
  });
});

describe("a streamed Messages answer", () => {
  it("is put together from its parts", () => {
    const answer = read(
      start,
      { type: "ping" },
      textStart(0),
      words(0, "I "),
      words(0, "will"),
      { type: "content_block_stop", index: 0 },
      toolStart(1, "t1", "Bash"),
      json(1, '{"comm'),
      json(1, 'and":"ls"}'),
      { type: "content_block_stop", index: 1 },
      ...over,
    );
    expect(answer).toEqual({
      id: "msg_1",
      model: "claude-opus-4-5",
      stopReason: "tool_use",
      text: "I will",
      calls: [{ id: "t1", name: "Bash", arguments: '{"command":"ls"}' }],
      usage: { input_tokens: 10, output_tokens: 25, cache_read_tokens: 7 },
      finished: true,
    });
  });

  it("keeps blocks apart whose deltas come interleaved", () => {
    const answer = read(
      toolStart(0, "a", "Read"),
      toolStart(1, "b", "Bash"),
      json(0, "{"),
      json(1, "["),
      json(0, "}"),
      json(1, "]"),
    );
    expect(answer.calls).toEqual([
      { id: "a", name: "Read", arguments: "{}" },
      { id: "b", name: "Bash", arguments: "[]" },
    ]);
  });

  it("takes a call without any delta as one without arguments", () => {
    expect(read(toolStart(0, "t1", "Now")).calls).toEqual([{ id: "t1", name: "Now", arguments: {} }]);
  });

  it("takes a call whose only delta is empty as one without arguments, as the provider sends it", () => {
    expect(read(start, toolStart(0, "t1", "Now"), json(0, ""), ...over).calls).toEqual([
      { id: "t1", name: "Now", arguments: {} },
    ]);
  });

  it("does not begin again when the start of the message is sent twice", () => {
    const again = { ...start, message: { ...start.message, id: "msg_2", model: "other" } };
    const answer = read(start, again, textStart(0), words(0, "once"), ...over);
    expect(answer).toMatchObject({ id: "msg_1", model: "claude-opus-4-5", text: "once", finished: true });
  });

  it("is not finished without its last event", () => {
    expect(read(start, textStart(0), words(0, "half"))).toMatchObject({ text: "half", finished: false });
    expect(read(start, ...over.slice(0, 1)).finished).toBe(false);
    expect(read().finished).toBe(false);
  });

  it("tells an error that came inside the stream", () => {
    const answer = read(start, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    expect(answer).toMatchObject({ error: "overloaded_error: Overloaded", finished: false });
  });

  it("leaves out a call that never got an id or a name, as the whole body does", () => {
    expect(read({ type: "content_block_start", index: 0, content_block: { type: "tool_use" } }, ...over).calls).toEqual(
      [],
    );
  });

  it("passes over what it does not know", () => {
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
