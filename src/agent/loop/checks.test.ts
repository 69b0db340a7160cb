import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call, done, good, kinds, PROMPT, run, stored, toolOf } from "../../../test/support/agent-run.ts";
import type { Message } from "../model/message.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { memoryLedger } from "../registry/hooks.ts";
import { UnknownToolError } from "../registry/names.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, scriptedModel } from "../testing/index.ts";
import type { LoopOptions } from "./loop-options.ts";
import { runToolLoop } from "./run-tool-loop.ts";

const options = (changes: object): LoopOptions => ({
  registry: createToolRegistry([good], { log: false }),
  model: scriptedModel(["Hello."]),
  messages: [PROMPT],
  ...changes,
});

describe("the options of a run", () => {
  it.each([
    [{ policy: { maxRounds: undefined } }, "policy.maxRounds must be a whole number from 1, but is undefined"],
    [{ policy: { maxRounds: Number.NaN } }, "policy.maxRounds must be a whole number from 1, but is NaN"],
    [{ policy: { maxModelCalls: "20" } }, "policy.maxModelCalls must be a whole number from 1, but is a string."],
    [{ policy: { deadlineMs: -5 } }, "policy.deadlineMs must be"],
    [{ policy: { modelIdleMs: Number.POSITIVE_INFINITY } }, "policy.modelIdleMs must be"],
    [{ policy: { maxRound: 3 } }, "policy.maxRound is not an option"],
    [{ policy: { history: { timeout: "keep" } } }, "policy.history.timeout must be"],
    [{ policy: { onLimit: "answer" } }, "policy.onLimit must be one of stop, final-answer"],
    [{ model: undefined }, "model must be a function"],
    [{ registry: {} }, "registry must be created by createToolRegistry"],
    [{ messages: "Hi." }, "messages must be a list"],
    [{ output: { city: "string" } }, "output must be a Standard Schema"],
    [{ messages: [{ role: "robot", content: "Hi." }] }, "messages[0]"],
    [{ onMesage: () => undefined }, "onMesage is not an option"],
    [{ onMessage: 5 }, "onMessage must be a function, but is 5."],
    [{ prepareStep: 5 }, "prepareStep must be a function"],
    [{ signal: {} }, "signal must be an AbortSignal, but is an object."],
    [{ runId: 5 }, "runId must be a text that is not empty"],
    [{ fallbackModels: "x" }, "fallbackModels must be a list of functions, but is a string."],
    [{ approvals: "all" }, "approvals must be an object with true, false or { reason } for call ids"],
    [{ approvals: { c1: "yes" } }, "approvals must be an object with true, false or { reason } for call ids"],
    [{ secondChance: "yes" }, "secondChance must be true or false"],
    [{ recover: "no" }, "recover must be true, false or an object"],
    [{ ledger: {} }, "ledger must be an object with get() and set()"],
    [{ prices: { input: "2", output: 8 } }, "prices.input must be a number from 0"],
    [{ prices: { input: -2, output: 8 } }, "prices.input must be a number from 0, but is -2."],
    [{ prices: { input: 2 } }, "prices.output must be a number from 0, but is undefined."],
    [{ policy: { maxCost: 1 } }, "policy.maxCost needs the option 'prices'"],
    [{ policy: { history: "drop" } }, "policy.history must be an object, but is a string."],
    [{ policy: { history: { exec: "drop" } } }, "policy.history.exec is not an option. Options: unknown_tool,"],
    [{ policy: "strict" }, "policy must be an object"],
  ])("options of a run are checked when the run is created: %j", (changes, message) => {
    expect(() => runToolLoop(options(changes))).toThrow(message);
  });

  it("options accept an unlimited number of repeats, a partial history and no deadline", async () => {
    const policy = { maxRepeats: Number.POSITIVE_INFINITY, history: { timeout: "drop" }, deadlineMs: undefined };
    const { reason } = await collectRun(runToolLoop(options({ policy })));
    expect(reason).toBe("answer");
  });

  it("options accept every option of a run, and undefined for each", async () => {
    const all: Required<Omit<LoopOptions, "output" | "outputSchema">> = {
      ...options({}),
      ...{ registry: createToolRegistry([good], { log: false }), model: scriptedModel(["Hello."]), messages: [PROMPT] },
      policy: { maxCost: 1, reading: { rateLimits: "permanent" } },
      onMessage: () => undefined,
      signal: new AbortController().signal,
      context: { user: 1 },
      recover: { mode: "eager", think: "never", maxCandidateChars: 1000 },
      secondChance: true,
      ledger: memoryLedger(),
      runId: "r",
      fallbackModels: [scriptedModel([])],
      prepareStep: () => undefined,
      approvals: { c1: true, c2: { reason: "no" } },
      prices: { input: 1, output: 0, cached: 0.5 },
    };
    expect((await collectRun(runToolLoop(all))).reason).toBe("answer");
    const { registry: _r, model: _m, messages: _x, ...rest } = all;
    const none = Object.fromEntries(Object.keys(rest).map((name) => [name, undefined]));
    expect((await collectRun(runToolLoop(options(none)))).reason).toBe("answer");
  });

  it("options accept messages without content, as APIs store them", async () => {
    const messages = [PROMPT, { role: "assistant", content: null }, PROMPT] as unknown as Message[];
    const { reason } = await collectRun(runToolLoop(options({ messages })));
    expect(reason).toBe("answer");
  });
});

