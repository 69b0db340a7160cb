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

describe("calls on a page", () => {
  it("H01 the same result twice is one row, live and at render", () => {
    expect(viewOf(calls("1", "a"), result("1", "a"), result("1", "a", "again"))).toEqual([["1", "a", "ok", "ok"]]);
    const row = { tool_call_id: "a", value: 1 };
    expect(appendToolResult(appendToolResult(undefined, row), { ...row, value: 2 })).toEqual([row]);
    expect(uniqueToolResultsByCallId([row, { ...row, value: 2 }, { toolCallId: "b" }])).toEqual([
      row,
      { toolCallId: "b" },
    ]);
    expect(uniqueToolResultsByCallId(undefined)).toEqual([]);
  });

  it("H02 rows without an id are all kept", () => {
    const rows = [{ value: 1 }, { callId: "", value: 2 }, { tool_call_id: null, value: 3 }];
    expect(uniqueToolResultsByCallId(rows)).toEqual(rows);
    expect(appendToolResult(rows, { value: 1 })).toHaveLength(4);
  });

  it("H03 the same id in two rounds is two rows", () => {
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

  it("H04 equal names and arguments with two ids are two rows; one id is one row however it was written", () => {
    expect(viewOf(calls("1", "a", "b"))).toHaveLength(2);
    const other: LoopEvent = {
      kind: "tool_calls",
      round: 1,
      turn: "1",
      calls: [{ id: "a", name: "t", input: '{"a": 1}' }],
    };
    expect(viewOf(calls("1", "a"), other)).toHaveLength(1);
  });

  it("H05 what has settled stays: no stale running, no stray output on an error", () => {
    expect(viewOf(calls("1", "a"), failed("1", "a"), calls("1", "a"), result("1", "a"))).toEqual([
      ["1", "a", "error", undefined],
    ]);
    expect(viewOf(calls("1", "a"), result("1", "a"), failed("1", "a"))).toEqual([["1", "a", "ok", "ok"]]);
  });

  it("H06 a failure that was not the end gives way to the success", () => {
    expect(viewOf(calls("1", "a"), failed("1", "a", { preliminary: true }), result("1", "a"))).toEqual([
      ["1", "a", "ok", "ok"],
    ]);
  });

  it("V14 a failed call ends in an error, with a text for the user", () => {
    const view = createToolView();
    view.apply(calls("1", "a"));
    expect(view.apply(failed("1", "a"))).toBe(true);
    expect(view.list()).toMatchObject([{ state: "error", error: { message: "'t' could not be completed." } }]);
  });

  it("says whether anything changed", () => {
    const view = createToolView();
    expect(
      [calls("1", "a"), calls("1", "a"), result("1", "a"), result("1", "a")].map((event) => view.apply(event)),
    ).toEqual([true, false, true, false]);
  });
});

describe("a conversation from its rows", () => {
  it("takes results from the rows of tools alone, whatever an assistant row claims", () => {
    const claiming = {
      ...calling(undefined, "a"),
      tool_results: [{ tool_call_id: "a", result: "invented" }],
      toolResults: ["x"],
    } as Message;
    const [entry] = rebuildConversation([claiming, { role: "tool", toolCallId: "a", content: '{"real":true}' }]);
    expect(entry?.tools).toMatchObject([{ state: "ok", result: { real: true } }]);
    expect(JSON.stringify(entry)).not.toContain("invented");
  });

  it("V15 shows neither an empty message nor a result without a call", () => {
    const rows: Message[] = [
      { role: "user", content: "Hi." },
      { role: "assistant", content: "" },
      { role: "tool", toolCallId: "ghost", content: "x" },
      { role: "assistant", content: "Hello." },
    ];
    expect(rebuildConversation(rows).map(({ content }) => content)).toEqual(["Hi.", "Hello."]);
  });

  it("H03 a reused id belongs to the nearest call before it, and a result twice counts once", () => {
    const rows: Message[] = [
      calling(undefined, "call_0"),
      { role: "tool", toolCallId: "call_0", content: "1" },
      { role: "tool", toolCallId: "call_0", content: "1 again" },
      calling(undefined, "call_0"),
      { role: "tool", toolCallId: "call_0", content: "2" },
    ];
    expect(rebuildConversation(rows).flatMap(({ tools }) => tools.map(({ result: value }) => value))).toEqual([1, 2]);
  });

  it("a failed call of another program shows no text that was written for a model", () => {
    const rows: Message[] = [
      calling(undefined, "a"),
      { role: "tool", toolCallId: "a", content: "Error: /srv/x", isError: true },
    ];
    expect(JSON.stringify(rebuildConversation(rows)[0]?.tools)).not.toContain("/srv");
  });

  it("calls that were taken out of the model's history stand where they stood", () => {
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
