import { generateText, stepCountIs, streamText, ToolLoopAgent } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  callsCycle,
  callsRepeat,
  repairToolCall,
  roundsFail,
  ToolCallError,
  toToolSet,
} from "../../src/adapters/ai-sdk/index.ts";
import { createToolRegistry, defineTool, ToolError } from "../../src/agent/index.ts";
import { aiSdkModel } from "../support/ai-sdk-clients.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, respond, type Turn } from "../support/upstream/turn.ts";

let upstream: Upstream;
afterEach(() => upstream.close());

const read = defineTool({
  name: "read",
  description: "Reads a file.",
  input: z.object({ path: z.string() }),
  run: ({ path }) => ({ path, says: "hello" }),
  toModel: ({ path, says }) => `${path} says ${says}`,
});
const crash = defineTool({
  name: "crash",
  input: z.object({}),
  run: () => {
    throw new Error("cannot reach postgres://admin:s3cret@db");
  },
});
const refuse = defineTool({
  name: "refuse",
  input: z.object({}),
  run: () => {
    throw new ToolError("The shop is closed on Mondays.", { userMessage: "Closed today." });
  },
});
const hang = defineTool({ name: "hang", input: z.object({}), timeoutMs: 50, run: () => new Promise<never>(() => {}) });
const long = defineTool({ name: "long", input: z.object({}), maxResultBytes: 10, run: () => "x".repeat(100) });
const whoami = defineTool({ name: "whoami", input: z.object({}), run: (_, { context }) => context });
const registry = createToolRegistry([read, crash, refuse, hang, long, whoami], { aliases: { open_file: "read" } });

async function settings(...turns: Turn[]) {
  upstream = await startUpstream({ script: inOrder(...turns) });
  return {
    model: aiSdkModel("anthropic", upstream.url),
    tools: toToolSet(registry, { context: "Ada" }),
    repairToolCall: repairToolCall(registry),
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    prompt: "Go.",
  };
}

/** Tool results as the model received them. */
function toolResults(nth = 1): { readonly content: unknown; readonly is_error?: boolean }[] {
  const { messages } = JSON.parse(String(upstream.requests[nth]?.body)) as { messages: { content: unknown[] }[] };
  return messages.at(-1)?.content as { content: unknown; is_error?: boolean }[];
}

