import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call, done, good, kinds, PROMPT, run, toolOf } from "../../../test/support/agent-run.ts";
import type { Message } from "../model/message.ts";
import type { ModelDelta, ModelFunction } from "../model/model-function.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import type { LoopEvent } from "./events.ts";

/** A turn with the tokens that it used. */
const spending = (turn: { text?: string; name?: string }, input: number, output: number): ScriptedTurn => [
  ...(turn.text === undefined ? [] : [{ kind: "text", text: turn.text } as const]),
  ...(turn.name === undefined
    ? []
    : [{ kind: "call", call: { id: `${turn.name}${input}`, name: turn.name, arguments: { input } } } as const]),
  { kind: "finish", reason: "stop", usage: { input_tokens: input, output_tokens: output } },
];
const eventsOf = <K extends LoopEvent["kind"]>(events: readonly LoopEvent[], kind: K) =>
  events.filter((event): event is LoopEvent & { kind: K } => event.kind === kind);

describe("the usage of a run", () => {
  it("usage is reported per round and in total, with its cost", async () => {
    const turns = [spending({ name: "good" }, 1000, 100), spending({ text: "Done." }, 2000, 50)];
    const { events, usage, cost } = await run([good], turns, { prices: { input: 2, output: 10 } });
    expect(eventsOf(events, "usage").map(({ round, usage: used, cost: price }) => [round, used, price])).toEqual([
      [1, { input_tokens: 1000, output_tokens: 100 }, 0.003],
      [2, { input_tokens: 2000, output_tokens: 50 }, 0.0045],
    ]);
    expect(done(events)).toMatchObject({ usage: { input_tokens: 3000, output_tokens: 150 }, cost: 0.0075 });
    expect([usage, cost]).toEqual([{ input_tokens: 3000, output_tokens: 150 }, 0.0075]);
  });

  it.each([
    [{ maxTokens: 1000 }, "token-limit"],
    [{ maxCost: 0.002 }, "cost-limit"],
  ] as const)("beyond %j ends the run with an answer", async (policy, reason) => {
    const turns = [spending({ name: "good" }, 1000, 100), spending({ text: "So far: good." }, 100, 10)];
    const result = await run([good], turns, { policy, prices: { input: 2, output: 10 } });
    expect([result.reason, result.text]).toEqual([reason, "So far: good."]);
    expect(result.model.requests[1]?.toolChoice).toBe("none");
    result.model.assertDone();
  });

  it("usage is absent if the model reports none", async () => {
    const { events, usage } = await run([good], ["Hello."], { policy: { maxTokens: 1 } });
    expect([usage, "usage" in done(events), done(events).reason]).toEqual([{}, false, "answer"]);
  });
});

describe("a call that waits for an approval", () => {
  const paid: unknown[] = [];
  const pay = toolOf("pay", (input) => {
    paid.push(input);
    return "paid";
  });
  const approve = ({ name }: { name: string }) => (name === "pay" ? ("suspend" as const) : true);
  const turns = [{ text: "One moment.", calls: [call("pay", '{"to":"ann"}', "p"), call("good", {}, "g")] }];

  /** The conversation as another process loads it. */
  async function suspended(): Promise<Message[]> {
    paid.length = 0;
    const result = await run([pay, good], turns, {}, { hooks: { approve } });
    expect(result.reason).toBe("approval");
    expect(done(result.events).pending).toEqual([{ callId: "p", name: "pay", input: { to: "ann" } }]);
    expect(kinds(result.events)).toContain("tool_pending");
    return JSON.parse(JSON.stringify(result.messages)) as Message[];
  }

  it("a call that waits for an approval ends the run without a result for it, and keeps the results of other calls", async () => {
    const messages = await suspended();
    expect(messages.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
      ["user", undefined],
      ["assistant", undefined],
      ["tool", "g"],
    ]);
    expect(paid).toEqual([]);
  });

  it("runs in a later run that approves it, which then continues", async () => {
    const messages = await suspended();
    const result = await run(
      [pay, good],
      ["Ann is paid."],
      { messages, approvals: { p: true } },
      { hooks: { approve } },
    );
    expect(paid).toEqual([{ to: "ann" }]);
    expect(
      result.model.requests[0]?.messages.filter(({ role }) => role === "tool").map(({ content }) => content),
    ).toEqual(["paid", '{"good":{}}']);
    expect([result.reason, result.text]).toEqual(["answer", "Ann is paid."]);
  });

  it("a call waiting for approval is refused by a later run with a reason for the model", async () => {
    const messages = await suspended();
    const approvals = { p: { reason: "Too expensive." } };
    const result = await run([pay, good], ["I will not pay."], { messages, approvals }, { hooks: { approve } });
    expect(paid).toEqual([]);
    expect(JSON.stringify(result.model.requests[0]?.messages)).toContain("was not allowed to run. Too expensive.");
  });

  it("a call that waits for an approval stays pending in a later run without a decision on it", async () => {
    const messages = await suspended();
    const result = await run([pay, good], [], { messages, approvals: { other: true } }, { hooks: { approve } });
    expect([result.reason, result.pending]).toEqual(["approval", [{ callId: "p", name: "pay", input: { to: "ann" } }]]);
  });

  it("a call waiting for approval is not approved by a decision on an earlier call with the same id", async () => {
    const messages = await suspended();
    const again = [{ calls: [call("pay", { to: "bob" }, "p")] }];
    const result = await run([pay, good], again, { messages, approvals: { p: true } }, { hooks: { approve } });
    expect(paid).toEqual([{ to: "ann" }]);
    expect(result.reason).toBe("approval");
  });

  it("counts as not approved if the conversation goes on without a decision", async () => {
    const messages: Message[] = [...(await suspended()), { role: "user", content: "Never mind." }];
    const { model } = await run([pay, good], ["Fine."], { messages });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("This call was not approved. It did not run.");
    expect(paid).toEqual([]);
  });
});

