import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bad, call, done, good, kinds, PROMPT, run, stored, toolOf } from "../../../test/support/agent-run.ts";
import type { ModelDelta, ModelFunction } from "../model/model-function.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { UnknownToolError } from "../registry/names.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, createTestClock, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import { runToolLoop } from "./run-tool-loop.ts";

describe("runToolLoop", () => {
  it("calls tools, emits events, and stores the messages", async () => {
    const { events, model, text, messages, reason } = await run(
      [good],
      [{ text: "Let me see.", calls: [call("good", { a: 1 }, "c1")] }, "It is good."],
    );
    model.assertDone();
    expect(text).toBe("Let me see.It is good.");
    expect(kinds(events)).toEqual(["tool_calls", "tool_result", "message", "message", "message", "done"]);
    expect(reason).toBe("answer");
    expect(done(events)).toMatchObject({ rounds: 2, modelCalls: 2, calls: 1, failedCalls: 0 });
    expect(messages.map(({ turn: _, ...message }) => message)).toEqual([
      PROMPT,
      { role: "assistant", content: "Let me see.", toolCalls: [{ id: "c1", name: "good", arguments: { a: 1 } }] },
      {
        role: "tool",
        toolCallId: "c1",
        name: "good",
        content: '{"good":{"a":1}}',
        shown: { result: { good: { a: 1 } } },
      },
      { role: "assistant", content: "It is good." },
    ]);
    expect([PROMPT, ...stored(events)]).toEqual(messages);
  });

  it("runs the known call of a turn with an unknown one, and returns a result for both", async () => {
    const { model, events } = await run([good], [{ calls: [call("good", {}, "a"), call("god", {}, "b")] }, "Done."]);
    const results = model.requests[1]?.messages.filter(({ role }) => role === "tool");
    expect(results?.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ["a", undefined],
      ["b", true],
    ]);
    expect(results?.[1]?.content).toContain("Error: Tool 'god' not found.");
    expect(kinds(events)).toContain("tool_result");
  });

  it("resets the count of failed rounds after a corrected name", async () => {
    const turns: ScriptedTurn[] = [];
    for (let time = 0; time < 3; time += 1)
      turns.push(
        { calls: [call("gud", { time })] },
        { calls: [call("gooood", { time })] },
        { calls: [call("good", { time })] },
      );
    const { reason, model } = await run([good], [...turns, "Done."]);
    expect(reason).toBe("answer");
    model.assertDone();
  });

  it("ends with a reason, not an exception, after repeated unknown tools", async () => {
    const { reason, events, model } = await run(
      [good],
      [1, 2, 3].map((n) => ({ calls: [call("nope", { n })] })),
      { policy: { onLimit: "stop" } },
    );
    expect(reason).toBe("failed-rounds");
    expect(events.find(({ kind }) => kind === "tool_validation_error")).toMatchObject({
      error: { category: "unknown_tool" },
    });
    model.assertDone();
  });

  it("tells the model about an unknown tool and lists the available ones", async () => {
    const { model } = await run([good, bad], [{ calls: [call("nope")] }, "Sorry."]);
    expect(model.requests[1]?.messages.at(-1)?.content).toBe(
      "Error: Tool 'nope' not found.\n\nAvailable tools: good, bad\n\nPlease try again with one of the available tools.",
    );
  });

  it("tells the model when the provider rejects an invented name, up to a small limit", async () => {
    const refused: ScriptedTurn = {
      error: Object.assign(new Error("Tool 'nope' not found in request.tools"), { status: 400 }),
    };
    const { model, reason, text } = await run([good], [refused, "Fine without."]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("Available tools: good");
    expect([reason, text]).toEqual(["answer", "Fine without."]);
    const always = await run([good], [refused, refused, refused, refused]);
    expect(always.reason).toBe("failed-rounds");
    expect(always.model.requests).toHaveLength(4);
    expect(always.model.requests[3]?.toolChoice).toBe("none");
  });

  it("ignores a call in the final round without tools", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const turns: ScriptedTurn[] = [1, 2].map((n) => ({ calls: [call("good", { n })] }));
    const { model, reason, messages } = await run(
      [counted],
      [...turns, { text: "I know this much.", calls: [call("good", { n: 3 })] }],
      { policy: { maxRounds: 2 } },
    );
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "none"]);
    expect([reason, runs]).toEqual(["round-limit", 2]);
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "I know this much." });
    expect(messages.at(-1)?.toolCalls).toBeUndefined();
  });

  it("throws for an unknown tool under the strict policy", async () => {
    await expect(run([good], [{ calls: [call("nope")] }], { policy: policies.strict })).rejects.toThrow(
      UnknownToolError,
    );
  });
});