describe("a registry's tools in the AI SDK", () => {
  it("the registry runs the tool: the program gets the value, the model the tool's text", async () => {
    const { steps } = await generateText(
      await settings(respond(call("read", { path: "a.txt" }), call("whoami")), respond("So.")),
    );
    expect(steps[0]?.toolResults).toMatchObject([{ output: { path: "a.txt", says: "hello" } }, { output: "Ada" }]);
    expect(JSON.stringify(toolResults())).toContain("a.txt says hello");
    expect(upstream.rejections).toEqual([]);
  });

  it("a failure gives the model a safe message without internal details", async () => {
    const calls = [call("read", { file: 1 }), call("crash"), call("refuse"), call("hang")];
    const { steps } = await generateText(await settings(respond(...calls), respond("Sorry.")));
    const results = JSON.stringify(toolResults());
    expect(toolResults().map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    expect(results).toContain("was called without required parameters: path");
    expect(results).toContain("The shop is closed on Mondays.");
    expect(results).toContain("gave no result within 50 ms");
    expect(results).not.toContain("s3cret");
    const errors = steps[0]?.content.flatMap((part) => (part.type === "tool-error" ? [part.error] : [])) ?? [];
    expect(errors.map((error) => ToolCallError.isInstance(error) && error.failure.kind)).toEqual([
      "missing_parameter",
      "execution",
      "execution",
      "timeout",
    ]);
    expect(errors.map((error) => ToolCallError.isInstance(error) && error.failure.userMessage)[2]).toBe(
      "Closed today.",
    );
    expect(upstream.rejections).toEqual([]);
  });

  it("the model gets results truncated to the limit", async () => {
    await generateText(await settings(respond(call("long")), respond("So.")));
    expect(JSON.stringify(toolResults())).toContain("[Cut: 10 of 100 bytes are shown.]");
  });

  it("aliases and almost-valid JSON arguments are accepted", async () => {
    const turns = [respond(call("open_file", { path: "a.txt" }), call("read", '{"path": "b.txt",}')), respond("So.")];
    const steps = await streamText(await settings(...turns)).steps;
    expect(steps[0]?.toolResults.map(({ input }) => input)).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
    expect(upstream.rejections).toEqual([]);
  });

  it("an unknown tool name gives the model the registry's text, with similar names", async () => {
    const { text } = await generateText(await settings(respond(call("read_file", {})), respond("Sorry.")));
    expect(text).toBe("Sorry.");
    expect(toolResults()[0]).toMatchObject({ is_error: true });
    expect(JSON.stringify(toolResults()[0])).toContain("Error repairing tool call: Error: Tool 'read_file' not found.");
    expect(JSON.stringify(toolResults()[0])).toContain("Did you mean: read?");
  });

  it("the tools work in the SDK's own agent", async () => {
    const { prompt, ...rest } = await settings(respond(call("read", { path: "a.txt" })), respond("It says hello."));
    const { text } = await new ToolLoopAgent(rest).generate({ prompt });
    expect(text).toBe("It says hello.");
    expect(JSON.stringify(toolResults())).toContain("a.txt says hello");
  });

  it("aborting the run stops the tools", async () => {
    const stopping = new AbortController();
    const result = streamText({
      ...(await settings(respond(call("hang")), respond("So."))),
      abortSignal: stopping.signal,
    });
    setTimeout(() => stopping.abort(), 20);
    const kinds: string[] = [];
    for await (const part of result.fullStream) kinds.push(part.type);
    expect(kinds).toContain("abort");
  });
});

describe("conditions that stop an agent of the AI SDK", () => {
  const sent = async (turn: (nth: number) => Turn, stopWhen: Parameters<typeof generateText>[0]["stopWhen"]) => {
    const turns = Array.from({ length: 20 }, (_, nth) => turn(nth));
    await generateText({ ...(await settings(...turns)), stopWhen: stopWhen ?? stepCountIs(20) });
    return upstream.requests.length;
  };
  const limit = stepCountIs(20);

  it("callsRepeat stops after the fourth equal call, and after the third repeat of a cycle", async () => {
    expect(await sent(() => respond(call("read", { path: "a" })), [limit, callsRepeat()])).toBe(4);
    await upstream.close();
    expect(await sent((nth) => respond(call("read", { path: `${nth % 2}` })), [limit, callsRepeat()])).toBe(5);
    await upstream.close();
    expect(await sent((nth) => respond(call("read", { path: `${nth}` })), [limit, callsRepeat()])).toBe(20);
  });

  it("callsCycle leaves repeats of one call alone", async () => {
    expect(await sent(() => respond(call("read", { path: "a" })), [limit, callsCycle()])).toBe(20);
    await upstream.close();
    expect(await sent((nth) => respond(call("read", { path: `${nth % 3}` })), [limit, callsCycle()])).toBe(6);
  });

  it("roundsFail stops after three steps in which every call failed", async () => {
    expect(await sent((nth) => respond(call("read", { file: nth })), [limit, roundsFail()])).toBe(3);
    await upstream.close();
    const mixed = (nth: number): Turn => respond(call("crash"), call("read", { path: `${nth}` }));
    expect(await sent(mixed, [limit, roundsFail()])).toBe(20);
  });

  it("stops a ToolLoopAgent", async () => {
    const { prompt, ...agent } = await settings(
      ...Array.from({ length: 20 }, () => respond(call("read", { path: "a" }))),
    );
    await new ToolLoopAgent({ ...agent, stopWhen: [limit, callsRepeat()] }).generate({ prompt });
    expect(upstream.requests).toHaveLength(4);
  });
});
