import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createDeferredRepairer,
  createStreamRepairer,
  type RepairOptions,
  repairJsonResponse,
} from "../../src/core/repair/index.ts";
import { CALL_ID_APIS as APIS } from "../../src/core/wire/call-ids.ts";
import { EventFramer } from "../../src/core/wire/event-framer.ts";
import { WIRE } from "../../src/core/wire/index.ts";
import { encodeBody, encodeStream, framesOf } from "../support/encode-turn.ts";
import { type Block, call, respond, say, think } from "../support/upstream/turn.ts";

const LEAKS = [
  '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>',
  "<function=read><parameter=path>b</parameter></function>",
  '```json\n{"name": "read", "arguments": {"path": "c"}}\n```',
  '[TOOL_CALLS][{"name": "read", "arguments": {"path": "d"}}]',
  '{"name": "read", "arguments": {"path": "e"}}',
  '<invoke name="read"><parameter name="path">f</parameter></invoke>',
];
const anyText = fc.oneof(
  fc.constantFrom(
    "Let me look. ",
    "\n\n",
    " ",
    "1 < 2",
    "`<tool_call>`",
    "```\ncode\n```\n",
    "👀",
    '{"a": 1}',
    "<tool_",
    "> quoted\n",
  ),
  fc.constantFrom(...LEAKS),
);
const text = fc.array(anyText, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 6, arbitrary: text.map(say) },
  { weight: 1, arbitrary: fc.constant(think("Hm.")) },
  { weight: 1, arbitrary: fc.constant(call("read", { path: "z" })) },
);
const turn = fc.record({
  blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
  characters: fc.integer({ min: 1, max: 12 }),
  stopReason: fc.constantFrom("end" as const, "end" as const, "end" as const, "length" as const),
});

function options(): RepairOptions {
  let ids = 0;
  const letters = (length: number): string => {
    ids += 1;
    return String(ids).padStart(length, "x");
  };
  return { tools: [{ name: "read" }], names: "known", context: () => [], parallel: true, randomAlphanumeric: letters };
}

function repairStream(api: (typeof APIS)[number], bytes: Buffer, cuts: readonly number[]) {
  const framer = new EventFramer();
  const repairer = createStreamRepairer(api, options());
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const out = [0, ...at]
    .map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
    .flatMap((part) => framer.push(part))
    .flatMap((frame) => repairer.push(frame));
  return { text: Buffer.concat([...out, ...repairer.end(), framer.end()]).toString(), mender: repairer };
}

describe.each(APIS)("a repaired stream of %s", (api) => {
  it("a repaired stream does not depend on when the request body is parsed", () => {
    fc.assert(
      fc.property(turn, fc.nat(12), ({ characters, ...turnFields }, readAt) => {
        const bytes = Buffer.from(encodeStream(api, { ...respond(...turnFields.blocks), chunking: { characters } }));
        let pushed = 0;
        const late = createDeferredRepairer(api, {
          isReady: () => pushed > readAt,
          make: () => createStreamRepairer(api, options()),
        });
        const out = new EventFramer().push(bytes).flatMap((frame) => {
          pushed += 1;
          return late.push(frame);
        });
        const whole = repairStream(api, bytes, []);
        expect(Buffer.concat([...out, ...late.end()]).toString()).toBe(whole.text);
        expect(late.calls).toEqual(whole.mender.calls);
        expect(late.leaks).toEqual(whole.mender.leaks);
      }),
      { numRuns: 150 },
    );
  });

  it("a repaired stream does not depend on chunking, and equals the original when nothing was repaired", () => {
    fc.assert(
      fc.property(turn, fc.array(fc.nat(100_000), { maxLength: 20 }), ({ characters, ...turnFields }, cuts) => {
        const stream = encodeStream(api, {
          ...respond(...turnFields.blocks),
          chunking: { characters },
          stopReason:
            turnFields.blocks.some(({ kind }) => kind === "call") && turnFields.stopReason === "end"
              ? "calls"
              : turnFields.stopReason,
        });
        const bytes = Buffer.from(stream);
        const whole = repairStream(api, bytes, []);
        expect(repairStream(api, bytes, cuts).text).toBe(whole.text);
        if (whole.mender.calls.length === 0) expect(whole.text).toBe(stream);
        expect(whole.mender.isBuffering).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it("a repaired stream equals the repaired JSON response and is well-formed", () => {
    fc.assert(
      fc.property(turn, ({ characters, blocks, stopReason }) => {
        const turnFields = {
          ...respond(...blocks.filter(({ kind }) => kind !== "call"), "."),
          chunking: { characters },
          stopReason,
        };
        const streamed = repairStream(api, Buffer.from(encodeStream(api, turnFields)), []);
        const source = encodeBody(api, turnFields);
        const whole = repairJsonResponse(api, source, options());
        const decoder = WIRE[api].createStreamDecoder();
        for (const { data } of framesOf(streamed.text)) if (data !== undefined) decoder.push(data);
        const expected = WIRE[api].decodeResponse(JSON.parse(whole.kind === "repaired" ? whole.text : source));
        const got = decoder.end();
        const plain = (calls: readonly { name: string; arguments: unknown }[] = []) =>
          calls.map(({ name, arguments: args }) => [name, typeof args === "string" ? JSON.parse(args) : args]);
        expect(plain(got.calls)).toEqual(plain(expected?.calls));
        expect(got).toMatchObject({ text: expected?.text, stopReason: expected?.stopReason, finished: true });
      }),
      { numRuns: 150 },
    );
  });
});
