import { describe, expect, it } from "vitest";
import { z } from "zod";
import { placeCandidates } from "../../../examples/trip-chat/place-candidates.ts";
import type { Message } from "../model/message.ts";
import { policies } from "../policy/policy.ts";
import type { Tool } from "../registry/define-tool.ts";
import { defineTool } from "../registry/define-tool.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { providerError } from "../sanitize/provider-error.ts";
import { collectRun, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import { appendToolResult, rebuildConversation, uniqueToolResultsByCallId } from "../view/index.ts";
import type { LoopEvent } from "./events.ts";
import { runToolLoop } from "./run-tool-loop.ts";

/** Tools as in the original: they validate their own arguments and return errors. */
const returning = (
  name: string,
  result: (input: { [key: string]: unknown }) => unknown,
  behaviour: Partial<Tool> = {},
): Tool => ({
  ...defineTool({ name, input: z.looseObject({}), run: result }),
  ...behaviour,
});
const call = (name: string, args: unknown = {}, id?: string) => ({
  name,
  arguments: args,
  ...(id !== undefined && { id }),
});

async function run(tools: readonly Tool[], turns: readonly ScriptedTurn[], context?: unknown) {
  const model = scriptedModel(turns);
  const registry = createToolRegistry(tools, { breaker: false });
  const messages: Message[] = [{ role: "user", content: "Help me plan." }];
  const result = await collectRun(runToolLoop({ registry, model, messages, policy: policies.voyage, context }));
  return { ...result, model };
}
const kinds = (events: readonly LoopEvent[]): string[] => events.map(({ kind }) => kind);
const stored = (events: readonly LoopEvent[]): Message[] =>
  events.flatMap((event) => (event.kind === "message" ? [event.message] : []));
const count = (events: readonly LoopEvent[], wanted: string): number =>
  kinds(events).filter((kind) => kind === wanted).length;

describe("the error classification of the design document", () => {
  const outcomes = [
    [{ error: "dates is required" }, "missing_parameter"],
    [{ error: "Web search failed" }, "execution"],
    [{ places: [] }, "ok"],
  ] as const;
  it.each(outcomes)("classifies outcomes into categories with a behavior each: %j is %s", async (result, kind) => {
    const outcome = await createToolRegistry([returning("t", () => result)]).call(
      { id: "1", name: "t", arguments: {} },
      { reading: policies.voyage.reading },
    );
    expect(outcome.ok ? "ok" : outcome.failure.kind).toBe(kind);
  });
});

describe("required-parameter validation errors", () => {
  const needy = returning("get_weather", ({ dates }) =>
    dates === undefined ? { error: "dates is required" } : { ok: true },
  );

  it("detects required-parameter errors by the '... is required' pattern in the error field of the result", async () => {
    const { events } = await run([needy], [{ calls: [call("get_weather")] }]);
    expect(count(events, "tool_validation_error")).toBe(1);
  });

  it("a required-parameter error ends the run immediately with a user-visible error", async () => {
    const { model, events, reason } = await run([needy], [{ calls: [call("get_weather")] }]);
    model.assertDone();
    expect(reason).toBe("missing-parameter");
    expect(stored(events).at(-1)?.content).toBe(
      "The assistant attempted to call 'get_weather' without required arguments (dates is required). Please try your message again with more specific details.",
    );
  });

  it("never replays required-parameter errors into the model's history", async () => {
    const { messages, events } = await run([needy], [{ calls: [call("get_weather")] }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(stored(events).every(({ toolCalls, role }) => toolCalls === undefined && role !== "tool")).toBe(true);
  });

  it("a required-parameter error keeps text and successful calls so far, and later calls are not run", async () => {
    let after = 0;
    const later = returning("later", () => (after += 1));
    const fine = returning("fine", () => "ok");
    const { messages } = await run(
      [needy, fine, later],
      [{ text: "Looking.", calls: [call("fine", {}, "f"), call("get_weather"), call("later")] }],
    );
    expect(after).toBe(0);
    expect(messages.slice(1)).toMatchObject([
      { role: "assistant", content: "Looking.", toolCalls: [{ id: "f" }] },
      { role: "tool", toolCallId: "f" },
      { role: "assistant", content: expect.stringContaining("without required arguments") },
    ]);
  });

  const search = (seen: unknown[]): Tool =>
    returning(
      "search_places",
      ({ location }) => {
        seen.push(location);
        if (location === undefined) return { error: "location is required" };
        return location === "Atlantis" ? { error: "Could not geocode location: Atlantis" } : { results: [location] };
      },
      {
        fallback: (failure, { context }) =>
          failure.kind === "missing_parameter" || failure.detail?.startsWith("Could not geocode location") === true
            ? placeCandidates(context as object).map((location) => ({ location }))
            : undefined,
        question: "Could you share the specific location you'd like me to search near?",
      },
    );

  it("search_places without a location uses the trip's destination before it reports anything", async () => {
    const seen: unknown[] = [];
    const { events } = await run([search(seen)], [{ calls: [call("search_places")] }, "Here."], {
      destination: "Paris, France; London; +2 more",
    });
    expect(seen).toEqual([undefined, "Paris, France"]);
    expect(count(events, "tool_result")).toBe(1);
    expect(count(events, "clarify") + count(events, "tool_validation_error")).toBe(0);
  });

  it("search_places without a destination uses the first stop", async () => {
    const seen: unknown[] = [];
    await run([search(seen)], [{ calls: [call("search_places")] }, "Here."], {
      destination: "",
      stops: ["", "Lyon", "Nice"],
    });
    expect(seen).toEqual([undefined, "Lyon"]);
  });

  it("search_places without any context asks the user; the question is streamed and stored, and the run ends", async () => {
    const seen: unknown[] = [];
    const { events, reason, messages } = await run([search(seen)], [{ calls: [call("search_places")] }], {});
    expect(seen).toEqual([undefined]);
    expect(reason).toBe("clarify");
    const question = "Could you share the specific location you'd like me to search near?";
    expect(events.find(({ kind }) => kind === "clarify")).toMatchObject({ text: question });
    expect(messages.at(-1)?.content).toBe(question);
  });

  it("'Could not geocode location' uses the same fallbacks before it is a terminal failure", async () => {
    const seen: unknown[] = [];
    const { reason, messages } = await run(
      [search(seen)],
      [{ calls: [call("search_places", { location: "Atlantis" })] }, "Here."],
      { destination: "Rome" },
    );
    expect(seen).toEqual(["Atlantis", "Rome"]);
    expect(reason).toBe("answer");
    expect(messages[1]?.toolCalls?.[0]?.arguments).toEqual({ location: "Rome" });
  });

  it("an unknown place without context is an execution failure like any other", async () => {
    const { reason, model } = await run(
      [search([])],
      [1, 2, 3].map((n) => ({ calls: [call("search_places", { location: "Atlantis", n })] })),
      {},
    );
    expect(reason).toBe("failed-rounds");
    model.assertDone();
  });
});

describe("execution failures", () => {
  const failing = returning("web_search", () => ({ error: "Web search failed" }));
  const fine = returning("fine", (input) => input);

  it("classifies all other results with an error as execution failures", async () => {
    const { events } = await run(
      [failing],
      [1, 2, 3].map(() => ({ calls: [call("web_search")] })),
    );
    expect(
      events
        .filter((event) => event.kind === "tool_failed")
        .every((event) => event.kind === "tool_failed" && event.error.category === "execution"),
    ).toBe(true);
  });

  it("never replays execution failures into the model's context: neither calls, nor results, nor stored entries", async () => {
    const { model, events, messages } = await run(
      [failing, fine],
      [
        { calls: [call("web_search", {}, "w"), call("fine", {}, "f")] },
        { calls: [call("web_search", {}, "w2")] },
        "Done.",
      ],
    );
    for (const { messages: prompt } of model.requests) {
      expect(JSON.stringify(prompt)).not.toContain("web_search");
      expect(JSON.stringify(prompt)).not.toContain("Web search failed");
    }
    expect(JSON.stringify(stored(events))).not.toContain("web_search");
    expect(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId)).toEqual(["f"]);
  });

  it("iterations count only rounds with at least one success, up to ten", async () => {
    const turns: ScriptedTurn[] = Array.from({ length: 10 }, (_, n): ScriptedTurn[] => [
      { calls: [call("web_search", { n })] },
      { calls: [call("fine", { n })] },
    ]).flat();
    const { reason, model, events } = await run([failing, fine], turns);
    model.assertDone();
    expect(reason).toBe("round-limit");
    expect(stored(events).at(-1)?.content).toBe(
      "The assistant stopped after too many tool calls. Please try again with a more specific request.",
    );
  });

  it("rounds in which every tool fails are limited to three", async () => {
    let runs = 0;
    const counted = returning("web_search", () => {
      runs += 1;
      return { error: "Web search failed" };
    });
    const { model, events, reason } = await run(
      [counted],
      Array.from({ length: 3 }, () => ({ calls: [call("web_search")] })),
    );
    model.assertDone();
    expect([runs, reason]).toEqual([3, "failed-rounds"]);
    // The design document: "Execution failures emit a tool_execution_error SSE event".
    expect(count(events, "tool_execution_error")).toBe(3);
    expect(count(events, "tool_loop_limit")).toBe(0);
    expect(count(events, "tool_result")).toBe(0);
    expect(stored(events)).toHaveLength(1);
    expect(stored(events)[0]?.content).toContain("could not complete 'web_search'");
  });

  it("a success resets the count", async () => {
    const turns: ScriptedTurn[] = [
      call("web_search"),
      call("web_search", { n: 1 }),
      call("fine"),
      call("web_search"),
      call("web_search", { n: 2 }),
    ].map((one) => ({ calls: [one] }));
    expect((await run([failing, fine], [...turns, "Done."])).reason).toBe("answer");
  });

  it("permanent failures (retryable: false) stop the run immediately", async () => {
    const missing = returning("web_search", () => ({ error: "Web search is not installed", retryable: false }));
    const { model, reason, events } = await run([missing], [{ calls: [call("web_search")] }]);
    model.assertDone();
    expect(reason).toBe("permanent-failure");
    expect(count(events, "tool_execution_error")).toBe(1);
  });

  it("HTTP 429 inside a tool is permanent, while the model retries other HTTP and network errors", async () => {
    const throwing = (error: unknown): Tool =>
      returning("search_places", () => {
        throw error;
      });
    expect(
      (await run([throwing(Object.assign(new Error("x"), { status: 429 }))], [{ calls: [call("search_places")] }]))
        .reason,
    ).toBe("permanent-failure");
    const again = await run(
      [throwing(Object.assign(new Error("x"), { status: 502 }))],
      Array.from({ length: 3 }, () => ({ calls: [call("search_places")] })),
    );
    expect(again.reason).toBe("failed-rounds");
  });

  it("emits one tool_execution_error with sanitized text, and stores the message it sent", async () => {
    const leaky = returning("web_search", () => ({
      error: "Request to https://bob:hunter2@search.internal/x failed",
      retryable: false,
    }));
    const { events } = await run([leaky], [{ calls: [call("web_search")] }]);
    const event = events.find(({ kind }) => kind === "tool_execution_error") as LoopEvent & {
      kind: "tool_execution_error";
    };
    expect(event.error.message).toBe(
      "The assistant could not complete 'web_search' (Request to [url with credentials] failed). Please try again in a moment or adjust your request.",
    );
    expect(stored(events).at(-1)?.content).toBe(event.error.message);
  });
});

describe("error sanitization", () => {
  it.each([
    [{ status: 404, message: "model gpt-x not found" }, "model_not_found"],
    [{ name: "AuthenticationError", status: 401 }, "authentication_failed"],
    [{ name: "RateLimitError", status: 429 }, "rate_limited"],
    [{ name: "BadRequestError", status: 400 }, "invalid_request"],
    [{ name: "APIConnectionError" }, "provider_unreachable"],
    [
      new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
      "provider_unreachable",
    ],
    [new Error("key sk-abcdefghijklmnopqrstuvwxyz was refused"), "unknown_error"],
    ["text", "unknown_error"],
    [undefined, "unknown_error"],
  ])("maps provider errors to user-safe categories and never forwards their text: %j", (error, category) => {
    const safe = providerError(error);
    expect(safe.category).toBe(category);
    expect(safe.message).not.toContain("sk-");
  });

  it("an exception of a tool is reported as exactly 'Tool execution failed'", async () => {
    const boom = returning("web_search", () => {
      throw new Error("secret detail");
    });
    const outcome = await createToolRegistry([boom]).call({ id: "1", name: "web_search", arguments: {} });
    expect(outcome).toMatchObject({ failure: { modelMessage: '{"error":"Tool execution failed"}' } });
    const { events } = await run(
      [boom],
      Array.from({ length: 3 }, () => ({ calls: [call("web_search")] })),
    );
    expect(stored(events).at(-1)?.content).toBe(
      "The assistant could not complete 'web_search' (Tool execution failed). Please try again in a moment or adjust your request.",
    );
  });
});

describe("tool-result deduplication in the frontend, three layers by tool_call_id", () => {
  const calling: Message = { role: "assistant", content: "", toolCalls: [{ id: "a", name: "t", arguments: {} }] };
  const row: Message = { role: "tool", toolCallId: "a", content: '{"n":1}' };

  it("a rebuild takes results from role=tool rows only and ignores those on assistant messages", () => {
    const claimed = { ...calling, tool_results: [{ tool_call_id: "a", result: "invented" }] } as Message;
    const results = rebuildConversation([claimed, row]).flatMap(({ tools }) => tools.map(({ result }) => result));
    expect(results).toEqual([{ n: 1 }]);
    expect(rebuildConversation([claimed])[0]?.tools).toMatchObject([{ state: "running" }]);
  });

  it("appending deduplicates, in the rebuild and live", () => {
    expect(rebuildConversation([calling, row, { ...row, content: "2" }])[0]?.tools).toMatchObject([
      { result: { n: 1 } },
    ]);
    const live = appendToolResult(appendToolResult([], { tool_call_id: "a", n: 1 }), { tool_call_id: "a", n: 2 });
    expect(live).toEqual([{ tool_call_id: "a", n: 1 }]);
  });

  it("a final filter removes duplicates at render time", () => {
    expect(
      uniqueToolResultsByCallId([
        { tool_call_id: "a", n: 1 },
        { tool_call_id: "a", n: 2 },
      ]),
    ).toEqual([{ tool_call_id: "a", n: 1 }]);
  });
});
