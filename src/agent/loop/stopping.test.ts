import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call, done, good, kinds, PROMPT, run, toolOf } from "../../../test/support/agent-run.ts";
import type { ModelFunction } from "../model/model-function.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, createTestClock, scriptedModel } from "../testing/index.ts";
import { runToolLoop } from "./run-tool-loop.ts";

describe("stopping", () => {
  it("an abort ends the run immediately, keeps finished calls and answers every open one", async () => {
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

  it("a run aborted before it starts does not call the model", async () => {
    const { reason, model } = await run([good], ["never"], { signal: AbortSignal.abort() });
    expect(reason).toBe("aborted");
    expect(model.requests).toHaveLength(0);
  });

  it("an abort in the middle of a turn keeps the text received so far", async () => {
    const stop = new AbortController();
    const model: ModelFunction = async function* () {
      yield { kind: "text", text: "Once upon a time" };
      setTimeout(() => stop.abort(), 5);
      await new Promise(() => undefined);
    };
    const registry = createToolRegistry([good]);
    const result = await collectRun(runToolLoop({ registry, model, messages: [PROMPT], signal: stop.signal }));
    expect(result.reason).toBe("aborted");
    expect(result.messages.at(-1)?.content).toBe("Once upon a time");
  });

  it("leaving the loop early aborts the tools and makes no further model calls", async () => {
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
      messages: [PROMPT],
    })) {
      if (event.kind === "tool_result") break;
    }
    expect(isAborted).toBe(true);
    expect(model.requests).toHaveLength(1);
  });

  it("leaving the loop in the middle of a text closes the model's stream", async () => {
    let isClosed = false;
    const model: ModelFunction = async function* () {
      try {
        for (;;) yield { kind: "text", text: "and so on " };
      } finally {
        isClosed = true;
      }
    };
    for await (const event of runToolLoop({ registry: createToolRegistry([good]), model, messages: [PROMPT] }))
      if (event.kind === "text") break;
    expect(isClosed).toBe(true);
  });

  it("every call of a round that stopped early ends with an event", async () => {
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

  it("a tool result that is not JSON does not break the run", async () => {
    const odd = toolOf("odd", () => ({ big: 10n, self: new Map(), f: () => 1 }));
    const { events, reason } = await run([odd], [{ calls: [call("odd")] }, "Ok."]);
    expect(reason).toBe("answer");
    expect(() => JSON.stringify(events)).not.toThrow();
  });

  it("a tool that succeeds at the third attempt has one result in the history, and the page receives the retries", async () => {
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
      collectRun(runToolLoop({ registry: createToolRegistry([flaky], { clock }), model, messages: [PROMPT] })),
    );
    expect(kinds(events).filter((kind) => kind.startsWith("tool_"))).toEqual([
      "tool_calls",
      "tool_retry",
      "tool_retry",
      "tool_result",
    ]);
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
  });

  it("the history contains the arguments that a fallback actually used", async () => {
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