describe("prepareStep", () => {
  it("chooses model, tools and prompt of each step", async () => {
    const other = scriptedModel(["From the other model."]);
    const { text, model } = await run([good, toolOf("secret", () => 1)], [{ calls: [call("secret"), call("good")] }], {
      messages: [{ role: "system", content: "Old." }, PROMPT],
      prepareStep: ({ round, calls }) =>
        round === 1 ? { tools: ["good"], system: "New." } : ({ model: calls > 0 ? other : undefined } as object),
    });
    expect(text).toBe("From the other model.");
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["good"]);
    expect(model.requests[0]?.messages[0]).toEqual({ role: "system", content: "New." });
    expect(JSON.stringify(other.requests[0]?.messages)).toContain("Tool 'secret' cannot be called now");
    expect(other.requests[0]?.messages[0]).toEqual({ role: "system", content: "Old." });
  });

  it("a prepareStep that throws ends the run with an error", async () => {
    const { reason } = await run([good], [], {
      prepareStep: () => {
        throw new Error("bug");
      },
    });
    expect(reason).toBe("model-error");
  });
});

describe("fallback models", () => {
  const broken: ModelFunction = () => {
    throw Object.assign(new Error("overloaded"), { status: 503 });
  };

  it("fallback models answer if the model fails before any output", async () => {
    const spare = scriptedModel(["Here I am."]);
    const { reason, text, events } = await run([good], [], {
      model: broken,
      fallbackModels: [broken, spare],
      policy: { modelRetries: 0 },
    });
    expect([reason, text, done(events).modelCalls]).toEqual(["answer", "Here I am.", 3]);
  });

  it("fallback models are not used after text was shown", async () => {
    const spare = scriptedModel(["Again."]);
    const half: ModelFunction = async function* (): AsyncGenerator<ModelDelta> {
      yield { kind: "text", text: "Half" };
      throw new Error("cut");
    };
    const { reason, text } = await run([good], [], { model: half, fallbackModels: [spare] });
    expect([reason, text, spare.requests.length]).toEqual(["model-error", "Half", 0]);
  });
});

describe("hooks around calls", () => {
  it("hooks see and change requests to the model and calls of tools", async () => {
    const seen: string[] = [];
    const { messages } = await run(
      [good],
      [{ calls: [call("good")] }, "Done."],
      {},
      {
        hooks: {
          aroundModel: (request, next) => {
            seen.push(`model ${request.round}`);
            return next({ ...request, messages: [...request.messages, { role: "user", content: "(extra)" }] });
          },
          aroundCall: async (made, next) => {
            seen.push(`before ${made.name}`);
            const outcome = await next();
            seen.push(`after ${outcome.ok}`);
            return outcome;
          },
        },
      },
    );
    expect(seen).toEqual(["model 1", "before good", "after true", "model 2"]);
    expect(messages.at(-1)?.content).toBe("Done.");
  });

  it("a hook that throws fails the call or the model call", async () => {
    const throwing = () => {
      throw new Error("hook bug");
    };
    const failed = await run([good], [{ calls: [call("good")] }, "Sorry."], {}, { hooks: { aroundCall: throwing } });
    expect(eventsOf(failed.events, "tool_failed")).toHaveLength(1);
    const model = await run([good], [], { policy: { modelRetries: 0 } }, { hooks: { aroundModel: throwing } });
    expect(model.reason).toBe("model-error");
  });
});

