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

describe("repairHistory", () => {
  it("leaves a valid history unchanged", () => {
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

  it("drops a result without a call, before its call, or after another result of the same call", () => {
    expect(kinds([user, result("x")])).toEqual(["dropped-result"]);
    expect(kinds([user, result("a"), calling("a"), result("a")])).toEqual(["dropped-result"]);
    const twice = repairHistory([user, calling("a"), result("a", "first"), result("a", "second")]);
    expect(twice.messages.at(-1)?.content).toBe("first");
    expect(twice.messages).toHaveLength(3);
  });

  it("adds an error result for an unanswered call, drops it, or keeps it if pending", () => {
    const messages = [user, calling("a", "b"), result("b")];
    expect(repairHistory(messages).messages.slice(2)).toMatchObject([
      { role: "tool", toolCallId: "a", isError: true, content: expect.stringContaining("no result") },
      { role: "tool", toolCallId: "b" },
    ]);
    expect(repairHistory(messages, { orphanCall: "drop" }).messages[1]?.toolCalls).toMatchObject([{ id: "b" }]);
    const waiting = repairHistory(messages, { isPending: ({ id }) => id === "a" });
    expect(waiting.messages).toHaveLength(3);
  });

  it("accepts several results after one message with several calls", () => {
    expect(kinds([user, calling("a", "b"), result("a"), result("b")])).toEqual([]);
  });

  it("gives a reused id a suffix in later rounds and keeps the first", () => {
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

  it("does not use a suffix that is already an id", () => {
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

  it("moves a late result directly behind its call", () => {
    const { messages, changes } = repairHistory([user, calling("a"), { role: "user", content: "Well?" }, result("a")]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(changes).toEqual([{ kind: "moved-result", index: 3, callId: "a" }]);
  });

  it("drops a message with neither text nor calls", () => {
    expect(repairHistory([user, { role: "assistant", content: "  " }, user]).messages).toEqual([user, user]);
    expect(repairHistory([user, calling("a")], { orphanCall: "drop" }).messages).toEqual([user]);
  });

  it("fills an empty result with a text", () => {
    expect(repairHistory([user, calling("a"), result("a", "")]).messages.at(-1)?.content).toBe("(no output)");
  });

  it("drops reasoning that belongs only to a dropped call", () => {
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

  it("drops the provider data of a sealed turn if some of its calls are dropped", () => {
    const provider = { sealed: true, blocks: [{ data: 1 }] };
    const messages = [user, { ...calling("a", "b"), provider }, result("b")];
    expect(repairHistory(messages, { orphanCall: "drop" }).messages[1]?.provider).toBeUndefined();
    expect(repairHistory(messages).messages[1]?.provider).toBe(provider);
  });

  it("rewrites a name that APIs would reject, unless it is declared", () => {
    const named: Message = {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "a", name: "web<|channel|>x y", arguments: {} }],
    };
    expect(repairHistory([named, result("a")]).messages[0]?.toolCalls?.[0]?.name).toBe("web__channel__x_y");
    expect(repairHistory([named, result("a")], { isDeclared: () => true }).changes).toEqual([]);
  });
});
