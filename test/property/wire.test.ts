import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readIdentity } from "../../src/core/wire/identity.ts";
import { type DecodedResponse, WIRE } from "../../src/core/wire/index.ts";

/** JSON with the keys the decoders look for, so that hostile values appear where valid ones are expected. */
const WORDS = [
  ...[
    "type",
    "role",
    "content",
    "messages",
    "tools",
    "tool_calls",
    "function",
    "arguments",
    "name",
    "id",
    "index",
    "delta",
  ],
  ...["choices", "message", "tool_use_id", "tool_call_id", "is_error", "input", "text", "usage", "error", "metadata"],
  ...["user_id", "session_id", "content_block", "partial_json", "stop_reason", "finish_reason", "model", "stream"],
  ...["toString", "valueOf", "__proto__", "constructor", "length"],
];
const VALUES = [
  ...["tool_use", "tool_result", "text", "user", "assistant", "tool", "system", "message", "error", "text_delta"],
  ...[
    "input_json_delta",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "message_stop",
  ],
];
const hostile = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.oneof(fc.constantFrom<unknown>(...VALUES, null, true, 0, -1, 1.5, 1e300, ""), fc.string()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...WORDS), tie("value")), { maxLength: 6 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`),
      ),
  ),
})).value;

describe("decoding any body", () => {
  it.each(["anthropic", "chat"] as const)("decoding does not throw for %s", (api) => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.jsonValue()), (body) => {
        const { decodeRequest, decodeResponse, createStreamDecoder } = WIRE[api];
        decodeResponse(body);
        const request = decodeRequest(body);
        const inner = decodeRequest({ messages: [body, { role: "user", content: [body] }], tools: [body] });
        const decoder = createStreamDecoder();
        decoder.push(JSON.stringify(body));
        decoder.push(
          JSON.stringify({ choices: [body], type: "content_block_start", content_block: body, index: body }),
        );
        decoder.push(JSON.stringify({ type: "content_block_delta", delta: body, index: body }));
        decoder.end();
        readIdentity(() => undefined, body);
        for (const call of [...(request?.calls ?? []), ...(inner?.calls ?? [])]) {
          expect(typeof call.id).toBe("string");
          expect(call.n).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("ids are numbered from 0 without a gap, and no call gets two results", () => {
    const block = fc.record({
      type: fc.constantFrom("tool_use", "tool_result", "text"),
      id: fc.constantFrom("a", "b", "call_0"),
      tool_use_id: fc.constantFrom("a", "b", "call_0"),
      content: fc.constantFrom("x", "y"),
    });
    const messages = fc.array(
      fc.record({ role: fc.constantFrom("user", "assistant", "system"), content: fc.array(block) }),
    );
    fc.assert(
      fc.property(messages, (history) => {
        const calls = WIRE.anthropic.decodeRequest({ messages: history })?.calls ?? [];
        for (const id of ["a", "b", "call_0"]) {
          const numbers = calls.filter((call) => call.id === id).map((call) => call.n);
          expect(numbers).toEqual(numbers.map((_, at) => at));
        }
        const callCount = history.flatMap(({ content }) => content).filter(({ type }) => type === "tool_use").length;
        expect(calls.length).toBeGreaterThanOrEqual(callCount);
      }),
    );
  });
});

/** Splits a text at arbitrary positions. */
const pieces = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
};

const call = fc.record({
  id: fc.stringMatching(/^[a-z]{4,8}$/),
  name: fc.stringMatching(/^[a-z_]{1,8}$/),
  input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
});
const cuts = fc.array(fc.nat(200), { maxLength: 6 });

/** The response with arguments as values: a stream has them as text, a whole Messages body as an object. */
const describeResponse = (response: DecodedResponse | undefined): unknown => ({
  ...response,
  calls: response?.calls.map((one) => ({
    ...one,
    arguments:
      typeof one.arguments === "string" ? JSON.parse(one.arguments) : JSON.parse(JSON.stringify(one.arguments)),
  })),
});

describe("any split of a stream", () => {
  it("a stream gives the same Messages response as the whole body, however it is split", () => {
    const block = fc.oneof(
      fc.record({ kind: fc.constant("text" as const), text: fc.string({ minLength: 1, unit: "grapheme" }) }),
      fc.record({ kind: fc.constant("call" as const), call }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), cuts, (blocks, at) => {
        const body = {
          type: "message",
          id: "msg_1",
          model: "m",
          stop_reason: "end_turn",
          content: blocks.map((one) =>
            one.kind === "text" ? { type: "text", text: one.text } : { type: "tool_use", ...one.call },
          ),
          usage: { input_tokens: 3, output_tokens: 4 },
        };
        const events: object[] = [
          { type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } },
        ];
        for (const [index, one] of blocks.entries()) {
          if (one.kind === "text") {
            events.push({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
            for (const text of pieces(one.text, at)) {
              events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
            }
          } else {
            const { id, name, input } = one.call;
            events.push({
              type: "content_block_start",
              index,
              content_block: { type: "tool_use", id, name, input: {} },
            });
            const text = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
            for (const partial_json of pieces(text, at)) {
              events.push({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
            }
          }
          events.push({ type: "content_block_stop", index });
        }
        events.push({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } });
        events.push({ type: "message_stop" });
        const decoder = WIRE.anthropic.createStreamDecoder();
        for (const event of events) decoder.push(JSON.stringify(event));
        expect(describeResponse(decoder.end())).toEqual(describeResponse(WIRE.anthropic.decodeResponse(body)));
      }),
    );
  });

  it("a stream gives the same Chat response as the whole body, with several choices in any interleaving", () => {
    const choice = fc.record({ text: fc.string({ unit: "grapheme" }), calls: fc.array(call, { maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(choice, { minLength: 1, maxLength: 3 }),
        cuts,
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        (choices, at, repeats, turns) => {
          const body = {
            id: "c",
            model: "m",
            choices: choices.map(({ text, calls }, index) => ({
              index,
              finish_reason: index === 0 ? "stop" : "length",
              message: {
                content: text,
                tool_calls: calls.map(({ id, name, input }) => ({
                  id,
                  type: "function",
                  function: { name, arguments: JSON.stringify(input) },
                })),
              },
            })),
          };
          const queues = choices.map(({ text, calls }, index) => {
            const chunk = (delta: object, finish_reason: string | null = null): object => ({
              id: "c",
              model: "m",
              choices: [{ index, delta, finish_reason }],
            });
            const events = pieces(text, at).map((content) => chunk({ content }));
            for (const [order, { id, name, input }] of calls.entries()) {
              for (const [nth, text] of pieces(JSON.stringify(input), at).entries()) {
                const first = nth === 0 || repeats;
                events.push(
                  chunk({
                    tool_calls: [
                      { index: order, ...(first && { id }), function: { ...(first && { name }), arguments: text } },
                    ],
                  }),
                );
              }
            }
            return [...events, chunk({}, index === 0 ? "stop" : "length")];
          });
          const decoder = WIRE.chat.createStreamDecoder();
          for (let open = queues.filter((queue) => queue.length > 0); open.length > 0; ) {
            const queue = open[(turns.next().value as number) % open.length] as object[];
            decoder.push(JSON.stringify(queue.shift()));
            open = queues.filter((one) => one.length > 0);
          }
          decoder.push("[DONE]");
          expect(describeResponse(decoder.end())).toEqual(describeResponse(WIRE.chat.decodeResponse(body)));
        },
      ),
    );
  });
});
