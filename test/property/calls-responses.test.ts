import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStreamRepairer, type RepairOptions } from "../../src/core/repair/index.ts";
import { WIRE } from "../../src/core/wire/index.ts";
import { encodeStream, framesOf } from "../support/encode-turn.ts";
import { call, type ModelTurn, respond } from "../support/upstream/turn.ts";

const PROPERTIES = {
  path: { type: "string" },
  lines: { type: "integer" },
  flag: { type: "boolean" },
  mode: { enum: ["fast", "Deep"] },
  tags: { type: "array", items: { type: "string" } },
  opts: { type: "object" },
};
const OPTIONS: RepairOptions = {
  tools: [{ name: "edit", parameters: { type: "object", properties: PROPERTIES } }],
  ...{ names: "known", context: () => [], parallel: true, randomAlphanumeric: (length) => "x".repeat(length) },
  calls: { isEnabled: () => true, isAllowed: () => true, isRenamedLater: () => false },
};
const text = fc.string({ unit: "grapheme", maxLength: 30 });
const fitting = fc.record(
  {
    path: text,
    lines: fc.integer(),
    flag: fc.boolean(),
    mode: fc.constantFrom("fast", "Deep"),
    tags: fc.array(text, { maxLength: 3 }),
    opts: fc.dictionary(text, fc.jsonValue(), { noNullPrototype: true, maxKeys: 3 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
/** The same value as a model or a parser may spell it wrongly. */
const wrong = fitting.map(({ lines, flag, tags, opts, ...rest }) => ({
  ...rest,
  ...(lines !== undefined && { lines: String(lines) }),
  ...(flag !== undefined && { flag: String(flag) }),
  ...(tags !== undefined && tags.length > 0 && { tags: JSON.stringify(tags) }),
  ...(opts !== undefined && { opts: JSON.stringify(opts) }),
}));
const APIS = ["anthropic", "chat", "responses"] as const;

function repair(api: (typeof APIS)[number], stream: string) {
  const repairer = createStreamRepairer(api, OPTIONS);
  const out = framesOf(stream).flatMap((frame) => repairer.push(frame));
  const result = Buffer.concat([...out, ...repairer.end()]).toString();
  return { text: result, reports: repairer.callReports };
}

const turnOf = (args: string, characters: number): ModelTurn => ({
  ...respond("Let me look.", call("edit", args)),
  chunking: { characters },
});

describe.each(APIS)("native calls in streams of %s", (api) => {
  it("calls that fit leave byte for byte, however they are spelled and cut", () => {
    fc.assert(
      fc.property(fitting, fc.constantFrom(0, 1, "\t"), fc.integer({ min: 1, max: 20 }), (args, space, characters) => {
        const stream = encodeStream(api, turnOf(JSON.stringify(args, undefined, space), characters));
        expect(repair(api, stream)).toEqual({ text: stream, reports: [] });
      }),
    );
  });

  it("calls that are repaired fit, and are not changed again", () => {
    fc.assert(
      fc.property(wrong, fc.integer({ min: 1, max: 20 }), (args, characters) => {
        const once = repair(api, encodeStream(api, turnOf(JSON.stringify(args), characters)));
        expect(repair(api, once.text)).toEqual({ text: once.text, reports: [] });
        expect(once.reports.every(({ result }) => result === "repaired")).toBe(true);
        const decoder = WIRE[api].createStreamDecoder();
        for (const { data } of framesOf(once.text)) if (data !== undefined) decoder.push(data);
        expect(decoder.end().calls).toHaveLength(1);
      }),
    );
  });
});
