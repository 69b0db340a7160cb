import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call, done, kinds, run, stored } from "../../../test/support/agent-run.ts";
import { defineTool } from "../registry/define-tool.ts";

const ran: unknown[] = [];
const read = defineTool({
  name: "read",
  input: z.object({ path: z.string() }),
  run: (input) => {
    ran.push(input);
    return "hello";
  },
});
const ON = { secondChance: true };
const MISSING = { text: "I look.", calls: [call("read", {}, "c1")] };
const GOOD = { calls: [call("read", { path: "a" }, "c2")] };

describe("secondChance", () => {
  it("asks again before anything is run, and stores only the second call", async () => {
    ran.length = 0;
    const { events, model, messages } = await run([read], [MISSING, GOOD, "Done."], ON);
    expect(ran).toEqual([{ path: "a" }]);
    expect(events.find(({ kind }) => kind === "second_chance")).toMatchObject({
      reason: "missing_parameter",
      result: "healed",
      round: 1,
    });
    expect(kinds(events)).not.toContain("tool_failed");
    expect(done(events)).toMatchObject({ reason: "answer", rounds: 2, modelCalls: 3, failedCalls: 0 });
    expect(stored(events)[0]).toMatchObject({ content: "I look.", toolCalls: [{ id: "c2" }] });
    // In quotes: random ids of turns may contain these letters.
    expect(JSON.stringify(messages)).not.toContain('"c1"');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      toolCallId: "c1",
      isError: true,
      content:
        '[toolmend] "path" of "read" is required and missing. Nothing was run. Send the call again, complete; if a value is long, split it.',
    });
  });

  it("shows the arguments of the call that runs, and of no other", async () => {
    const parts = (name: string, args: string, id: string) => ({ calls: [{ id, name, arguments: args }] });
    const { events } = await run(
      [read],
      [parts("open", '{"x": 1}', "c1"), parts("read", '{"path": "a"}', "c2"), "Done."],
      ON,
    );
    const shown = events.flatMap((event) => (event.kind === "tool_arguments" ? [event.callId] : []));
    expect(shown).not.toContain("c1");
    expect(events.find(({ kind }) => kind === "tool_calls")).toMatchObject({ calls: [{ id: "c2" }] });
  });

  it("the run goes on with the first turn if the second is no better", async () => {
    const again = { calls: [call("read", {}, "c2")] };
    const { events } = await run([read], [MISSING, again, "Sorry."], ON);
    expect(events.find(({ kind }) => kind === "second_chance")).toMatchObject({ result: "no_better" });
    expect(events.find(({ kind }) => kind === "tool_failed")).toMatchObject({ callId: "c1" });
    expect(done(events)).toMatchObject({ modelCalls: 3, failedCalls: 1 });
  });

  it("takes an answer in words if the first turn had none", async () => {
    const { events } = await run([read], [{ calls: [call("open", {})] }, "I cannot do that."], ON);
    expect(events.find(({ kind }) => kind === "second_chance")).toMatchObject({
      reason: "unknown_tool",
      result: "text",
    });
    expect(done(events)).toMatchObject({ reason: "answer", rounds: 1, calls: 0 });
  });

  it("asks at most five times in a run, and never without the option or if a call can work", async () => {
    const bad = { calls: [call("open", {})] };
    const policy = { maxFailedRounds: 20, maxRounds: 20, maxModelCalls: 50, maxRepeats: 50 };
    const many = await run([read], [...Array.from({ length: 14 }, () => bad), "Done."], { ...ON, policy });
    expect(many.events.filter(({ kind }) => kind === "second_chance")).toHaveLength(5);
    const off = await run([read], [MISSING, "Done."]);
    expect(off.model.requests).toHaveLength(2);
    const mixed = await run([read], [{ calls: [call("read", { path: "a" }), call("open", {})] }, "Done."], ON);
    expect(mixed.model.requests).toHaveLength(2);
  });
});
