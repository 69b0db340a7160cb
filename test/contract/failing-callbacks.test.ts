import { generateText, jsonSchema, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mendMiddleware } from "../../src/adapters/ai-sdk/index.ts";
import { mendFetch } from "../../src/adapters/fetch/index.ts";
import { createReporter } from "../../src/adapters/reporter/index.ts";
import { createToolRegistry, fromSSE, type LoopEvent, toSSE } from "../../src/agent/index.ts";
import { bad, call, good, run } from "../support/agent-run.ts";

// A callback that only observes may fail in any way. Its types accept async functions, so it may also reject.

const LEAK = '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>';

let unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
let others: NodeJS.UnhandledRejectionListener[] = [];

beforeEach(() => {
  unhandled = [];
  others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const listener of others) process.on("unhandledRejection", listener);
});

/** A function that fails as asked, and the number of its calls. */
type Failing = () => never;
const FAILURES: Record<string, (calls: string[]) => Failing> = {
  throws: (calls) => () => {
    calls.push("called");
    throw new Error("db is down");
  },
  // The type of a callback without a result accepts this one too.
  rejects: (calls) =>
    (async () => {
      calls.push("called");
      throw new Error("db is down");
    }) as unknown as Failing,
};

async function sendChat(content: object, callbacks: { readonly onLeak?: Failing; readonly onCall?: Failing }) {
  const completion = { id: "c", choices: [{ index: 0, message: content, finish_reason: "stop" }] };
  const send = mendFetch({ ...callbacks, fetch: async () => Response.json(completion) });
  const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], tools });
  return (await send("https://provider.test/v1/chat/completions", { method: "POST", body })).json();
}

async function generate(content: readonly object[], callbacks: Parameters<typeof mendMiddleware>[0]) {
  const model = new MockLanguageModelV4({
    provider: "mock",
    modelId: "m",
    // The mock accepts the parts of any response.
    doGenerate: async () =>
      ({
        content,
        finishReason: { unified: "stop" },
        usage: { inputTokens: {}, outputTokens: {} },
        warnings: [],
      }) as never,
  });
  const input = jsonSchema({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });
  return generateText({
    model: wrapLanguageModel({ model, middleware: mendMiddleware(callbacks) }),
    prompt: "Hi",
    tools: { read: tool({ inputSchema: input }) },
  });
}

async function* brokenRun(): AsyncGenerator<LoopEvent> {
  yield { kind: "text", round: 1, turn: "t", text: "Hi" };
  throw new Error("The run broke.");
}

const native = (name: string) => ({
  role: "assistant",
  tool_calls: [{ id: "1", type: "function", function: { name, arguments: "{}" } }],
});
const callPart = (toolName: string) => ({ type: "tool-call", toolCallId: "1", toolName, input: "{}" });

const CALLBACKS: Record<string, (failing: Failing) => Promise<unknown>> = {
  "onLeak of mendFetch": (onLeak) => sendChat({ role: "assistant", content: LEAK }, { onLeak }),
  "onCall of mendFetch": (onCall) => sendChat(native("Read"), { onCall }),
  "onLeak of mendMiddleware": (onLeak) => generate([{ type: "text", text: LEAK }], { onLeak }),
  "onCall of mendMiddleware": (onCall) => generate([callPart("Read")], { onCall }),
  "onSecondChance of mendMiddleware": (onSecondChance) =>
    generate([callPart("nope")], { secondChance: true, onSecondChance }),
  "log of a registry": (log) => run([bad], [{ calls: [call("bad")] }, "Done."], {}, { log }),
  "hooks.log": (log) => run([bad], [{ calls: [call("bad")] }, "Done."], {}, { hooks: { log } }),
  "hooks.onOutcome": (onOutcome) => run([good], [{ calls: [call("good")] }, "Done."], {}, { hooks: { onOutcome } }),
  "hooks.onOutcome for a refused call": (onOutcome) =>
    run([good], [{ calls: [call("good")] }, "Done."], { policy: { maxCallsPerRun: 1 } }, { hooks: { onOutcome } }),
  "onProgress of a call": async (onProgress) => {
    const registry = createToolRegistry([reporting]);
    return registry.call({ id: "1", name: "reporting", arguments: {} }, { onProgress });
  },
  "onDropped of a reporter": async (onDropped) => {
    const fetch = async () => new Response("no", { status: 400 });
    const reporter = createReporter({ url: "http://127.0.0.1:9", session: "s", fetch, onDropped });
    const registry = createToolRegistry([good], { hooks: reporter });
    await registry.call({ id: "1", name: "good", arguments: {} });
    await reporter.flush();
  },
  "onError of toSSE": async (onError) => new Response(toSSE(brokenRun(), { onError })).text(),
  "onCancel of toSSE": async (onCancel) => toSSE(brokenRun(), { onCancel }).cancel(),
  "onId of fromSSE": async (onId) => {
    for await (const event of fromSSE(toSSE(brokenRun()), { onId })) expect(event.kind).toBeOneOf(["text", "done"]);
  },
};

const reporting = {
  ...good,
  name: "reporting",
  run: (_input: unknown, context: Parameters<typeof good.run>[1]) => {
    context.progress("half");
    return "whole";
  },
};

describe.each(Object.keys(FAILURES))("a callback that %s", (failure) => {
  it.each(Object.entries(CALLBACKS))("is ignored as %s", async (_, start) => {
    const calls: string[] = [];
    await start(FAILURES[failure]?.(calls) as Failing);
    // Rejections count as unhandled when the microtasks are done.
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(calls).toContain("called");
    expect(unhandled).toEqual([]);
  });
});
