import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { createIds } from "../ids.ts";
import { objectOf } from "../json.ts";
import { type Api, parseRequest } from "../parsed-request.ts";
import type { SseEvent } from "../sse.ts";
import { call, type ModelTurn, respond, think } from "../turn.ts";
import { encodeAnthropicMessages } from "./anthropic-messages.ts";
import { createEncodeContext } from "./encoded-turn.ts";
import { encodeOpenaiChat } from "./openai-chat.ts";
import { encodeOpenaiResponses } from "./openai-responses.ts";

function contextOf(api: Api, turn: ModelTurn, body: JsonObject = {}) {
  const frame = { operation: "generate", nth: 0, path: "/", headers: {}, flavor: "openai" } as const;
  const request = parseRequest({ api, ...frame, callIdsUniqueWithin: "message" }, { model: "asked", ...body });
  return createEncodeContext(request, turn, createIds(), 1_000_000, 400);
}

/** The `data` of the events; `[DONE]` unchanged. */
function dataOf(events: Iterable<SseEvent>): (JsonObject | "[DONE]")[] {
  return [...events].map(({ data }) => data);
}

function fieldsOf(events: Iterable<SseEvent>, ...keys: readonly string[]): Json[][] {
  return dataOf(events).map((data) => keys.map((key) => (typeof data === "string" ? data : (data[key] ?? null))));
}

const TURN: ModelTurn = {
  ...respond(think("Hm."), "I look.", call("read", { a: 1 }, "id_1")),
  chunking: { characters: 4 },
  usage: { inputTokens: 7, outputTokens: 5, cachedInputTokens: 3 },
};

describe("Anthropic Messages", () => {
  it("streams the events of the real API in their order", () => {
    const { events } = encodeAnthropicMessages(contextOf("anthropic-messages", TURN));
    expect(fieldsOf(events(), "type", "index", "delta").slice(1)).toEqual([
      ["content_block_start", 0, null],
      ["ping", null, null],
      ["content_block_delta", 0, { type: "thinking_delta", thinking: "Hm." }],
      ["content_block_delta", 0, { type: "signature_delta", signature: expect.stringMatching(/\w{20}/) }],
      ["content_block_stop", 0, null],
      ["content_block_start", 1, null],
      ["content_block_delta", 1, { type: "text_delta", text: "I lo" }],
      ["content_block_delta", 1, { type: "text_delta", text: "ok." }],
      ["content_block_stop", 1, null],
      ["content_block_start", 2, null],
      ["content_block_delta", 2, { type: "input_json_delta", partial_json: "" }],
      ["content_block_delta", 2, { type: "input_json_delta", partial_json: '{"a"' }],
      ["content_block_delta", 2, { type: "input_json_delta", partial_json: ":1}" }],
      ["content_block_stop", 2, null],
      ["message_delta", null, { stop_reason: "tool_use", stop_sequence: null }],
      ["message_stop", null, null],
    ]);
    expect([...events()].every(({ event, data }) => event === objectOf(data as Json).type)).toBe(true);
  });

  it("reports the usage, model and stop reason of the turn", () => {
    const turn = { ...TURN, model: "other", stopReason: { verbatim: "later_reason" } };
    expect(encodeAnthropicMessages(contextOf("anthropic-messages", turn)).body()).toMatchObject({
      model: "other",
      stop_reason: "later_reason",
      usage: { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3 },
    });
  });

  it("streams malformed arguments, but rejects them in a JSON body", () => {
    const { body, events } = encodeAnthropicMessages(contextOf("anthropic-messages", respond(call("read", '{"a'))));
    expect(JSON.stringify(dataOf(events()))).toContain(JSON.stringify('{"a').slice(1, -1));
    expect(body).toThrow("cannot contain arguments");
  });
});