describe("the definition of a tool", () => {
  const define =
    (input: unknown, changes: object = {}) =>
    () =>
      defineTool({ name: "t", input: input as z.ZodObject, run: () => 1, ...changes });

  it.each([
    ["an object of schemas", { city: z.string() }, "must be one schema, such as z.object({ … })"],
    ["the schema of a string", z.string(), "must describe an object"],
    ["the JSON Schema of a string", { type: "string" }, "must describe an object"],
    ["an object that is no JSON Schema", { city: "string" }, "is not a JSON Schema"],
    ["a list", [z.string()], "must be a schema"],
  ])("rejects an input that does not validate an object: %s", (_what, input, message) => {
    expect(define(input)).toThrow(message);
  });

  it.each([
    {},
    { type: "object" },
    { type: ["object", "null"] },
    { properties: { a: {} } },
    { $ref: "#/$defs/a", $defs: {} },
  ])("accepts a JSON Schema of an object: %j", (input) => {
    expect(define(input)).not.toThrow();
  });

  it.each(["weather.get", "a b", "wetter_ä", "x".repeat(65), "a/b"])("rejects a name that APIs reject: %s", (name) => {
    expect(define(z.object({}), { name })).toThrow("letters, digits, '_' and '-'");
  });

  it.each([
    [{ timeoutMS: 5 }, "Tool 't': 'timeoutMS' is not an option"],
    [{ timeoutMs: "5" }, "'timeoutMs' must be"],
    [{ question: 5 }, "Tool 't': 'question' must be a text or a function, but is 5."],
    [{ fallback: "x" }, "Tool 't': 'fallback' must be a function"],
    [{ detectError: true }, "Tool 't': 'detectError' must be a function"],
    [{ idempotent: "yes" }, "Tool 't': 'idempotent' must be true or false"],
    [{ description: 5 }, "Tool 't': 'description' must be a text"],
    [{ idempotent: true, retry: { retrys: 2 } }, "Tool 't': 'retry.retrys' is not an option"],
    [{ idempotent: true, retry: { retries: 2, when: true } }, "Tool 't': 'retry.when' must be a function"],
    [
      { input: { type: "object", properties: { q: { type: "strin" } } } },
      "'input.properties.q.type' must be one of string,",
    ],
  ])("rejects an option that would have no effect: %j", (changes, message) => {
    expect(define(z.object({}), changes)).toThrow(message);
  });

  it("accepts a tool that was defined before, with changes", () => {
    const tool = defineTool({ name: "t", input: z.object({}), run: () => 1 });
    expect(define(z.object({}), { ...tool, timeoutMs: 5 })).not.toThrow();
  });

  it.each([0, 0.5, Number.NaN])("rejects a retry factor of %s, which would shorten the delays", (factor) => {
    expect(define(z.object({}), { idempotent: true, retry: { retries: 2, factor } })).toThrow("'retry.factor'");
  });
});

