import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventFramer } from "../../src/core/wire/event-framer.ts";
import { openaiResponses } from "../../src/core/wire/index.ts";
import { createEncodeContext } from "../support/upstream/encode/encoded-turn.ts";
import { encodeOpenaiResponses } from "../support/upstream/encode/openai-responses.ts";
import { createIds } from "../support/upstream/ids.ts";
import { parseRequest } from "../support/upstream/parsed-request.ts";
import { sseFrame } from "../support/upstream/sse.ts";
import { type Block, call, type ModelTurn, respond, think } from "../support/upstream/turn.ts";

function encode(turn: ModelTurn): ReturnType<typeof encodeOpenaiResponses> {
  const frame = { operation: "generate", nth: 0, path: "/", headers: {}, flavor: "openai" } as const;
  const request = parseRequest({ api: "openai-responses", ...frame, callIdsUniqueWithin: "message" }, { model: "m" });
  return encodeOpenaiResponses(createEncodeContext(request, turn, createIds(), 1_000_000, 400));
}

const anyText = fc.string({ minLength: 1, unit: "grapheme" });
const blocks = fc.array(
  fc.oneof(
    anyText,
    anyText.map(think),
    fc
      .tuple(fc.stringMatching(/^[a-z]{1,8}$/), anyText, fc.boolean())
      .map(([name, text, custom]): Block => (custom ? { ...call(name, text), custom } : call(name, { text }))),
  ),
  { maxLength: 5 },
);
const turns = fc
  .tuple(blocks, fc.integer({ min: 1, max: 9 }))
  .map(([parts, characters]): ModelTurn => ({ ...respond(...parts), chunking: { characters } }));

describe("a Responses stream", () => {
  it("a stream gives the response of the whole body when split at any byte", () => {
    fc.assert(
      fc.property(turns, fc.infiniteStream(fc.integer({ min: 1, max: 200 })), (turn, sizes) => {
        const { body, events } = encode(turn);
        const bytes = Buffer.from([...events()].map(sseFrame).join(""));
        const [framer, decoder] = [new EventFramer(), openaiResponses.createStreamDecoder()];
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value as number;
          for (const { data } of framer.push(bytes.subarray(at, at + size))) if (data !== undefined) decoder.push(data);
          at += size;
        }
        expect(decoder.end()).toEqual(openaiResponses.decodeResponse(body()));
      }),
    );
  });

  it("a stream gives a prefix of the whole response when cut after any event", () => {
    fc.assert(
      fc.property(turns, fc.nat(100), (turn, cut) => {
        const { body, events } = encode(turn);
        const whole = openaiResponses.decodeResponse(body());
        const decoder = openaiResponses.createStreamDecoder();
        for (const { data } of [...events()].slice(0, cut)) decoder.push(JSON.stringify(data));
        const part = decoder.end();
        expect(whole?.text.startsWith(part.text)).toBe(true);
        for (const [at, partial] of part.calls.entries()) {
          const { id, name, arguments: args } = whole?.calls[at] ?? {};
          expect([partial.id, partial.name]).toEqual([id, name]);
          expect(String(args).startsWith(String(partial.arguments))).toBe(true);
        }
      }),
    );
  });
});
