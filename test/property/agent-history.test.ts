import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, repairHistory } from "../../src/agent/index.ts";
import { refusals } from "../support/agent-wire.ts";

const id = fc.constantFrom("a", "b", "c", "call_0", "");
const name = fc.constantFrom("t", "weird name", "x<|y|>", "");
const text = fc.constantFrom("", "Hm.", "Well, then.");
const call = fc.record({ id, name, arguments: fc.constant({}) });
const thinking = { type: "thinking", thinking: "…", signature: "s" };
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: fc.constantFrom("Hi.", "And?") }),
  fc.record({ role: fc.constant("assistant" as const), content: text }),
  fc.record({ role: fc.constant("assistant" as const), content: text, toolCalls: fc.array(call, { maxLength: 4 }) }),
  fc.record({ role: fc.constant("tool" as const), toolCallId: id, content: text }),
);
const history = fc
  .array(message, { maxLength: 14 })
  .map((messages): Message[] => [
    { role: "user", content: "Begin." },
    ...messages,
    { role: "user", content: "Go on." },
  ]);

/** Signed thinking before calls, which must be neither separated from them nor changed. */
const sealed = history.map((messages) =>
  messages.map((one): Message => {
    if (one.toolCalls === undefined || one.toolCalls.length === 0) return one;
    return { ...one, provider: { sealed: true, blocks: [{ data: thinking }] } };
  }),
);

describe("a repaired history", () => {
  it("a repaired history passes the rules of all three APIs, for any input (F01)", () => {
    fc.assert(
      fc.property(history, fc.constantFrom("error-result" as const, "drop" as const), (messages, orphanCall) => {
        expect(refusals(repairHistory(messages, { orphanCall }).messages)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("a repaired history passes the rules of an API with signed thinking (V18)", () => {
    fc.assert(
      fc.property(sealed, fc.constantFrom("error-result" as const, "drop" as const), (messages, orphanCall) => {
        const refused = refusals(repairHistory(messages, { orphanCall }).messages);
        expect(refused.filter(({ api }) => api === "anthropic-messages")).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("a repaired history does not change when repaired again, and keeps every text and every result of a call", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const repaired = repairHistory(messages).messages;
        expect(repairHistory(repaired)).toEqual({ messages: repaired, changes: [] });
        const texts = (list: readonly Message[]): string[] =>
          list
            .filter(({ role }) => role !== "tool")
            .map(({ content }) => content)
            .filter((content) => content !== "");
        expect(texts(repaired)).toEqual(texts(messages));
      }),
      { numRuns: 1000 },
    );
  });

  it("the rules reject each kind of broken history", () => {
    const user: Message = { role: "user", content: "Hi." };
    const calling: Message = { role: "assistant", content: "", toolCalls: [{ id: "a", name: "t", arguments: {} }] };
    const result: Message = { role: "tool", toolCallId: "a", content: "ok" };
    for (const broken of [
      [user, calling, user],
      [user, result, user],
      [user, calling, result, result, user],
      [user, calling, user, result, user],
    ])
      expect(refusals(broken).length, JSON.stringify(broken)).toBeGreaterThan(0);
    expect(refusals([user, calling, result, user])).toEqual([]);
  });
});
