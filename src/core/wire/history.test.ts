import { describe, expect, it } from "vitest";
import { HistoryReader } from "./history.ts";

describe("a history that is read from front to back", () => {
  it("marks calls that the conversation went past without an answer, not those it waits for", () => {
    const history = new HistoryReader();
    history.message();
    history.call("a", "bash", {});
    history.call("b", "bash", {});
    history.message();
    history.result("a", { content: "done" });
    history.message();
    history.call("c", "bash", {});
    expect(history.end().map(({ id, unanswered }) => [id, unanswered])).toEqual([
      ["a", undefined],
      ["b", true],
      ["c", undefined],
    ]);
  });

  it("tells which calls were made in one turn, also when a server hands out the same ids again", () => {
    const history = new HistoryReader();
    for (let turn = 0; turn < 2; turn += 1) {
      history.message();
      history.call("call_0", "bash", {});
      history.call("call_1", "bash", {});
      history.message();
      history.result("call_0", { content: "done" });
      history.result("call_1", { content: "done" });
    }
    expect(history.end().map(({ turn, turnIndex }) => [turn, turnIndex])).toEqual([
      ["call_0", 0],
      ["call_0", 1],
      ["call_0/1", 0],
      ["call_0/1", 1],
    ]);
  });

  it("takes no longer for an id that is used again and again", () => {
    const history = new HistoryReader();
    for (let at = 0; at < 200_000; at += 1) {
      history.message();
      history.call("call_0", "bash", {});
      history.result("call_0", { content: String(at) });
    }
    const calls = history.end();
    expect(calls.at(-1)).toMatchObject({ n: 199_999, result: { content: "199999" } });
  });
});