describe("OpenAI Chat Completions", () => {
  const deltasOf = (turn: ModelTurn, body?: JsonObject) =>
    dataOf(encodeOpenaiChat(contextOf("openai-chat", turn, body)).events());

  it("streams the chunks of the real API in their order", () => {
    const chunks = deltasOf(TURN);
    const choices = chunks.map((data) =>
      typeof data === "string" ? data : (data.choices as readonly JsonObject[])[0],
    );
    const delta = (value: JsonObject) => ({ index: 0, delta: value, logprobs: null, finish_reason: null });
    expect(choices).toEqual([
      delta({ role: "assistant", content: "", refusal: null }),
      delta({ reasoning_content: "Hm." }),
      delta({ content: "I lo" }),
      delta({ content: "ok." }),
      delta({ tool_calls: [{ index: 0, id: "id_1", type: "function", function: { name: "read", arguments: "" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
      { ...delta({}), finish_reason: "tool_calls" },
      "[DONE]",
    ]);
    expect(chunks.every((data) => typeof data === "string" || !("usage" in data))).toBe(true);
  });

  it("sends usage in a separate chunk, and null before, only when requested", () => {
    const chunks = deltasOf(TURN, { stream_options: { include_usage: true } }).map((data) => objectOf(data as Json));
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } });
    expect(chunks.slice(0, -2).every(({ usage }) => usage === null)).toBe(true);
  });

  it("numbers the calls of a turn", () => {
    const text = JSON.stringify(deltasOf(respond(call("a"), call("b"))));
    expect(text).toMatch(/"index":0,"id":"call_\w{24}".*"index":1,"id":"call_\w{24}"/);
  });
});

describe("citations and logprobs", () => {
  const source: JsonObject = { type: "url_citation", url: "https://example.com/" };
  const turn: ModelTurn = { kind: "answer", blocks: [{ kind: "text", text: "Yes.", citations: [source] }] };

  it("adds citations on Messages", () => {
    const { body, events } = encodeAnthropicMessages(contextOf("anthropic-messages", turn));
    expect(body().content).toEqual([{ type: "text", text: "Yes.", citations: [source] }]);
    expect(dataOf(events())).toContainEqual(
      expect.objectContaining({ delta: { type: "citations_delta", citation: source } }),
    );
  });

  it("adds annotations and logprobs on Chat when requested", () => {
    const { body, events } = encodeOpenaiChat(contextOf("openai-chat", turn, { logprobs: true }));
    const token = { token: "Yes.", logprob: -0.01, bytes: [89, 101, 115, 46], top_logprobs: [] };
    const logprobs = { content: [token], refusal: null };
    expect(body().choices).toMatchObject([{ logprobs, message: { annotations: [source] } }]);
    expect(dataOf(events())).toContainEqual(
      expect.objectContaining({ choices: [expect.objectContaining({ delta: { content: "Yes." }, logprobs })] }),
    );
  });

  it("adds annotations and logprobs on Responses when requested", () => {
    const requested = { include: ["message.output_text.logprobs"] };
    const { body, events } = encodeOpenaiResponses(contextOf("openai-responses", turn, requested));
    const part = { annotations: [source], logprobs: [{ token: "Yes." }] };
    expect(body().output).toMatchObject([{ content: [part] }]);
    expect(fieldsOf(events(), "type", "annotation")).toContainEqual(["response.output_text.annotation.added", source]);
  });
});

describe("OpenAI Responses", () => {
  it("streams the events of the real API in their order, numbered without a gap", () => {
    const { events } = encodeOpenaiResponses(contextOf("openai-responses", TURN));
    expect(fieldsOf(events(), "type", "sequence_number", "output_index", "delta")).toEqual([
      ["response.created", 0, null, null],
      ["response.in_progress", 1, null, null],
      ["response.output_item.added", 2, 0, null],
      ["response.reasoning_summary_part.added", 3, 0, null],
      ["response.reasoning_summary_text.delta", 4, 0, "Hm."],
      ["response.reasoning_summary_text.done", 5, 0, null],
      ["response.reasoning_summary_part.done", 6, 0, null],
      ["response.output_item.done", 7, 0, null],
      ["response.output_item.added", 8, 1, null],
      ["response.content_part.added", 9, 1, null],
      ["response.output_text.delta", 10, 1, "I lo"],
      ["response.output_text.delta", 11, 1, "ok."],
      ["response.output_text.done", 12, 1, null],
      ["response.content_part.done", 13, 1, null],
      ["response.output_item.done", 14, 1, null],
      ["response.output_item.added", 15, 2, null],
      ["response.function_call_arguments.delta", 16, 2, '{"a"'],
      ["response.function_call_arguments.delta", 17, 2, ":1}"],
      ["response.function_call_arguments.done", 18, 2, null],
      ["response.output_item.done", 19, 2, null],
      ["response.completed", 20, null, null],
    ]);
  });

  it("ends with the same response object as the JSON body", () => {
    const { body, events } = encodeOpenaiResponses(contextOf("openai-responses", TURN));
    expect(objectOf(dataOf(events()).at(-1) as Json).response).toEqual(body());
    expect(body()).toMatchObject({ created_at: 1000, usage: { input_tokens: 7, output_tokens: 5 } });
  });
});
