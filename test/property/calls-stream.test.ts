import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArgumentsStream } from "../../src/core/calls/arguments-stream.ts";
import { checkArguments, compileSchema } from "../../src/core/calls/index.ts";

/** A property, a value that fits it, and a value that has one right reading. */
interface Sample {
  readonly schema: object;
  readonly fits: unknown;
  readonly broken: unknown;
}

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const samples: fc.Arbitrary<Sample> = fc.oneof(
  text.map((value) => ({ schema: { type: "string" }, fits: value, broken: value })),
  fc.integer().map((value) => ({ schema: { type: "integer" }, fits: value, broken: String(value) })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, fits: value, broken: String(value) })),
  fc.array(fc.integer(), { minLength: 1, maxLength: 4 }).map((value) => ({
    schema: { type: "array", items: { type: "integer" } },
    fits: value,
    broken: JSON.stringify(value),
  })),
  fc.record({ a: text }).map((value) => ({
    schema: { type: "object", properties: { a: { type: "string" } } },
    fits: value,
    broken: JSON.stringify(value),
  })),
  fc
    .constantFrom("fast", "deep")
    .map((value) => ({ schema: { enum: ["fast", "deep"] }, fits: value, broken: value.toUpperCase() })),
  fc.integer().map((value) => ({
    schema: { anyOf: [{ type: "integer" }, { type: "null" }] },
    fits: value,
    broken: String(value),
  })),
  fc.jsonValue().map((value) => ({ schema: {}, fits: value, broken: value })),
);
const calls = fc.dictionary(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 8 }), samples, {
  maxKeys: 6,
  noNullPrototype: true,
});
/** Spaces as a model may write them. */
const spacing = fc.constantFrom(undefined, 0, 1, 2, "\t");

function schemaOf(call: Readonly<Record<string, Sample>>): object {
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(call).map(([name, { schema }]) => [name, schema])),
  };
}

function argumentsOf(call: Readonly<Record<string, Sample>>, kind: "fits" | "broken"): object {
  return Object.fromEntries(Object.entries(call).map(([name, sample]) => [name, sample[kind]]));
}

/** Sends the arguments in pieces of the given sizes, which repeat. */
function stream(schema: object, args: string, sizes: readonly number[]) {
  const reader = new ArgumentsStream(compileSchema(schema), "tool");
  const sent: string[] = [];
  for (let at = 0, turn = 0; at < args.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    sent.push(reader.push(args.slice(at, at + size)));
    at += size;
  }
  const { rest, checked } = reader.end();
  return { text: sent.join("") + rest, checked };
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe("arguments in pieces", () => {
  it("arguments that fit leave byte for byte, however they are spelled and cut", () => {
    fc.assert(
      fc.property(calls, spacing, sizes, (call, space, cuts) => {
        const args = JSON.stringify(argumentsOf(call, "fits"), undefined, space);
        const { text, checked } = stream(schemaOf(call), args, cuts);
        expect(text).toBe(args);
        expect(checked.kind).toBe("valid");
      }),
    );
  });

  it("broken arguments become the same in any pieces as in one, and stay so when repaired again", () => {
    fc.assert(
      fc.property(calls, spacing, sizes, (call, space, cuts) => {
        const args = JSON.stringify(argumentsOf(call, "broken"), undefined, space);
        const schema = schemaOf(call);
        const whole = checkArguments(args, compileSchema(schema), "tool");
        const { text, checked } = stream(schema, args, cuts);
        expect(checked.kind).toBe(whole.kind);
        if (whole.kind === "invalid") return;
        expect(text).toBe(whole.text);
        expect(checkArguments(text, compileSchema(schema), "tool")).toEqual({ kind: "valid", text });
      }),
    );
  });

  it("any text is sent unchanged or as the whole is repaired, and nothing throws", () => {
    const noise = fc.array(fc.constantFrom(..."{}[]\":,'\\ \n", "true", "None", "12", "path", "```", "</x>"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(noise, sizes, (parts, cuts) => {
        const args = parts.join("");
        const schema = { type: "object", properties: { path: { type: "string" }, n: { type: "integer" } } };
        const whole = checkArguments(args, compileSchema(schema), "tool");
        const { text } = stream(schema, args, cuts);
        expect([args, whole.text]).toContain(text);
      }),
      { numRuns: 500 },
    );
  });

  it("a text parameter is never held in a call that fits, and a long one not behind a repair", () => {
    const schema = {
      type: "object",
      properties: { lines: { type: "integer" }, edits: { type: "array", items: { type: "object" } } },
    };
    const reader = new ArgumentsStream(compileSchema(schema), "edit");
    const long = "x".repeat(40_000);
    const fitting = new ArgumentsStream(compileSchema(schema), "edit");
    expect(fitting.push('{"lines": 5, "edits": [{"new": "')).toBe('{"lines": 5, "edits": [{"new": "');
    expect(fitting.push("x")).toBe("x");
    // Behind a repair, a short rest waits: the call may still turn out to be broken.
    expect(reader.push('{"lines": "5", "edits": [{"new": "')).toBe("");
    expect(reader.push(long)).toBe(`{"lines": 5, "edits": [{"new": "${long}`);
    expect(reader.isHolding).toBe(false);
    expect(reader.push('"}]}')).toBe('"}]}');
    expect(reader.end()).toMatchObject({ rest: "", checked: { kind: "repaired" } });
  });

  it("a megabyte in pieces of four characters takes linear time", () => {
    const time = (size: number): number => {
      const schema = compileSchema({ type: "object", properties: { a: { type: "string" } } });
      const reader = new ArgumentsStream(schema, "write");
      const args = `{"a":"${"y".repeat(size)}"}`;
      // CPU time of this thread: the time on the clock depends on what else runs.
      const began = process.threadCpuUsage();
      for (let at = 0; at < args.length; at += 4) reader.push(args.slice(at, at + 4));
      reader.end();
      return process.threadCpuUsage(began).user / 1000;
    };
    time(10_000);
    // Quadratic work would take 64 times as long, not 8.
    expect(time(1_000_000)).toBeLessThan(Math.max(200, time(125_000) * 32));
  });
});
