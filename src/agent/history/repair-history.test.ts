import { describe, expect, it } from "vitest";
import type { Message } from "../model/message.ts";
import { repairHistory } from "./repair-history.ts";

const user: Message = { role: "user", content: "Hi." };
const calling = (...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id) => ({ id, name: "t", arguments: {} })),
});
const result = (toolCallId: string, content = "ok"): Message => ({ role: "tool", toolCallId, content });
const kinds = (messages: readonly Message[]) => repairHistory(messages).changes.map(({ kind }) => kind);

describe("a history that stays valid", () => {
  it("what is right is not touched", () => {
    const messages = [
      user,
      calling("a", "b"),
      result("a"),
      result("b"),
      { role: "assistant", content: "Ok." } as const,
    ];
    const repaired = repairHistory(messages);
    expect(repaired.changes).toEqual([]);
    for (const [index, message] of messages.entries()) expect(repaired.messages[index]).toBe(message);
  });

  it("F03 a result without a call, before its call, or a second one is dropped", () => {
    expect(kinds([user, result("x")])).toEqual(["dropped-result"]);
    expect(kinds([user, result("a"), calling("a"), result("a")])).toEqual(["dropped-result"]);
    const twice = repairHistory([user, calling("a"), result("a", "first"), result("a", "second")]);
    expect(twice.messages.at(-1)?.content).toBe("first");
    expect(twice.messages).toHaveLength(3);
  });

  it("F04 a call without a result is answered with an error, or dropped, or left to whom it waits for", () => {
    const messages = [user, calling("a", "b"), result("b")];
    expect(repairHistory(messages).messages.slice(2)).toMatchObject([
      { role: "tool", toolCallId: "a", isError: true, content: expect.stringContaining("no result") },
      { role: "tool", toolCallId: "b" },
    ]);
    expect(repairHistory(messages, { orphanCall: "drop" }).messages[1]?.toolCalls).toMatchObject([{ id: "b" }]);
    const waiting = repairHistory(messages, { isPending: ({ id }) => id === "a" });
    expect(waiting.messages).toHaveLength(3);
  });

  it("F05 the second result of one message is no orphan", () => {
    expect(kinds([user, calling("a", "b"), result("a"), result("b")])).toEqual([]);
  });

  it("F06 an id used again in a later round keeps its result and gets a suffix, the first stays", () => {
    const { messages } = repairHistory([
      user,
      calling("call_0"),
      result("call_0", "1"),
      calling("call_0"),
      result("call_0", "2"),
    ]);
    expect(
      messages.slice(1).map(({ toolCalls, toolCallId, content }) => toolCalls?.[0]?.id ?? [toolCallId, content]),
    ).toEqual(["call_0", ["call_0", "1"], "call_0_dup1", ["call_0_dup1", "2"]]);
  });

  it("F06 a suffix that is taken is not given", () => {
    const { messages } = repairHistory([
      user,
      calling("a", "a_dup1"),
      result("a"),
      result("a_dup1"),
      calling("a"),
      result("a"),
    ]);
    expect(messages.at(-1)?.toolCallId).toBe("a_dup2");
  });

  it("a result that stands too late is moved to its call", () => {
    const { messages, changes } = repairHistory([user, calling("a"), { role: "user", content: "Well?" }, result("a")]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(changes).toEqual([{ kind: "moved-result", index: 3, callId: "a" }]);
  });

  it("V15 F02 a message with neither text nor calls goes", () => {
    expect(repairHistory([user, { role: "assistant", content: "  " }, user]).messages).toEqual([user, user]);
    expect(repairHistory([user, calling("a")], { orphanCall: "drop" }).messages).toEqual([user]);
  });

  it("F10 a result is never empty", () => {
    expect(repairHistory([user, calling("a"), result("a", "")]).messages.at(-1)?.content).toBe("(no output)");
  });

  it("F08 dropping a call drops the reasoning that stood in front of it alone", () => {
    const provider = {
      blocks: [
        { data: 1, callIds: ["a"] },
        { data: 2, callIds: ["b"] },
      ],
    };
    const [, message] = repairHistory([user, { ...calling("a", "b"), provider }, result("b")], {
      orphanCall: "drop",
    }).messages;
    expect(message?.provider).toEqual({ blocks: [{ data: 2, callIds: ["b"] }] });
  });

  it("V18 a sealed turn whose calls are dropped in part loses its seal", () => {
    const provider = { sealed: true, blocks: [{ data: 1 }] };
    const messages = [user, { ...calling("a", "b"), provider }, result("b")];
    expect(repairHistory(messages, { orphanCall: "drop" }).messages[1]?.provider).toBeUndefined();
    expect(repairHistory(messages).messages[1]?.provider).toBe(provider);
  });

  it("a name no API would take back is rewritten, unless it is declared", () => {
    const named: Message = {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "a", name: "web<|channel|>x y", arguments: {} }],
    };
    expect(repairHistory([named, result("a")]).messages[0]?.toolCalls?.[0]?.name).toBe("web__channel__x_y");
    expect(repairHistory([named, result("a")], { isDeclared: () => true }).changes).toEqual([]);
  });
});
