import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallEffect, type FinishedCall, LoopSignal } from "./loop-signal.ts";

interface Step {
  readonly effect?: CallEffect;
  readonly failed?: boolean;
}

function call(name: string, result: string, { effect = "reads", failed = false }: Step = {}): FinishedCall {
  return { tool: name, argumentsDigest: "", resultDigest: result, effect, failed };
}

/** The run after each turn. */
function runs(turns: readonly (FinishedCall | readonly FinishedCall[] | "human")[]): readonly number[] {
  const signal = new LoopSignal<number>();
  return turns.map((turn, at) => {
    if (turn === "human") signal.human();
    else signal.turn(Array.isArray(turn) ? turn : [turn as FinishedCall], at);
    return signal.run;
  });
}

const times = <T>(count: number, turn: T): readonly T[] => Array.from({ length: count }, () => turn);

describe("a run of calls that bring nothing new", () => {
  it("a run counts repeats of one call with one result", () => {
    expect(runs(times(4, call("read", "a")))).toEqual([0, 1, 2, 3]);
  });

  it("a run counts a cycle of three calls", () => {
    const cycle = [call("a", "1"), call("b", "2"), call("c", "3")];
    expect(runs([...cycle, ...cycle])).toEqual([0, 0, 0, 1, 2, 3]);
  });

  it("a run ends with a new result of the same call", () => {
    expect(runs([call("read", "a"), call("read", "a"), call("read", "b"), call("read", "b")])).toEqual([0, 1, 0, 1]);
  });

  it("a run ends with a human message", () => {
    expect(runs([...times(3, call("read", "a")), "human", call("read", "a")])).toEqual([0, 1, 2, 0, 0]);
  });

  it("a run starts again after a new change, because a test run after an edit is work", () => {
    const test = call("test", "1 failed", { failed: true });
    const edits = ["1", "2", "3", "4"].map((content) => call("edit", content, { effect: "changes" }));
    expect(runs(edits.flatMap((edit) => [edit, test]))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("a run is not ended by a change that was made before, or that failed", () => {
    const edit = call("edit", "done", { effect: "changes" });
    const read = call("read", "a");
    expect(runs([edit, read, edit, read, edit, read])).toEqual([0, 0, 1, 2, 3, 4]);
    const failed = call("edit", "no match", { effect: "changes", failed: true });
    expect(runs([read, failed, read, failed])).toEqual([0, 0, 1, 2]);
  });

  it("a run does not count parallel calls of one turn as repeats of each other", () => {
    expect(runs([times(5, call("read", "a")), times(5, call("read", "a"))])).toEqual([0, 1]);
  });

  it("a run counts a turn with anything new as new", () => {
    expect(runs([call("a", "1"), [call("a", "1"), call("b", "2")]])).toEqual([0, 0]);
  });

  it("a run counts waits from the tenth on", () => {
    expect(runs(times(13, call("wait", "running", { effect: "waits" }))).slice(8)).toEqual([0, 0, 1, 2, 3]);
  });
});

it("the signal reports kind, period, place and tools of the loop that ended", () => {
  const signal = new LoopSignal<string>();
  for (const at of ["m1", "m3", "m5", "m7", "m9"]) signal.turn([call("read", "a")], at);
  expect(signal.turn([call("list", "b")], "m11")).toEqual({
    kind: "repeat",
    period: 1,
    run: 4,
    at: "m7",
    tools: ["read"],
  });
  expect(signal.current).toBeUndefined();
  for (const at of ["n1", "n3", "n5", "n7"]) signal.turn([call("send", "refused", { failed: true })], at);
  expect(signal.human()).toEqual({ kind: "failing", period: 1, run: 3, at: "n7", tools: ["send"] });
});

it("the signal remembers 4,096 calls, and no more", () => {
  const signal = new LoopSignal<number>();
  const round = (size: number): void => {
    for (let at = 0; at < size; at += 1) signal.turn([call("read", String(at))], at);
  };
  round(4096);
  round(4096);
  expect(signal.run).toBe(4096);
  signal.human();
  round(4097);
  round(4097);
  expect(signal.run).toBe(0);
});

it("the signal never reports a loop where every result is new", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("read", "edit", "wait"), { maxLength: 50 }), (tools) => {
      const signal = new LoopSignal<number>();
      for (const [at, tool] of tools.entries()) signal.turn([call(tool, String(at))], at);
      expect(signal.run).toBe(0);
    }),
  );
});
