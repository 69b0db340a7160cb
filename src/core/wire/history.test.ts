import { describe, expect, it } from "vitest";
import { HistoryReader } from "./history.ts";

describe("HistoryReader", () => {
  it("marks calls as unanswered once the conversation continues without their result", () => {
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

  it("groups calls by turn, also when a server reuses ids", () => {
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

  it("recognizes a repeated id that was made unique with a _dup suffix", () => {
    const history = new HistoryReader();
    for (const id of ["call_0", "call_0_dup1", "call_0_dup2", "x_dup1"]) {
      history.message();
      history.call(id, "bash", {});
      history.result(id, { content: id });
    }
    expect(history.end().map(({ id, n, result }) => [id, n, result?.content])).toEqual([
      ["call_0", 0, "call_0"],
      ["call_0", 1, "call_0_dup1"],
      ["call_0", 2, "call_0_dup2"],
      ["x_dup1", 0, "x_dup1"],
    ]);
  });

  it("stays linear for an id that is used many times", () => {
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
