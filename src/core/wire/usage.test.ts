import { describe, expect, it } from "vitest";
import { createStreamDecoder as anthropicStream, decodeResponse as decodeMessage } from "./anthropic-messages.ts";
import { createStreamDecoder as chatStream, decodeResponse as decodeChat } from "./openai-chat.ts";
import { decodeResponse as decodeResponses, createStreamDecoder as responsesStream } from "./openai-responses.ts";
import type { StreamDecoder, TokenUsage } from "./turn.ts";
import { chatUsage, codexUsage, messagesUsage, responsesUsage } from "./usage.ts";

function streamed(decoder: StreamDecoder, ...events: readonly object[]): TokenUsage {
  for (const event of events) decoder.push(JSON.stringify(event));
  return decoder.end().usage;
}

describe("the usage of a Messages response", () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 25,
    cache_read_input_tokens: 700,
    cache_creation_input_tokens: 90,
  };
  const expected = { input_tokens: 800, output_tokens: 25, cached_tokens: 700, cache_write_tokens: 90 };

  it("the usage counts cached input as input", () => {
    expect(decodeMessage({ type: "message", content: [], usage })?.usage).toEqual(expected);
  });

  it("the usage combines the first and the last event of a stream", () => {
    const start = { type: "message_start", message: { usage: { ...usage, output_tokens: 1 } } };
    const delta = { type: "message_delta", delta: {}, usage: { output_tokens: 25 } };
    expect(streamed(anthropicStream(), start, delta, { type: "message_stop" })).toEqual(expected);
  });

  it("the usage does not fall when the last event repeats the input as 0", () => {
    const start = { type: "message_start", message: { usage: { ...usage, output_tokens: 1 } } };
    const delta = { type: "message_delta", delta: {}, usage: { input_tokens: 0, output_tokens: 25 } };
    expect(streamed(anthropicStream(), start, delta)).toEqual(expected);
  });

  it("the usage has no output if the stream ended before its last event", () => {
    const start = { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } };
    expect(streamed(anthropicStream(), start)).toEqual({ input_tokens: 10 });
  });

  it("the cache is unknown where the server reports none", () => {
    expect(messagesUsage({ input_tokens: 3, output_tokens: 2, cache_read_input_tokens: null })).toEqual({
      input_tokens: 3,
      output_tokens: 2,
    });
  });
});

describe("the usage of a Chat response", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 40,
    total_tokens: 140,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 30 },
  };
  const expected = { input_tokens: 100, output_tokens: 40, cached_tokens: 64, reasoning_tokens: 30 };

  it("the usage of a Chat response contains the cached and the reasoning part", () => {
    expect(decodeChat({ choices: [], usage })?.usage).toEqual(expected);
  });

  it("the usage comes from the last chunk of a stream, after chunks without it", () => {
    const chunk = { choices: [{ index: 0, delta: { content: "Hi" } }], usage: null };
    expect(streamed(chatStream(), chunk, { choices: [], usage })).toEqual(expected);
  });

  it("the usage is that of the last chunk if every chunk has one", () => {
    const first = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 1 } };
    const last = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 2 } };
    expect(streamed(chatStream(), first, last)).toEqual({ input_tokens: 100, output_tokens: 2 });
  });

  it("reasoning is added to the output if the total shows that the server counts it beside", () => {
    expect(chatUsage({ ...usage, total_tokens: 170 })).toEqual({ ...expected, output_tokens: 70 });
  });

  it("the usage is empty for a stream without a usage chunk", () => {
    expect(streamed(chatStream(), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })).toEqual({});
  });
});

describe("the usage of a Responses response", () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 64 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 30 },
    total_tokens: 140,
  };
  const expected = { input_tokens: 100, output_tokens: 40, cached_tokens: 64, reasoning_tokens: 30 };

  it("the usage of a Responses response contains the cached and the reasoning part", () => {
    expect(decodeResponses({ output: [], usage })?.usage).toEqual(expected);
    expect(responsesUsage(usage)).toEqual(expected);
  });

  it.each(["response.completed", "response.incomplete", "response.failed"])(
    "the usage of a Responses response comes from %s",
    (type) => {
      const created = { type: "response.created", response: { id: "resp_1", output: [], usage: null } };
      expect(streamed(responsesStream(), created, { type, response: { id: "resp_1", output: [], usage } })).toEqual(
        expected,
      );
    },
  );
});

describe("the usage that Codex writes into its rollouts", () => {
  it("a rollout contains the usage of the Responses API with other names", () => {
    expect(
      codexUsage({ input_tokens: 100, cached_input_tokens: 64, output_tokens: 40, reasoning_output_tokens: 30 }),
    ).toEqual({ input_tokens: 100, output_tokens: 40, cached_tokens: 64, reasoning_tokens: 30 });
  });
});

describe("invalid counts", () => {
  it.each([-1, 1.5, "12", null, Number.NaN, Number.POSITIVE_INFINITY, 2_000_000_000, [7], {}])(
    "a count of %j is unknown, in every API",
    (count) => {
      expect(messagesUsage({ input_tokens: count, output_tokens: count })).toEqual({});
      expect(chatUsage({ prompt_tokens: count, completion_tokens: count })).toEqual({});
      expect(responsesUsage({ input_tokens: count, output_tokens: count })).toEqual({});
    },
  );

  it("a part that is larger than its whole, or whose whole is unknown, is unknown", () => {
    expect(
      chatUsage({
        ...{ prompt_tokens: 10, completion_tokens: 5 },
        ...{ prompt_tokens_details: { cached_tokens: 11 }, completion_tokens_details: { reasoning_tokens: 6 } },
      }),
    ).toEqual({ input_tokens: 10, output_tokens: 5 });
    expect(messagesUsage({ cache_read_input_tokens: 5, output_tokens: 1 })).toEqual({ output_tokens: 1 });
  });

  it.each([null, "usage", 7, []])("a usage of %j is empty", (usage) => {
    for (const read of [messagesUsage, chatUsage, responsesUsage, codexUsage]) expect(read(usage)).toEqual({});
  });
});