describe("turns with an abnormal end", () => {
  it("does not run a call in a truncated turn, and tells the model", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { model, reason } = await run([counted], [{ calls: [call("good")], finish: "length" }, "Shorter."]);
    expect(runs).toBe(0);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("cut off");
    expect(reason).toBe("answer");
  });

  it.each(["refusal", "content-filter"] as const)(
    "does not run a call in a turn that ended with %s",
    async (finish) => {
      let runs = 0;
      const counted = toolOf("good", () => (runs += 1));
      const { reason, events } = await run([counted], [{ calls: [call("good")], finish }]);
      expect([reason, runs]).toEqual(["refusal", 0]);
      expect(stored(events).at(-1)?.content).toBe("The assistant declined to answer this.");
    },
  );

  it("keeps the text of a stream that ends without a finish reason, and runs nothing", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { reason, text, events } = await run([counted], [{ text: "I will", calls: [call("good")], finish: null }]);
    expect([reason, runs, text]).toEqual(["model-error", 0, "I will"]);
    expect(stored(events).map(({ content }) => content)).toEqual([
      "I will",
      "The assistant ran into an unexpected problem. Please try again.",
    ]);
  });

  it("does not treat missing arguments as {} if the tool requires one", async () => {
    const strictly = defineTool({ name: "good", input: z.object({ q: z.string() }), run: () => 1 });
    const { model, events } = await run([strictly], [{ calls: [call("good", "")] }, "Ok."]);
    expect(kinds(events)).toContain("tool_failed");
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("could not be read: they were empty");
  });

  it("reports a truncated answer as truncated", async () => {
    expect((await run([], [{ text: "Once upon", finish: "length" }])).reason).toBe("truncated");
  });

  it("retries a provider that fails before any output, and does not forward its error text", async () => {
    const clock = createTestClock();
    const model = scriptedModel([
      { error: Object.assign(new Error("key sk-abcdefghijklmnopqrstuvwx"), { status: 529 }) },
      "Here.",
    ]);
    const registry = createToolRegistry([], { clock });
    const { text } = await clock.run(collectRun(runToolLoop({ registry, model, messages: [PROMPT] })));
    expect(text).toBe("Here.");
    const failing = scriptedModel([
      { error: Object.assign(new Error("key sk-abcdefghijklmnopqrstuvwx"), { status: 401 }) },
    ]);
    const failed = await collectRun(runToolLoop({ registry, model: failing, messages: [PROMPT] }));
    expect(failed.reason).toBe("model-error");
    expect(failed.events.find(({ kind }) => kind === "model_error")).toMatchObject({
      error: { category: "authentication_failed" },
    });
    expect(JSON.stringify(failed.events)).not.toContain("sk-");
  });

  it("stops waiting for a model that goes silent, and keeps its text", async () => {
    const clock = createTestClock();
    const model: ModelFunction = async function* () {
      yield { kind: "text", text: "Well," };
      await new Promise(() => undefined);
    };
    const registry = createToolRegistry([good], { clock });
    const result = await clock.run(collectRun(runToolLoop({ registry, model, messages: [PROMPT] })));
    expect(result.reason).toBe("model-error");
    expect(result.events.find(({ kind }) => kind === "model_error")).toMatchObject({
      error: { category: "provider_unreachable" },
    });
    expect(result.messages[1]?.content).toBe("Well,");
    expect(clock.sleeping).toBe(0);
  });

  it("does not accept an empty answer", async () => {
    const { model, reason } = await run([good], ["", "  ", "Here."]);
    expect(reason).toBe("answer");
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("Your last message was empty");
    const silent = await run([good], ["", "", "", ""]);
    expect(silent.reason).toBe("failed-rounds");
    expect(stored(silent.events).at(-1)?.content).toBe(
      "The assistant gave no usable answer. Please try again in a moment.",
    );
  });

  it("joins call parts with the index 1000000 and no id into one call with an id", async () => {
    const deltas: ModelDelta[] = [
      { kind: "call-part", index: 1_000_000, name: "good" },
      { kind: "call-part", index: 1_000_000, arguments: '{"a"' },
      { kind: "call-part", index: 1_000_000, arguments: ":1}" },
      { kind: "finish", reason: "tool-calls" },
    ];
    const { messages } = await run([good], [deltas, "Ok."]);
    expect(messages[1]?.toolCalls).toMatchObject([
      { id: expect.stringMatching(/.+/), name: "good", arguments: { a: 1 } },
    ]);
  });

  it("treats two calls with the same id in one turn as two calls", async () => {
    const { messages } = await run(
      [good],
      [{ calls: [call("good", { n: 1 }, "x"), call("good", { n: 2 }, "x")] }, "Ok."],
    );
    const ids = messages[1]?.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId)).toEqual(ids);
  });
});