describe("a leaked call in the final answer without tools", () => {
  it("a leaked call in the final answer is neither shown nor run", async () => {
    let runs = 0;
    const counted = toolOf("counted", () => {
      runs += 1;
      return runs;
    });
    const leak = '<tool_call>{"name": "counted", "arguments": {"n": 9}}</tool_call>';
    const turns = [1, 2].map((n) => ({ calls: [call("counted", { n })] }));
    const { text, messages } = await run([counted], [...turns, `The answer is 2. ${leak}`], {
      policy: { maxRounds: 2 },
    });
    expect(text.trim()).toBe("The answer is 2.");
    expect(messages.at(-1)?.content).not.toContain("tool_call");
    expect(runs).toBe(2);
  });

  it("a leaked call in the final answer is replaced by the message of the limit if nothing else was said", async () => {
    const fine = toolOf("look_up", () => "fine");
    const leak = '<tool_call>{"name": "look_up", "arguments": {"n": 9}}</tool_call>';
    const { text, events } = await run([fine], [{ calls: [call("look_up")] }, leak], { policy: { maxRounds: 1 } });
    expect(text).toBe("");
    expect(kinds(events)).toContain("tool_loop_limit");
  });
});

describe("the strict policy", () => {
  it("throws before any call of the turn runs, and stores the text that was shown", async () => {
    let runs = 0;
    const counted = toolOf("counted", () => {
      runs += 1;
      return runs;
    });
    const saved: Message[] = [];
    const turn = { text: "Let me look.", calls: [call("counted"), call("nope")] };
    const failing = run([counted], [turn], {
      policy: policies.strict,
      onMessage: (message) => {
        saved.push(message);
      },
    });
    await expect(failing).rejects.toThrow(UnknownToolError);
    expect(runs).toBe(0);
    expect(saved.map(({ role, content, toolCalls }) => ({ role, content, toolCalls }))).toEqual([
      { role: "assistant", content: "Let me look.", toolCalls: undefined },
    ]);
  });
});

describe("a call that a turn contains twice", () => {
  it("runs once if id, name and arguments are equal", async () => {
    let runs = 0;
    const pay = toolOf("pay", () => {
      runs += 1;
      return "paid";
    });
    const same = call("pay", '{"to":"ann","id":9007199254740993}', "a");
    const { events } = await run(
      [pay],
      [{ calls: [same, { ...same, arguments: '{"id":9007199254740993,"to":"ann"}' }] }, "Paid."],
    );
    expect(runs).toBe(1);
    expect(done(events).calls).toBe(1);
    expect(stored(events).filter(({ role }) => role === "tool")).toHaveLength(1);
  });

  it("runs twice under two ids if the arguments differ", async () => {
    const { events } = await run(
      [good],
      [{ calls: [call("good", { n: 1 }, "a"), call("good", { n: 2 }, "a")] }, "Ok."],
    );
    expect(done(events).calls).toBe(2);
  });
});

describe("the repeat guard", () => {
  it("treats long integers that differ only in their last digits as different calls", async () => {
    const turns = ["1", "2", "3", "4"].map((id) => ({
      calls: [call("good", `{"id":1234567890123456789${id}}`)],
    }));
    const same = toolOf("good", () => "same");
    const { events } = await run([same], [...turns, "Done."]);
    expect(done(events).failedCalls).toBe(0);
  });

  it("recognizes a call whose keys are in another order", async () => {
    const same = toolOf("good", () => "same");
    const turns = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1, "b":2}', '{ "b":2,"a":1}'].map((args) => ({
      calls: [call("good", args)],
    }));
    const { events } = await run([same], [...turns, "Done."]);
    expect(done(events).failedCalls).toBe(1);
  });
});