describe("a structured final answer", () => {
  const output = z.object({ city: z.string(), degrees: z.number() });

  it("a structured answer is validated and returned as a value", async () => {
    const { output: value, model } = await run([good], ['```json\n{"city": "Paris", "degrees": 21}\n```'], { output });
    expect(value).toEqual({ city: "Paris", degrees: 21 });
    expect(model.requests[0]?.messages.at(-1)?.content).toContain('"degrees"');
  });

  it("a structured answer is requested again with its problems", async () => {
    const answers = ["It is warm.", '{"city": "Paris"}', '{"city": "Paris", "degrees": 21}'];
    const { output: value, model, reason } = await run([good], answers, { output });
    expect([value, reason]).toEqual([{ city: "Paris", degrees: 21 }, "answer"]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("it is not JSON");
    expect(model.requests[2]?.messages.at(-1)?.content).toContain("- degrees: ");
  });

  it("a structured answer is absent if the model never gives a valid one", async () => {
    const result = await run([good], ["a", "b", "c", "d"], { output });
    expect(["output" in result, result.reason]).toEqual([false, "failed-rounds"]);
  });
});

describe("a turn that the provider pauses", () => {
  it("continues in the next request", async () => {
    const { text, reason, model } = await run([good], [{ text: "Searching. ", finish: "pause" }, "Found it."]);
    expect([text, reason]).toEqual(["Searching. Found it.", "answer"]);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });
});

describe("a caller's function that never ends", () => {
  it.each(["prepareStep", "aroundCall"])(
    "a caller's function that never ends does not delay an abort: %s",
    async (name) => {
      const stop = new AbortController();
      const hang = () => {
        setImmediate(() => stop.abort());
        return new Promise<never>(() => undefined);
      };
      const { reason } = await run(
        [good],
        [{ calls: [call("good")] }],
        { signal: stop.signal, ...(name === "prepareStep" && { prepareStep: hang }) },
        name === "aroundCall" ? { hooks: { aroundCall: hang } } : {},
      );
      expect(reason).toBe("aborted");
    },
  );
});

describe("what happens inside a turn", () => {
  it("includes the arguments of a call while the model writes them", async () => {
    const parts: ScriptedTurn = [
      { kind: "call-part", index: 0, id: "a", name: "good", arguments: '{"n"' },
      { kind: "call-part", index: 0, arguments: ":1}" },
      { kind: "finish", reason: "tool-calls" },
    ];
    const { events } = await run([good], [parts, "Done."]);
    expect(eventsOf(events, "tool_arguments").map(({ callId, name, text }) => [callId, name, text])).toEqual([
      ["a", "good", '{"n"'],
      ["a", "good", ":1}"],
    ]);
  });

  it("includes the progress of a tool, reported or yielded", async () => {
    const copying = toolOf("copy", (_, { progress }) => {
      progress({ done: 1 });
      return "copied";
    });
    const counting = toolOf("count", async function* () {
      yield 1;
      yield 2;
      return "counted";
    });
    const listing = toolOf("list", function* () {
      yield "a";
      yield "b";
    });
    const calls = [call("copy"), call("count"), call("list")];
    const { events, messages } = await run([copying, counting, listing], [{ calls }, "Done."]);
    expect(eventsOf(events, "tool_progress").map(({ name, value }) => [name, value])).toEqual(
      expect.arrayContaining([
        ["copy", { done: 1 }],
        ["count", 1],
        ["count", 2],
      ]),
    );
    expect(eventsOf(events, "tool_result").find(({ name }) => name === "list")?.result).toEqual(["a", "b"]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "copied",
      "counted",
      '["a","b"]',
    ]);
  });

  it("includes images of a tool's result for the model", async () => {
    const shot = toolOf("shot", () => "raw", {
      toModel: () => [
        { kind: "text", text: "Here:" },
        { kind: "image", mediaType: "image/png", data: "AAAA" },
      ],
    });
    const { model } = await run([shot], [{ calls: [call("shot")] }, "Nice."]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: "Here:\n[image image/png]",
      parts: [{ kind: "text", text: "Here:" }, { kind: "image" }],
    });
  });
});
