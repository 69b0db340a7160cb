import { describe, expect, it } from "vitest";
import { call, done, good, kinds, PROMPT, run, stored, toolOf } from "../../../test/support/agent-run.ts";
import type { ModelFunction } from "../model/model-function.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, createTestClock, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import { runToolLoop } from "./run-tool-loop.ts";

describe("repeated calls", () => {
  const noop = toolOf("noop", () => "done");

  it("a call repeated with the same result is rejected with an explanation, and then ends the run", async () => {
    const turns = Array.from({ length: 5 }, (): ScriptedTurn => ({ calls: [call("noop", { a: 1 })] }));
    const { model, reason, events } = await run([noop], [...turns, "Fine."]);
    expect(reason).toBe("repeated-call");
    expect(done(events)).toMatchObject({ calls: 5, failedCalls: 2 });
    expect(model.requests[4]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(model.requests[4]?.messages.at(-1)?.content).toContain("Change your approach");
  });

  it("runs three of twenty identical calls in one turn and returns a result for each", async () => {
    let runs = 0;
    const counted = toolOf("noop", () => {
      runs += 1;
      return "done";
    });
    const { messages } = await run([counted], [{ calls: Array.from({ length: 20 }, () => call("noop")) }, "Ok."]);
    expect(runs).toBe(3);
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(20);
  });

  it("detects a cycle of several calls", async () => {
    for (const length of [2, 3, 5]) {
      const turns = Array.from(
        { length: length * 3 + 2 },
        (_, n): ScriptedTurn => ({ calls: [call("noop", { n: n % length })] }),
      );
      const { reason } = await run([noop], [...turns, "Ok."], { policy: { maxRounds: 30, maxModelCalls: 30 } });
      expect(reason).toBe("repeated-call");
    }
  });

  it("allows other arguments, changing results, and tools that poll", async () => {
    let n = 0;
    const changing = toolOf("changing", () => (n += 1));
    const polling = toolOf("polling", () => "pending", { repeatable: true });
    const same = Array.from(
      { length: 8 },
      (_, time): ScriptedTurn => ({ calls: [call("changing"), call("polling"), call("noop", { time })] }),
    );
    const { reason } = await run([noop, changing, polling], [...same, "Ok."]);
    expect(reason).toBe("answer");
  });

  it("allows a test run after every edit, although it fails the same way each time", async () => {
    const edit = toolOf("edit_file", () => "edited");
    const test = toolOf("run_tests", () => "1 failed");
    const turns = Array.from({ length: 6 }, (_, n): readonly ScriptedTurn[] => [
      { calls: [call("edit_file", { n })] },
      { calls: [call("run_tests")] },
    ]).flat();
    const { reason } = await run([edit, test], [...turns, "Ok."], { policy: { maxRounds: 30, maxModelCalls: 30 } });
    expect(reason).toBe("answer");
  });

  it("allows a call again and again while others between bring something new", async () => {
    const turns = Array.from({ length: 6 }, (_, n): readonly ScriptedTurn[] => [
      { calls: [call("noop", { page: n })] },
      { calls: [call("noop")] },
    ]).flat();
    const { reason } = await run([noop], [...turns, "Ok."], { policy: { maxRounds: 30, maxModelCalls: 30 } });
    expect(reason).toBe("answer");
  });

  it("treats a reused id as another call", async () => {
    const turns = Array.from({ length: 4 }, (_, n): ScriptedTurn => ({ calls: [call("good", { n }, "call_0")] }));
    const { events, model } = await run([good], [...turns, "Ok."]);
    expect(events.filter(({ kind }) => kind === "tool_result")).toHaveLength(4);
    // Outgoing ids are unique; the first is unchanged.
    const ids = model.requests[4]?.messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    expect(ids).toEqual(["call_0", "call_0_dup1", "call_0_dup2", "call_0_dup3"]);
  });
});

describe("limits", () => {
  it("the round limit keeps streamed text and adds its message", async () => {
    const turns = [1, 2].map((n): ScriptedTurn => ({ text: `Step ${n}.`, calls: [call("good", { n })] }));
    const { events, reason, text } = await run([good], turns, { policy: { maxRounds: 2, onLimit: "stop" } });
    expect([reason, text]).toEqual(["round-limit", "Step 1.Step 2."]);
    const sentence = "The assistant stopped after too many tool calls. Please try again with a more specific request.";
    expect(events.slice(-3)).toMatchObject([
      { kind: "tool_loop_limit", error: { message: sentence } },
      { kind: "message", message: { role: "assistant", content: sentence } },
      { kind: "done" },
    ]);
    expect(stored(events).map(({ content }) => content)).toContain("Step 2.");
  });

  it("replaces an empty final answer by the limit's message", async () => {
    const { events } = await run([good], [{ calls: [call("good")] }, ""], { policy: { maxRounds: 1 } });
    expect(kinds(events).slice(-3)).toEqual(["tool_loop_limit", "message", "done"]);
  });

  it("returns a failure for calls beyond the limit of a round without running them", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { messages } = await run([counted], [{ calls: [1, 2, 3, 4].map((n) => call("good", { n })) }, "Ok."], {
      policy: { maxCallsPerRound: 2 },
    });
    expect(runs).toBe(2);
    expect(messages.filter(({ role }) => role === "tool").map(({ isError }) => isError)).toEqual([
      undefined,
      undefined,
      true,
      true,
    ]);
  });

  it("the deadline ends a run whose model and tool both hang", async () => {
    const clock = createTestClock();
    const hanging: ModelFunction = () => new Promise(() => undefined);
    const registry = createToolRegistry([toolOf("slow", () => new Promise(() => undefined))], { clock });
    const options = { registry, messages: [PROMPT], policy: { deadlineMs: 1000 } };
    const first = await clock.run(collectRun(runToolLoop({ ...options, model: hanging })));
    expect(first.reason).toBe("deadline");
    const model = scriptedModel([{ calls: [call("slow", {}, "s")] }]);
    const second = await clock.run(collectRun(runToolLoop({ ...options, model })));
    expect(second.reason).toBe("deadline");
    expect(second.messages.filter(({ role }) => role === "tool")).toMatchObject([{ toolCallId: "s", isError: true }]);
    expect(clock.sleeping).toBe(0);
  });

  it("limits concurrency, runs sequential tools alone, and reports results in the order of the calls", async () => {
    let running = 0;
    const most: number[] = [];
    const step = async (): Promise<number> => {
      running += 1;
      most.push(running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return running;
    };
    const alone = toolOf(
      "alone",
      async () => {
        const others = running;
        await step();
        return others;
      },
      { sequential: true },
    );
    const calls = [
      ...[1, 2, 3, 4, 5].map((n) => call("step", { n }, `s${n}`)),
      call("alone", {}, "x"),
      call("step", { n: 6 }, "s6"),
    ];
    const { messages } = await run([toolOf("step", step), alone], [{ calls }, "Ok."], { policy: { concurrency: 2 } });
    expect(Math.max(...most)).toBe(2);
    const results = messages.filter(({ role }) => role === "tool");
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(["s1", "s2", "s3", "s4", "s5", "x", "s6"]);
    expect(results[5]?.content).toBe("0");
  });

  it("runs two slow tools of one round concurrently", async () => {
    const clock = createTestClock();
    const slow = toolOf("slow", () => clock.sleep(1000).then(() => "ok"));
    const registry = createToolRegistry([slow], { clock });
    const model = scriptedModel([{ calls: [call("slow", { n: 1 }), call("slow", { n: 2 })] }, "Ok."]);
    await clock.run(collectRun(runToolLoop({ registry, model, messages: [PROMPT] })));
    expect(clock.now()).toBe(1000);
  });
});
