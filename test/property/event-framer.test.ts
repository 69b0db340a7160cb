import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventFramer, type Frame } from "../../src/core/wire/event-framer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const concat = (parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

/** Splits bytes at arbitrary positions: inside characters, line ends and field names. */
function split(input: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => input.subarray(from, at[index] ?? input.length));
}

function frames(chunks: readonly Uint8Array[]): { frames: Frame[]; rest: Uint8Array } {
  const framer = new EventFramer();
  const found = chunks.flatMap((chunk) => framer.push(chunk));
  return { frames: found, rest: framer.end() };
}

const describeFrames = ({ frames: found, rest }: { frames: Frame[]; rest: Uint8Array }): unknown => ({
  frames: found.map(({ raw, event, data }) => ({ raw: Buffer.from(raw).toString("hex"), event, data })),
  rest: Buffer.from(rest).toString("hex"),
});

const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", " x", ":", "{}", "[DONE]", "é👀", "\ufeffx"),
);
const oneLine = value.map((text) => text.replace(/[\r\n]/g, ""));
const line = fc.oneof(
  oneLine.map((text) => `data: ${text}`),
  oneLine.map((text) => `data:${text}`),
  oneLine.map((text) => `event: ${text}`),
  oneLine.map((text) => `: ${text}`),
  fc.constantFrom("data", "event", "retry: 3000", "id: 7", "database: x", "DATA: x", " data: x", "\ufeffdata: x", ":"),
);
const stream = (lineEnd: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("", "\ufeff"),
      fc.array(fc.tuple(fc.array(fc.tuple(line, lineEnd), { maxLength: 4 }), lineEnd), { maxLength: 6 }),
      fc.constantFrom("", "data: unfinished", "data: unfinished\n", ": half"),
    )
    .map(
      ([mark, events, tail]) =>
        mark + events.map(([rows, end]) => rows.map((row) => row.join("")).join("") + end).join("") + tail,
    );
const anyEnd = fc.constantFrom("\n", "\r\n", "\r");
const cuts = fc.array(fc.nat(2000), { maxLength: 20 });

describe("the event framer", () => {
  it("emits the same frames for any split, and preserves all bytes", () => {
    fc.assert(
      fc.property(stream(anyEnd), cuts, (text, at) => {
        const input = bytes(text);
        const whole = frames([input]);
        expect(concat([...whole.frames.map(({ raw }) => raw), whole.rest])).toEqual(Buffer.from(input));
        expect(describeFrames(frames(split(input, at)))).toEqual(describeFrames(whole));
        expect(describeFrames(frames([...input].map((byte) => Uint8Array.of(byte))))).toEqual(describeFrames(whole));
      }),
      { numRuns: 500 },
    );
  });

  it("preserves arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (input, at) => {
        const { frames: found, rest } = frames(split(input, at));
        expect(concat([...found.map(({ raw }) => raw), rest])).toEqual(Buffer.from(input));
        expect(describeFrames(frames(split(input, at)))).toEqual(describeFrames(frames([input])));
      }),
    );
  });

  it("parses events and data like the reference parser", () => {
    fc.assert(
      fc.property(stream(anyEnd), (text) => {
        const expected: { event: string | undefined; data: string }[] = [];
        const parser = createParser({
          onEvent: ({ event, data }) => expected.push({ event: event || undefined, data }),
        });
        parser.feed(text.endsWith("\r") ? `${text}:\n` : text);
        const read = frames([bytes(text), bytes(text.endsWith("\r") ? ":\n" : "")]).frames;
        expect(
          read.flatMap(({ event, data }) => (data === undefined ? [] : [{ event: event || undefined, data }])),
        ).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
