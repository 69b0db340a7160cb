import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Message } from "../model/message.ts";
import type { ModelDelta, ModelFunction } from "../model/model-function.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { ToolError } from "../outcome/tool-error.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { createToolRegistry } from "../registry/registry.ts";
import type { Tool, ToolBehaviour } from "../registry/tool.ts";
import type { RegistryOptions } from "../registry/tool-registry.ts";
import { UnknownToolError } from "../registry/unknown-tool-error.ts";
import { collectRun, createTestClock, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import type { LoopEvent } from "./events.ts";
import type { LoopOptions } from "./options.ts";
import { runToolLoop } from "./run-tool-loop.ts";

type Behaviour = Partial<ToolBehaviour<unknown, unknown, unknown>>;
const toolOf = (name: string, run: Tool["run"], behaviour: Behaviour = {}): Tool =>
  defineTool({ name, input: z.looseObject({}), ...behaviour, run });
const good = toolOf("good", (input) => ({ good: input }));
const bad = toolOf("bad", () => {
  throw new Error("postgres://admin:s3cret@db");
});
const call = (name: string, args: unknown = {}, id?: string) => ({
  name,
  arguments: args,
  ...(id !== undefined && { id }),
});
const QUESTION: Message = { role: "user", content: "Please." };

async function run(
  tools: readonly Tool[],
  turns: readonly ScriptedTurn[],
  options: Partial<LoopOptions> = {},
  registryOptions: RegistryOptions = {},
) {
  const model = scriptedModel(turns);
  const registry = createToolRegistry(tools, { breaker: false, ...registryOptions });
  const result = await collectRun(runToolLoop({ registry, model, messages: [QUESTION], ...options }));
  return { ...result, model };
}
const kinds = (events: readonly LoopEvent[]): string[] =>
  events.map(({ kind }) => kind).filter((kind) => kind !== "text");
const stored = (events: readonly LoopEvent[]): Message[] =>
  events.flatMap((event) => (event.kind === "message" ? [event.message] : []));
const done = (events: readonly LoopEvent[]) => events.at(-1) as LoopEvent & { kind: "done" };

describe("a run", () => {
  it("calls tools, shows what happens, and stores what was said", async () => {
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
      QUESTION,
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
    expect([QUESTION, ...stored(events)]).toEqual(messages);
  });

  it("A04 a known and an unknown call in one turn: the known one runs, both are answered", async () => {
    const { model, events } = await run([good], [{ calls: [call("good", {}, "a"), call("god", {}, "b")] }, "Done."]);
    const results = model.requests[1]?.messages.filter(({ role }) => role === "tool");
    expect(results?.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ["a", undefined],
      ["b", true],
    ]);
    expect(results?.[1]?.content).toContain("Error: Tool 'god' not found.");
    expect(kinds(events)).toContain("tool_result");
  });

  it("A05 a corrected name ends the row of failures", async () => {
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

  it("A06 an unknown tool again and again ends with a reason, not with an exception", async () => {
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

  it("V5 the model learns of an unknown tool and gets the list", async () => {
    const { model } = await run([good, bad], [{ calls: [call("nope")] }, "Sorry."]);
    expect(model.requests[1]?.messages.at(-1)?.content).toBe(
      "Error: Tool 'nope' not found.\n\nAvailable tools: good, bad\n\nPlease try again with one of the available tools.",
    );
  });

  it("A11 the provider refuses an invented name before a call arrives: the model is told, and a small cap holds", async () => {
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

  it("A12 a call in the last round without tools is not made", async () => {
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

  it("strict: an unknown tool throws out of the loop", async () => {
    await expect(run([good], [{ calls: [call("nope")] }], { policy: policies.strict })).rejects.toThrow(
      UnknownToolError,
    );
  });
});

describe("turns that did not end as turns do", () => {
  it("B02 a call in a turn that was cut at its length limit is not made; the model is told", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { model, reason } = await run([counted], [{ calls: [call("good")], finish: "length" }, "Shorter."]);
    expect(runs).toBe(0);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("cut off");
    expect(reason).toBe("answer");
  });

  it.each(["refusal", "content-filter"] as const)("a call in a turn that ended with %s is not made", async (finish) => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { reason, events } = await run([counted], [{ calls: [call("good")], finish }]);
    expect([reason, runs]).toEqual(["refusal", 0]);
    expect(stored(events).at(-1)?.content).toBe("The assistant declined to answer this.");
  });

  it("B03 a stream that ends without an end keeps its text and runs nothing", async () => {
    let runs = 0;
    const counted = toolOf("good", () => (runs += 1));
    const { reason, text, events } = await run([counted], [{ text: "I will", calls: [call("good")], finish: null }]);
    expect([reason, runs, text]).toEqual(["model-error", 0, "I will"]);
    expect(stored(events).map(({ content }) => content)).toEqual([
      "I will",
      "The assistant ran into an unexpected problem. Please try again.",
    ]);
  });

  it("B01 arguments that never came are not {}", async () => {
    const strictly = defineTool({ name: "good", input: z.object({ q: z.string().optional() }), run: () => 1 });
    const { model, events } = await run([strictly], [{ calls: [call("good", "")] }, "Ok."]);
    expect(kinds(events)).toContain("tool_failed");
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("could not be read: they were empty");
  });

  it("a cut answer is said to be cut", async () => {
    expect((await run([], [{ text: "Once upon", finish: "length" }])).reason).toBe("truncated");
  });

  it("a provider that fails before it said anything is asked again, and its text stays on this side", async () => {
    const clock = createTestClock();
    const model = scriptedModel([
      { error: Object.assign(new Error("key sk-abcdefghijklmnopqrstuvwx"), { status: 529 }) },
      "Here.",
    ]);
    const registry = createToolRegistry([], { clock });
    const { text } = await clock.run(collectRun(runToolLoop({ registry, model, messages: [QUESTION] })));
    expect(text).toBe("Here.");
    const failing = scriptedModel([
      { error: Object.assign(new Error("key sk-abcdefghijklmnopqrstuvwx"), { status: 401 }) },
    ]);
    const failed = await collectRun(runToolLoop({ registry, model: failing, messages: [QUESTION] }));
    expect(failed.reason).toBe("model-error");
    expect(failed.events.find(({ kind }) => kind === "model_error")).toMatchObject({
      error: { category: "authentication_failed" },
    });
    expect(JSON.stringify(failed.events)).not.toContain("sk-");
  });

  it("a model that begins and then says nothing more is given up, and its text is kept", async () => {
    const clock = createTestClock();
    const model: ModelFunction = async function* () {
      yield { kind: "text", text: "Well," };
      await new Promise(() => undefined);
    };
    const registry = createToolRegistry([good], { clock });
    const result = await clock.run(collectRun(runToolLoop({ registry, model, messages: [QUESTION] })));
    expect(result.reason).toBe("model-error");
    expect(result.events.find(({ kind }) => kind === "model_error")).toMatchObject({
      error: { category: "provider_unreachable" },
    });
    expect(result.messages[1]?.content).toBe("Well,");
    expect(clock.sleeping).toBe(0);
  });

  it("G06 an empty answer is not an answer", async () => {
    const { model, reason } = await run([good], ["", "  ", "Here."]);
    expect(reason).toBe("answer");
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("Your last message was empty");
    const silent = await run([good], ["", "", "", ""]);
    expect(silent.reason).toBe("failed-rounds");
    expect(stored(silent.events).at(-1)?.content).toBe(
      "The assistant gave no usable answer. Please try again in a moment.",
    );
  });

  it("V12 pieces of a call with the index 1000000 and no id are one call with an id", async () => {
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

  it("two calls with one id in one turn are two calls", async () => {
    const { messages } = await run(
      [good],
      [{ calls: [call("good", { n: 1 }, "x"), call("good", { n: 2 }, "x")] }, "Ok."],
    );
    const ids = messages[1]?.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId)).toEqual(ids);
  });
});

describe("failures and what the model learns of them", () => {
  it("V1 F09 after a round in which everything failed the next question is another one, with exactly one note", async () => {
    const turns = [1, 2].map((n): ScriptedTurn => ({ calls: [call("bad", { n })] }));
    const { model } = await run([good, bad], [...turns, "I could not."]);
    const prompts = model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(new Set(prompts).size).toBe(3);
    for (const { messages } of model.requests.slice(1))
      expect(messages.filter(({ note }) => note === true)).toHaveLength(1);
    expect(model.requests[2]?.messages.at(-1)?.content).toContain("'bad' failed 2 times: the tool failed");
    expect(prompts.join()).not.toContain("s3cret");
  });

  it("V2 a failed call beside a successful one does not vanish, and that tool is stopped long before ten rounds", async () => {
    const turns = Array.from(
      { length: 9 },
      (_, n): ScriptedTurn => ({ calls: [call("good", { n }), call("bad", { n })] }),
    );
    let runs = 0;
    const failing = toolOf("bad", () => {
      runs += 1;
      throw new Error("x");
    });
    const { model, events } = await run([good, failing], [...turns, "Enough."]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("'bad' failed");
    expect(runs).toBe(3);
    expect(
      events
        .filter((event) => event.kind === "tool_failed")
        .map((event) => event.kind === "tool_failed" && event.error.category),
    ).toEqual(["execution", "execution", "execution", ...Array.from({ length: 6 }, () => "circuit_open")]);
    model.assertDone();
  });

  it("who watches outcomes hears of every call once, also of those that never reached the registry", async () => {
    const heard: string[] = [];
    const onOutcome = (outcome: ToolOutcome): void => {
      heard.push(outcome.ok ? "ok" : outcome.failure.kind);
    };
    const same = Array.from({ length: 4 }, () => call("good"));
    await run([good], [{ calls: [...same, call("nope")] }, "Ok."], {}, { hooks: { onOutcome } });
    expect(heard.toSorted()).toEqual(["ok", "ok", "ok", "repeated", "unknown_tool"]);
  });

  it("V3 D11 a permanent failure in a mixed round: that tool is not run again, the others are", async () => {
    let runs = 0;
    const gone = toolOf("gone", () => {
      runs += 1;
      return { error: "No such service", retryable: false };
    });
    const { model, reason } = await run(
      [good, gone],
      [
        { calls: [call("good", { n: 1 }), call("gone", { n: 1 })] },
        { calls: [call("good", { n: 2 }), call("gone", { n: 2 })] },
        "Ok.",
      ],
    );
    expect([runs, reason]).toEqual([1, "answer"]);
    expect(model.requests[2]?.messages.some(({ content }) => content.includes("it failed for good"))).toBe(true);
  });

  it("V4 C07 questions to the model have one bound, whatever the mix of rounds", async () => {
    let n = 0;
    const model: ModelFunction = function* ({ toolChoice }) {
      n += 1;
      if (toolChoice === "none") yield { kind: "text", text: "That is it." };
      else yield { kind: "call", call: { id: `${n}`, name: n % 3 === 0 ? "good" : `bad${n}`, arguments: { n } } };
      yield { kind: "finish", reason: "stop" };
    };
    const { events, reason } = await collectRun(
      runToolLoop({ registry: createToolRegistry([good]), model, messages: [QUESTION] }),
    );
    expect(reason).toBe("model-call-limit");
    expect(n).toBe(20);
    expect(done(events).modelCalls).toBe(20);
  });

  it("C02 the words of a ToolError reach the model through the note", async () => {
    const picky = toolOf("picky", () => {
      throw new ToolError("City not found");
    });
    const { model } = await run([picky], [{ calls: [call("picky")] }, "Ok."]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("- 'picky' failed: City not found");
  });

  it("F02 a dropped call goes with its result, and a message that is left with nothing goes too", async () => {
    const history = { ...policies.balanced.history, execution: "drop" as const };
    const { model } = await run(
      [good, bad],
      [{ calls: [call("bad")] }, { text: "Hm.", calls: [call("bad", { n: 2 }), call("good", {}, "g")] }, "Ok."],
      { policy: { history } },
    );
    expect(model.requests[1]?.messages).toEqual([QUESTION]);
    expect(model.requests[2]?.messages.slice(1)).toMatchObject([
      { role: "assistant", content: "Hm.", toolCalls: [{ id: "g" }] },
      { role: "tool", toolCallId: "g" },
    ]);
  });

  it("V18 signed reasoning: while one call of a turn stays, all stay; where none stays, the reasoning goes too", async () => {
    const provider = { sealed: true, blocks: [{ data: { type: "thinking", signature: "x" } }] };
    const { model } = await run(
      [good, bad],
      [
        { calls: [call("good", {}, "a"), call("bad", {}, "b")], provider },
        { calls: [call("bad", { n: 2 }, "c")], provider },
        "Ok.",
      ],
    );
    const [, , after] = model.requests;
    expect(after?.messages.filter(({ role }) => role !== "user")).toMatchObject([
      { toolCalls: [{ id: "a" }, { id: "b" }], provider },
      { toolCallId: "a" },
      { toolCallId: "b", isError: true },
    ]);
  });

  it("F08 reasoning in front of a dropped call goes with it, unless it also stands in front of one that stays", async () => {
    const blocks = (...groups: string[][]) => ({
      blocks: groups.map((callIds) => ({ data: callIds.join(), callIds })),
    });
    const { model } = await run(
      [good, bad],
      [
        {
          calls: [call("bad", {}, "a"), call("good", {}, "b"), call("bad", { n: 1 }, "c")],
          provider: blocks(["a", "b"], ["c"]),
        },
        "Ok.",
      ],
    );
    expect(model.requests[1]?.messages[1]?.provider).toEqual({ blocks: [{ data: "a,b", callIds: ["b"] }] });
  });

  it("a failure is a question to the user where the tool has one, and the history stays whole", async () => {
    const asking = defineTool({
      name: "ask",
      input: z.object({ place: z.string() }),
      run: () => 1,
      question: "Which place?",
    });
    const { events, reason, messages } = await run(
      [asking, good],
      [{ calls: [call("ask", {}, "a"), call("good", {}, "b")] }],
    );
    expect(reason).toBe("clarify");
    expect(events.find(({ kind }) => kind === "clarify")).toMatchObject({ callId: "a", text: "Which place?" });
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Which place?" });
    expect(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId)).toEqual(["a", "b"]);
  });
});

describe("going round in circles", () => {
  const noop = toolOf("noop", () => "done");

  it("C08 C11 the same call with the same result is stopped, with a result that says so, and then the run", async () => {
    const turns = Array.from({ length: 5 }, (): ScriptedTurn => ({ calls: [call("noop", { a: 1 })] }));
    const { model, reason, events } = await run([noop], [...turns, "Fine."]);
    expect(reason).toBe("repeated-call");
    expect(done(events)).toMatchObject({ calls: 5, failedCalls: 2 });
    expect(model.requests[4]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(model.requests[4]?.messages.at(-1)?.content).toContain("Change your approach");
  });

  it("C08 twenty identical calls in one turn run three times, and all are answered", async () => {
    let runs = 0;
    const counted = toolOf("noop", () => {
      runs += 1;
      return "done";
    });
    const { messages } = await run([counted], [{ calls: Array.from({ length: 20 }, () => call("noop")) }, "Ok."]);
    expect(runs).toBe(3);
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(20);
  });

  it("C09 a cycle of several calls is found too", async () => {
    for (const length of [2, 3, 5]) {
      const turns = Array.from(
        { length: length * 3 + 2 },
        (_, n): ScriptedTurn => ({ calls: [call("noop", { n: n % length })] }),
      );
      const { reason } = await run([noop], [...turns, "Ok."], { policy: { maxRounds: 30, maxModelCalls: 30 } });
      expect(reason).toBe("repeated-call");
    }
  });

  it("C10 other arguments, other results, and tools that poll are no circle", async () => {
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

  it("F07 an id that is used again is another call", async () => {
    const turns = Array.from({ length: 4 }, (_, n): ScriptedTurn => ({ calls: [call("good", { n }, "call_0")] }));
    const { events, model } = await run([good], [...turns, "Ok."]);
    expect(events.filter(({ kind }) => kind === "tool_result")).toHaveLength(4);
    // F06 outgoing ids are unique, the first unchanged.
    const ids = model.requests[4]?.messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    expect(ids).toEqual(["call_0", "call_0_dup1", "call_0_dup2", "call_0_dup3"]);
  });
});

describe("limits", () => {
  it("V16 the round cap keeps the text that streamed and adds its sentence as a message", async () => {
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

  it("G06 a last answer that stays empty is replaced by the sentence", async () => {
    const { events } = await run([good], [{ calls: [call("good")] }, ""], { policy: { maxRounds: 1 } });
    expect(kinds(events).slice(-3)).toEqual(["tool_loop_limit", "message", "done"]);
  });

  it("calls beyond the cap of a round are answered, not made", async () => {
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
    const options = { registry, messages: [QUESTION], policy: { deadlineMs: 1000 } };
    const first = await clock.run(collectRun(runToolLoop({ ...options, model: hanging })));
    expect(first.reason).toBe("deadline");
    const model = scriptedModel([{ calls: [call("slow", {}, "s")] }]);
    const second = await clock.run(collectRun(runToolLoop({ ...options, model })));
    expect(second.reason).toBe("deadline");
    expect(second.messages.filter(({ role }) => role === "tool")).toMatchObject([{ toolCallId: "s", isError: true }]);
    expect(clock.sleeping).toBe(0);
  });

  it("D09 at most so many at once, one that must be alone is alone, and results come in the order of the calls", async () => {
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

  it("V11 two slow tools of one round run at the same time", async () => {
    const clock = createTestClock();
    const slow = toolOf("slow", () => clock.sleep(1000).then(() => "ok"));
    const registry = createToolRegistry([slow], { clock });
    const model = scriptedModel([{ calls: [call("slow", { n: 1 }), call("slow", { n: 2 })] }, "Ok."]);
    await clock.run(collectRun(runToolLoop({ registry, model, messages: [QUESTION] })));
    expect(clock.now()).toBe(1000);
  });
});

describe("stopping", () => {
  it("D05 P8 an abort ends the run at once; what ran is kept, every open call is answered", async () => {
    const stop = new AbortController();
    const hanging = toolOf("hang", () => {
      setTimeout(() => stop.abort(), 5);
      return new Promise(() => undefined);
    });
    const { reason, messages, events } = await run(
      [good, hanging],
      [{ calls: [call("good", {}, "a"), call("hang", {}, "b"), call("good", { n: 2 }, "c")] }],
      {
        signal: stop.signal,
        policy: { concurrency: 1 },
      },
    );
    expect(reason).toBe("aborted");
    expect(
      messages.filter(({ role }) => role === "tool").map(({ toolCallId, isError }) => [toolCallId, isError]),
    ).toEqual([
      ["a", undefined],
      ["b", true],
      ["c", true],
    ]);
    expect(done(events).reason).toBe("aborted");
  });

  it("D10 a run that is aborted before it begins asks nobody", async () => {
    const { reason, model } = await run([good], ["never"], { signal: AbortSignal.abort() });
    expect(reason).toBe("aborted");
    expect(model.requests).toHaveLength(0);
  });

  it("an abort in the middle of a turn keeps the text that came", async () => {
    const stop = new AbortController();
    const model: ModelFunction = async function* () {
      yield { kind: "text", text: "Once upon a time" };
      setTimeout(() => stop.abort(), 5);
      await new Promise(() => undefined);
    };
    const registry = createToolRegistry([good]);
    const result = await collectRun(runToolLoop({ registry, model, messages: [QUESTION], signal: stop.signal }));
    expect(result.reason).toBe("aborted");
    expect(result.messages.at(-1)?.content).toBe("Once upon a time");
  });

  it("G01 who leaves early stops the tools and asks nothing more", async () => {
    let isAborted = false;
    const slow = toolOf(
      "slow",
      (_, { signal }) =>
        new Promise(() =>
          signal.addEventListener("abort", () => {
            isAborted = true;
          }),
        ),
    );
    const model = scriptedModel([{ calls: [call("good"), call("slow")] }, "never"]);
    for await (const event of runToolLoop({
      registry: createToolRegistry([good, slow]),
      model,
      messages: [QUESTION],
    })) {
      if (event.kind === "tool_result") break;
    }
    expect(isAborted).toBe(true);
    expect(model.requests).toHaveLength(1);
  });

  it("G01 who leaves in the middle of a text closes the model's stream", async () => {
    let isClosed = false;
    const model: ModelFunction = async function* () {
      try {
        for (;;) yield { kind: "text", text: "and so on " };
      } finally {
        isClosed = true;
      }
    };
    for await (const event of runToolLoop({ registry: createToolRegistry([good]), model, messages: [QUESTION] }))
      if (event.kind === "text") break;
    expect(isClosed).toBe(true);
  });

  it("V9 every call of a round that stopped early ends with an event", async () => {
    const needy = defineTool({ name: "needy", input: z.object({ q: z.string() }), run: () => 1 });
    const { events } = await run(
      [good, needy],
      [{ calls: [call("good", {}, "a"), call("needy", {}, "b"), call("good", { n: 2 }, "c")] }],
      { policy: policies.voyage },
    );
    const ends = events.flatMap((event) =>
      event.kind === "tool_result" || event.kind === "tool_failed" ? [[event.callId, event.kind]] : [],
    );
    expect(ends).toEqual([
      ["a", "tool_result"],
      ["b", "tool_failed"],
      ["c", "tool_failed"],
    ]);
  });

  it("V13 a tool whose result is no JSON does not break the run", async () => {
    const odd = toolOf("odd", () => ({ big: 10n, self: new Map(), f: () => 1 }));
    const { events, reason } = await run([odd], [{ calls: [call("odd")] }, "Ok."]);
    expect(reason).toBe("answer");
    expect(() => JSON.stringify(events)).not.toThrow();
  });

  it("D01 a tool that fails twice and then succeeds has one result in the history, and the page hears of the retries", async () => {
    const clock = createTestClock();
    let runs = 0;
    const flaky = toolOf(
      "flaky",
      () => {
        runs += 1;
        if (runs < 3) throw new Error("x");
        return "ok";
      },
      { idempotent: true, retry: { retries: 3 } },
    );
    const model = scriptedModel([{ calls: [call("flaky", {}, "f")] }, "Ok."]);
    const { events, messages } = await clock.run(
      collectRun(runToolLoop({ registry: createToolRegistry([flaky], { clock }), model, messages: [QUESTION] })),
    );
    expect(kinds(events).filter((kind) => kind.startsWith("tool_"))).toEqual([
      "tool_calls",
      "tool_retry",
      "tool_retry",
      "tool_result",
    ]);
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
  });

  it("E01 E05 the arguments a fallback really used are the ones in the history", async () => {
    const search = defineTool({
      name: "search_places",
      input: z.object({ location: z.string() }),
      run: ({ location }) => ({ places: [location] }),
      fallback: () => [{ location: "Paris, France" }],
    });
    const { messages, events } = await run(
      [search],
      [{ calls: [call("search_places", { query: "food" }, "s")] }, "Ok."],
    );
    expect(messages[1]?.toolCalls?.[0]?.arguments).toEqual({ query: "food", location: "Paris, France" });
    expect(kinds(events)).not.toContain("clarify");
  });
});

describe("the scripted model", () => {
  it("K01 says when a turn was not asked for, and when more was asked", async () => {
    const { model } = await run([], ["Hello."]);
    expect(() => model.assertDone()).not.toThrow();
    const more = await run([], ["", "Hello.", "unused"]);
    expect(() => more.model.assertDone()).toThrow("The script has 3 turns, and the model was asked 2 times.");
    const less = await run([], [""]);
    expect(() => less.model.assertDone()).toThrow("asked 4 times");
    expect(Object.isFrozen(less.model.requests[0]?.messages[0])).toBe(true);
  });
});
