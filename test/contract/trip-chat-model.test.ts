import { afterEach, describe, expect, it } from "vitest";
import { chatCompletions } from "../../examples/trip-chat/chat-completions.ts";
import { TOOLS } from "../../examples/trip-chat/tools.ts";
import { createToolRegistry, runToolLoop } from "../../src/agent/index.ts";
import { collectRun } from "../../src/agent/testing/index.ts";
import { inOrder, type Script } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, refuse, respond, say } from "../support/upstream/turn.ts";

let upstream: Upstream | undefined;
afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

async function run(script: Script) {
  upstream = await startUpstream({ script });
  const model = chatCompletions({ url: `${upstream.url}/v1`, key: "test", model: "gpt-scripted-1" });
  const registry = createToolRegistry(TOOLS);
  const messages = [{ role: "user", content: "Where can I eat?" }] as const;
  return collectRun(runToolLoop({ registry, model, messages, context: { destination: "Paris, France", reply: "x" } }));
}

// The upstream rejects every history that a provider would reject.
describe("the trip chat with a real model's API", () => {
  it("a run with a fallback, a failure, an unknown tool and a leaked call is accepted to its end", async () => {
    const { reason, events } = await run(
      inOrder(
        respond(
          say("Let me see."),
          call("search_places", { query: "dinner" }),
          call("get_weather", { location: "Paris" }),
        ),
        respond(call("web<|channel|>search", {}), call("book_table", { restaurant: "Chez Nous" })),
        respond(say('<tool_call>{"name": "search_places", "arguments": {"location": "Lyon"}}</tool_call>')),
        respond(say("Try Chez Nous.")),
      ),
    );
    expect(events.filter(({ kind }) => kind === "model_error")).toEqual([]);
    expect(reason).toBe("answer");
    expect(upstream?.requests).toHaveLength(4);
  });

  it("a rejected request is reported as a safe category", async () => {
    const { events } = await run(() => refuse(401));
    expect(events.find(({ kind }) => kind === "model_error")).toMatchObject({
      error: { category: "authentication_failed" },
    });
  });
});
