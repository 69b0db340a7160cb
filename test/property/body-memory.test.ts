import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WIRE } from "../../src/core/wire/index.ts";
import { BodyMemory } from "../../src/proxy/body/body-memory.ts";

/** Padding above the size from which bodies are remembered. */
const PADDING = "x".repeat(9000);

const text = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom('say "hi" \\', "}],[{", "日本語", "\u001b[31mrød", ""),
);

const message = fc.oneof(
  fc.record({ role: fc.constant("user"), content: text }),
  fc.record({ role: fc.constant("assistant"), content: text }),
  fc.record({
    role: fc.constant("assistant"),
    content: fc.tuple(
      fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: fc.dictionary(text, fc.jsonValue()) }),
    ),
  }),
  fc.record({
    role: fc.constant("user"),
    content: fc.tuple(
      fc.record(
        {
          type: fc.constant("tool_result"),
          tool_use_id: text,
          content: text,
          is_error: fc.boolean(),
          cache_control: fc.constant({ type: "ephemeral" }),
        },
        { requiredKeys: ["type", "tool_use_id", "content"] },
      ),
    ),
  }),
  fc.jsonValue(),
);

interface Conversation {
  readonly messages: unknown[];
  readonly tools: unknown[];
  readonly rest: Record<string, unknown>;
}

type Edit = (before: Conversation) => Conversation;

/** What clients do between two requests, and what they could do. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(message, { maxLength: 4 }).map(
      (added): Edit =>
        (before) => ({ ...before, messages: [...before.messages, ...added] }),
    ),
  },
  fc.tuple(fc.nat(), message).map(
    ([at, one]): Edit =>
      (before) => ({
        ...before,
        messages: before.messages.with(at % before.messages.length, one),
      }),
  ),
  fc.tuple(fc.nat(), fc.nat(4)).map(
    ([at, count]): Edit =>
      (before) => {
        const messages = [...before.messages];
        messages.splice(at % messages.length, count);
        return { ...before, messages: messages.length === 0 ? before.messages : messages };
      },
  ),
  // A compaction, or a fork.
  fc.tuple(fc.nat(), message).map(
    ([at, summary]): Edit =>
      (before) => ({
        ...before,
        messages: [summary, ...before.messages.slice(at % before.messages.length)],
      }),
  ),
  fc.nat().map(
    (at): Edit =>
      (before) => {
        const index = at % before.messages.length;
        const marked = before.messages[index];
        const changed =
          typeof marked === "object" && marked !== null && !Array.isArray(marked)
            ? { ...marked, cache_control: { type: "ephemeral" } }
            : marked;
        return { ...before, messages: before.messages.with(index, changed) };
      },
  ),
  fc.array(message, { maxLength: 3 }).map(
    (tools): Edit =>
      (before) => ({ ...before, tools }),
  ),
  fc.tuple(text, fc.jsonValue()).map(
    ([name, value]): Edit =>
      (before) => ({ ...before, rest: { ...before.rest, [name]: value } }),
  ),
  fc.constant<Edit>((before) => before),
);

const KEYS = ["model", "messages", "tools", "rest", "padding"] as const;
const style = fc.record({
  order: fc.shuffledSubarray([...KEYS], { minLength: KEYS.length }),
  indent: fc.constantFrom(undefined, undefined, undefined, 1),
  escapes: fc.constantFrom(false, false, true),
});

type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

function bytesOf(conversation: Conversation, { order, indent, escapes }: Style): Buffer {
  const fields = { model: "m", padding: PADDING, messages: conversation.messages, tools: conversation.tools };
  const parts = order.flatMap((key) =>
    key === "rest" ? Object.entries(conversation.rest) : [[key, fields[key]] as [string, unknown]],
  );
  const json = JSON.stringify(Object.fromEntries(parts), undefined, indent);
  const escaped = json.replace(/[^ -~\n]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Buffer.from(escapes ? escaped : json);
}

function chunksOf(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

describe("a remembered body", () => {
  it("a remembered body equals one read whole, whatever changed since the last request", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 8 }),
        fc.array(message, { maxLength: 3 }),
        fc.array(fc.tuple(edit, fc.option(style)), { maxLength: 8 }),
        style,
        fc.integer({ min: 100, max: 20_000 }),
        (messages, tools, edits, first, chunkSize) => {
          const memory = new BodyMemory({ maxBytes: 1 << 24, now: () => 0 });
          let conversation: Conversation = { messages, tools, rest: {} };
          let written = first;
          for (const [change, restyled] of [[(same: Conversation) => same, first] as const, ...edits]) {
            conversation = change(conversation);
            written = restyled ?? written;
            const bytes = bytesOf(conversation, written);
            const read = memory.read(() => "key", chunksOf(bytes, chunkSize));
            const whole: unknown = JSON.parse(bytes.toString("utf8"));
            expect(read).toBeDefined();
            const body = read?.restore(read.body);
            expect(body).toEqual(whole);
            expect(Object.keys(body as object)).toEqual(Object.keys(whole as object));
            expect(WIRE.anthropic.decodeRequest(body)).toEqual(WIRE.anthropic.decodeRequest(whole));
          }
        },
      ),
    );
  });

  it("a remembered body that is no longer JSON is not read as JSON, however little of it changed", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom("", ",", "]", "}", '"', "{", "[", ":", "1", "x", "\u00e9")), {
          minLength: 1,
          maxLength: 6,
        }),
        style,
        (messages, damages, written) => {
          const memory = new BodyMemory({ maxBytes: 1 << 24, now: () => 0 });
          const sound = bytesOf({ messages, tools: [{ name: "read" }], rest: {} }, written).toString("utf8");
          memory.read(() => "key", [Buffer.from(sound)]);
          for (const [at, inserted] of damages) {
            const place = at % sound.length;
            const bytes = Buffer.from(
              sound.slice(0, place) + inserted + sound.slice(inserted === "" ? place + 1 : place),
            );
            const read = memory.read(() => "key", [bytes]);
            let whole: { value: unknown } | undefined;
            try {
              whole = { value: JSON.parse(bytes.toString("utf8")) };
            } catch {
              whole = undefined;
            }
            if (read !== undefined) expect({ value: read.restore(read.body) }).toEqual(whole);
            else expect(whole).toBeUndefined();
          }
        },
      ),
    );
  });
});
