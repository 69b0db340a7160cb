import { describe, expect, it } from "vitest";
import { createStreamDecoder, decodeRequest, decodeResponse } from "./openai-responses.ts";
import type { DecodedResponse } from "./turn.ts";

const read = (...events: readonly object[]): DecodedResponse => {
  const decoder = createStreamDecoder();
  for (const event of events) decoder.push(JSON.stringify(event));
  return decoder.end();
};
const call = (id: string, args = '{"cmd":"ls"}', more: object = {}): object => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "bash",
  arguments: args,
  status: "completed",
  ...more,
});
const message = (text: string): object => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  content: [{ type: "output_text", text, annotations: [] }],
});
const usage = { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 8 } };
const body = (output: readonly object[], more: object = {}): object => ({
  id: "resp_1",
  object: "response",
  model: "gpt-5",
  status: "completed",
  error: null,
  incomplete_details: null,
  output,
  usage,
  ...more,
});
const created = { type: "response.created", response: body([], { status: "in_progress", usage: null }) };
const added = (output_index: number, item: object): object => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const delta = (output_index: number, text: string): object => ({
  type: "response.function_call_arguments.delta",
  item_id: "fc_a",
  output_index,
  delta: text,
});
const textDelta = (output_index: number, text: string, content_index = 0): object => ({
  type: "response.output_text.delta",
  output_index,
  content_index,
  delta: text,
});

describe("decodeResponse of Responses", () => {
  it("returns text, client calls, status and tokens", () => {
    const output = [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] },
      message("On it."),
      { type: "web_search_call", id: "ws_1", status: "completed" },
      call("a"),
      { type: "custom_tool_call", call_id: "b", name: "exec", input: "text(1)" },
    ];
    expect(decodeResponse(body(output))).toEqual({
      id: "resp_1",
      model: "gpt-5",
      stopReason: "completed",
      text: "On it.",
      calls: [
        { id: "a", name: "bash", arguments: '{"cmd":"ls"}' },
        { id: "b", name: "exec", arguments: "text(1)" },
      ],
      signature: "a bash",
      usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 8 },
      finished: true,
    });
  });

  it("returns the reason of an incomplete response, and the part received of a truncated call", () => {
    const cut = body([call("a", '{"cm', { status: "incomplete" })], {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    expect(decodeResponse(cut)).toMatchObject({
      stopReason: "max_output_tokens",
      calls: [{ id: "a", name: "bash", arguments: '{"cm' }],
    });
  });

  it("returns the error of a failed response and of an error body", () => {
    const error = { code: "server_error", message: "Sorry" };
    expect(decodeResponse(body([], { status: "failed", error }))).toMatchObject({
      stopReason: "failed",
      error: "server_error: Sorry",
    });
    expect(decodeResponse({ error: { type: "invalid_request_error", message: "No", code: null } })).toEqual({
      text: "",
      calls: [],
      usage: {},
      finished: true,
      error: "invalid_request_error: No",
    });
  });

  it("rejects other bodies", () => {
    for (const other of [null, "x", [], {}, { object: "list", data: [] }, { error: null }]) {
      expect(decodeResponse(other)).toBeUndefined();
    }
  });

  it("returns the signature that a later request will have", () => {
    for (const output of [[message("so\n be it")], [message("look"), call("a"), call("b")]]) {
      const next = decodeRequest({ input: [{ role: "user", content: "go" }, ...output] });
      expect(decodeResponse(body(output))?.signature).toBe(next?.firstTurn);
    }
  });

  it("uses the id as the signature of an empty turn, so that two empty turns differ", () => {
    expect(decodeResponse(body([]))?.signature).toBe("resp_1");
  });
});

describe("createStreamDecoder of Responses", () => {
  it("returns the response of the last event", () => {
    const output = [message("On it."), call("a")];
    expect(
      read(
        created,
        { type: "response.in_progress", response: body([], { status: "in_progress" }) },
        added(0, { ...message(""), content: [] }),
        textDelta(0, "On"),
        added(1, call("a", "")),
        delta(1, "{"),
        { type: "response.completed", response: body(output) },
      ),
    ).toEqual(decodeResponse(body(output)));
  });

  it("assembles the response from deltas when the stream is truncated", () => {
    const response = read(
      created,
      added(0, { ...message(""), content: [] }),
      textDelta(0, "On "),
      textDelta(0, "it."),
      textDelta(0, "Really.", 1),
      added(1, call("a", "")),
      delta(1, '{"cmd"'),
      added(2, { type: "custom_tool_call", call_id: "b", name: "exec", input: "" }),
      { type: "response.custom_tool_call_input.delta", output_index: 2, delta: "text(" },
      delta(1, ':"ls"'),
    );
    expect(response).toEqual({
      id: "resp_1",
      model: "gpt-5",
      stopReason: "in_progress",
      text: "On it.\nReally.",
      calls: [
        { id: "a", name: "bash", arguments: '{"cmd":"ls"' },
        { id: "b", name: "exec", arguments: "text(" },
      ],
      signature: "a bash",
      usage: {},
      finished: false,
    });
  });

  it("replaces deltas by events that repeat a text or an item completely", () => {
    expect(
      read(
        added(0, call("a", "")),
        delta(0, "{"),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"x":1}' },
        added(1, call("b", "")),
        delta(1, "lost"),
        { type: "response.output_item.done", output_index: 1, item: call("b", '{"y":2}') },
        { type: "response.output_item.done", output_index: 2, item: call("c", '{"z":3}') },
      ).calls,
    ).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '{"y":2}' }, { arguments: '{"z":3}' }]);
  });

  it("keeps the streamed items when the last event has an empty list", () => {
    const response = read(
      created,
      { type: "response.output_item.done", output_index: 0, item: call("a") },
      { type: "response.completed", response: body([]) },
    );
    expect(response).toMatchObject({ calls: [{ id: "a" }], usage: { output_tokens: 5 }, finished: true });
  });

  it("finds items by id where a server omits the index", () => {
    expect(
      read(
        { type: "response.output_item.added", item: call("a", "") },
        { type: "response.function_call_arguments.delta", item_id: "fc_a", delta: "{}" },
      ).calls,
    ).toEqual([{ id: "a", name: "bash", arguments: "{}" }]);
  });

  it("counts incomplete and failed responses as finished", () => {
    const reason = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    expect(read(created, { type: "response.incomplete", response: body([], reason) })).toMatchObject({
      stopReason: "content_filter",
      finished: true,
    });
    const error = { code: "rate_limit_exceeded", message: "Slow down" };
    expect(read(created, { type: "response.failed", response: body([], { status: "failed", error }) })).toMatchObject({
      error: "rate_limit_exceeded: Slow down",
      finished: true,
    });
  });

  it("reports an error inside the stream, in both of its formats", () => {
    expect(read(created, { type: "error", code: "server_error", message: "Oops", param: null })).toMatchObject({
      error: "server_error: Oops",
      finished: false,
    });
    expect(read({ type: "error", error: { type: "overloaded", message: "Oops" } }).error).toBe("overloaded: Oops");
    expect(read({ type: "error" }).error).toBe("error");
  });

  it("does not restart when an event is sent twice", () => {
    const start = added(0, call("a", ""));
    expect(read(created, created, start, delta(0, "{"), start, delta(0, "}")).calls).toMatchObject([
      { arguments: "{}" },
    ]);
  });

  it("returns an empty response without events", () => {
    expect(read()).toEqual({ text: "", calls: [], usage: {}, finished: false });
  });
});
