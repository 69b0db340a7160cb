import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WIRE } from "../../src/core/wire/index.ts";

/** Few ids, so that calls repeat them and results come late, twice or without a call. */
const id = fc.constantFrom("call_0", "call_1", "call_0_dup1", "");

const call = fc.record({ type: fc.constant("tool_use"), id, name: fc.constant("Edit"), input: fc.constant({}) });
const result = fc.record({ type: fc.constant("tool_result"), tool_use_id: id, content: fc.constantFrom("a", "b") });
const message = fc.oneof(
  { weight: 4, arbitrary: fc.record({ role: fc.constant("assistant"), content: fc.array(call, { maxLength: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ role: fc.constant("user"), content: fc.array(result, { maxLength: 3 }) }) },
  fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.constantFrom("go on", "<a-tag>x</a-tag>") }),
  { weight: 1, arbitrary: fc.constantFrom(null, "text") },
);

/** Where the next request differs from the last one, and what it has from there on. */
const step = fc.tuple(fc.nat(8), fc.array(message, { maxLength: 5 }));

describe("requests of one conversation that share messages", () => {
  it("requests with known messages are decoded as if nothing had been known of them", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.array(step, { maxLength: 6 }),
        (first, steps) => {
          let messages: readonly unknown[] = first;
          for (const [dropped, added] of [[0, []] as const, ...steps]) {
            messages = [...messages.slice(0, Math.max(1, messages.length - dropped)), ...added];
            const known = WIRE.anthropic.decodeRequest({ messages: Object.freeze([...messages]) });
            const whole = WIRE.anthropic.decodeRequest({ messages: structuredClone(messages) });
            expect(known).toEqual(whole);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("requests with known messages leave the calls of earlier requests as they were", () => {
    const asked = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Edit", input: {} }] };
    const answered = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "done" }] };
    const unanswered = { role: "user", content: "go on" };
    const decode = (...messages: object[]) =>
      WIRE.anthropic.decodeRequest({ messages: Object.freeze(messages) })?.calls ?? [];
    const first = decode(asked);
    const second = decode(asked, unanswered);
    const third = decode(asked, answered);
    expect([first, second, third].map(([one]) => [one?.result?.content, one?.unanswered])).toEqual([
      [undefined, undefined],
      [undefined, true],
      ["done", undefined],
    ]);
  });
});
