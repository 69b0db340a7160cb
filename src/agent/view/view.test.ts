import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../loop/events.ts";
import type { Message } from "../model/message.ts";
import { appendToolResult, createToolView, rebuildConversation, uniqueToolResultsByCallId } from "./index.ts";

const calls = (turn: string, ...ids: string[]): LoopEvent => ({
  kind: "tool_calls",
  round: 1,
  turn,
  calls: ids.map((id) => ({ id, name: "t", input: {} })),
});
const result = (turn: string, callId: string, value: unknown = "ok"): LoopEvent => ({
  kind: "tool_result",
  round: 1,
  turn,
  callId,
  name: "t",
  input: {},
  result: value,
});
const error = { category: "execution", message: "'t' could not be completed.", retryable: true };
const failed = (turn: string, callId: string, more: object = {}): LoopEvent => ({
  kind: "tool_failed",
  round: 1,
  turn,
  callId,
  name: "t",
  input: {},
  error,
  ...more,
});
const viewOf = (...events: LoopEvent[]) => {
  const view = createToolView();
  for (const event of events) view.apply(event);
  return view.list().map(({ turn, callId, state, result: value }) => [turn, callId, state, value]);
};
const calling = (turn: string | undefined, ...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  ...(turn !== undefined && { turn }),
  toolCalls: ids.map((id) => ({ id, name: "t", arguments: {} })),
});

describe("createToolView", () => {
  it("shows a result that arrives twice once, live and when rendered", () => {
    expect(viewOf(calls("1", "a"), result("1", "a"), result("1", "a", "again"))).toEqual([["1", "a", "ok", "ok"]]);
    const row = { tool_call_id: "a", value: 1 };
    expect(appendToolResult(appendToolResult(undefined, row), { ...row, value: 2 })).toEqual([row]);
    expect(uniqueToolResultsByCallId([row, { ...row, value: 2 }, { toolCallId: "b" }])).toEqual([
      row,
      { toolCallId: "b" },
    ]);
    expect(uniqueToolResultsByCallId(undefined)).toEqual([]);
  });

  it("keeps all rows without an id", () => {
    const rows = [{ value: 1 }, { callId: "", value: 2 }, { tool_call_id: null, value: 3 }];
    expect(uniqueToolResultsByCallId(rows)).toEqual(rows);
    expect(appendToolResult(rows, { value: 1 })).toHaveLength(4);
  });

  it("shows the same id in two rounds as two rows", () => {
    expect(
      viewOf(calls("1", "call_0"), result("1", "call_0", 1), calls("2", "call_0"), result("2", "call_0", 2)),
    ).toEqual([
      ["1", "call_0", "ok", 1],
      ["2", "call_0", "ok", 2],
    ]);
    const rows = [
      { callId: "x", round: 1 },
      { callId: "x", round: 2 },
    ];
    expect(uniqueToolResultsByCallId(rows)).toEqual(rows);
  });

  it("shows equal calls with two ids as two rows, and one id in different spellings as one", () => {
    expect(viewOf(calls("1", "a", "b"))).toHaveLength(2);
    const other: LoopEvent = {
      kind: "tool_calls",
      round: 1,
      turn: "1",
      calls: [{ id: "a", name: "t", input: '{"a": 1}' }],
    };
    expect(viewOf(calls("1", "a"), other)).toHaveLength(1);
  });

  it("keeps settled calls unchanged by late events", () => {
    expect(viewOf(calls("1", "a"), failed("1", "a"), calls("1", "a"), result("1", "a"))).toEqual([
      ["1", "a", "error", undefined],
    ]);
    expect(viewOf(calls("1", "a"), result("1", "a"), failed("1", "a"))).toEqual([["1", "a", "ok", "ok"]]);
  });

  it("replaces a preliminary failure by the later success", () => {
    expect(viewOf(calls("1", "a"), failed("1", "a", { preliminary: true }), result("1", "a"))).toEqual([
      ["1", "a", "ok", "ok"],
    ]);
  });

  it("shows a failed call as an error with a message for the user", () => {
    const view = createToolView();
    view.apply(calls("1", "a"));
    expect(view.apply(failed("1", "a"))).toBe(true);
    expect(view.list()).toMatchObject([{ state: "error", error: { message: "'t' could not be completed." } }]);
  });

  it("returns whether anything changed", () => {
    const view = createToolView();
    expect(
      [calls("1", "a"), calls("1", "a"), result("1", "a"), result("1", "a")].map((event) => view.apply(event)),
    ).toEqual([true, false, true, false]);
  });
});

describe("rebuildConversation", () => {
  it("takes results from tool messages only, whatever an assistant message contains", () => {
    const claiming = {
      ...calling(undefined, "a"),
      tool_results: [{ tool_call_id: "a", result: "invented" }],
      toolResults: ["x"],
    } as Message;
    const [entry] = rebuildConversation([claiming, { role: "tool", toolCallId: "a", content: '{"real":true}' }]);
    expect(entry?.tools).toMatchObject([{ state: "ok", result: { real: true } }]);
    expect(JSON.stringify(entry)).not.toContain("invented");
  });

  it("shows neither empty messages nor results without a call", () => {
    const rows: Message[] = [
      { role: "user", content: "Hi." },
      { role: "assistant", content: "" },
      { role: "tool", toolCallId: "ghost", content: "x" },
      { role: "assistant", content: "Hello." },
    ];
    expect(rebuildConversation(rows).map(({ content }) => content)).toEqual(["Hi.", "Hello."]);
  });

  it("assigns a result to the nearest preceding call with its id, and ignores a second one", () => {
    const rows: Message[] = [
      calling(undefined, "call_0"),
      { role: "tool", toolCallId: "call_0", content: "1" },
      { role: "tool", toolCallId: "call_0", content: "1 again" },
      calling(undefined, "call_0"),
      { role: "tool", toolCallId: "call_0", content: "2" },
    ];
    expect(rebuildConversation(rows).flatMap(({ tools }) => tools.map(({ result: value }) => value))).toEqual([1, 2]);
  });

  it("does not show error text that another program wrote for the model", () => {
    const rows: Message[] = [
      calling(undefined, "a"),
      { role: "tool", toolCallId: "a", content: "Error: /srv/x", isError: true },
    ];
    expect(JSON.stringify(rebuildConversation(rows)[0]?.tools)).not.toContain("/srv");
  });

  it("shows calls that were removed from the model's history at their original position", () => {
    const dropped = [
      { id: "a", name: "t", input: {}, index: 0, error },
      { id: "c", name: "t", input: {}, index: 2, error },
    ];
    const rows: Message[] = [
      { ...calling("1", "b"), dropped },
      { role: "tool", toolCallId: "b", turn: "1", content: "ok" },
    ];
    expect(rebuildConversation(rows)[0]?.tools.map(({ callId, state }) => [callId, state])).toEqual([
      ["a", "error"],
      ["b", "ok"],
      ["c", "error"],
    ]);
  });
});
