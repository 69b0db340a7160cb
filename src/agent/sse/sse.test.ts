import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LoopEvent } from "../loop/events.ts";
import { runToolLoop } from "../loop/run-tool-loop.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { createTestClock, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import { fromSSE } from "./from-sse.ts";
import { createRunLog } from "./run-log.ts";
import { toSSE } from "./to-sse.ts";

const PLACE = { round: 1, turn: "r.1" };
const DONE: LoopEvent = { kind: "done", reason: "answer", rounds: 1, modelCalls: 1, calls: 0, failedCalls: 0 };
const text = (content: string): LoopEvent => ({ kind: "text", ...PLACE, text: content });

async function* from<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
const streamOf = (bytes: Iterable<Uint8Array>): ReadableStream<Uint8Array> => ReadableStream.from(bytes);
const readAll = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();
async function eventsOf(stream: ReadableStream<Uint8Array>): Promise<LoopEvent[]> {
  const events: LoopEvent[] = [];
  for await (const event of fromSSE(stream)) events.push(event);
  return events;
}

const tools = [
  defineTool({ name: "good", input: z.looseObject({}), run: (input) => ({ good: input }) }),
  defineTool({
    name: "bad",
    input: z.looseObject({}),
    run: () => {
      throw new Error("Bearer abcdefghijklmnop at /srv/app/x.js:1:1");
    },
  }),
];
const runOf = (turns: readonly ScriptedTurn[], policy = {}) =>
  runToolLoop({
    registry: createToolRegistry(tools),
    model: scriptedModel(turns),
    messages: [{ role: "user", content: "Hi." }],
    policy,
  });
const call = (name: string, args: unknown = {}, id = "c") => ({ id, name, arguments: args });

describe("toSSE and fromSSE", () => {
  it("names every event and ends with done", async () => {
    const turns = [{ text: "Hm.", calls: [call("good"), call("bad", {}, "d")] }, "Done."];
    const sse = await readAll(toSSE(runOf(turns, { concurrency: 1 })));
    const names = [...sse.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names).toEqual(["text", "tool_calls", "tool_result", "tool_failed", "text", "done"]);
    expect(sse).not.toMatch(/Bearer|srv|"message":\{/);
  });

  it("sends everything if the id of the last event is not a number", async () => {
    const log = createRunLog(from([text("Hi."), DONE]));
    const all = await readAll(toSSE(log.events()));
    expect(all).toContain("Hi.");
    expect(await readAll(toSSE(log.events(), { after: Number("abc") }))).toBe(all);
  });

  it("sends one tool_execution_error for each failed execution of the original's run", async () => {
    const turns = Array.from({ length: 3 }, () => ({ calls: [call("bad")] }));
    const events = await eventsOf(toSSE(runOf(turns, policies.voyage)));
    expect(events.filter(({ kind }) => kind === "tool_execution_error")).toMatchObject(
      Array.from({ length: 3 }, () => ({ error: { message: expect.stringContaining("could not complete 'bad'") } })),
    );
  });

  it("preserves text with line breaks, CR and data:, wherever the bytes are split", {
    timeout: 30_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "binary" }),
            fc.constantFrom("a\nb", "\r\n\r\n", "data: x", "id: 5\n", "😀é\u2028", "event: done\n\n"),
          ),
          { maxLength: 6 },
        ),
        fc.integer({ min: 1, max: 9 }),
        async (words, size) => {
          const sent = [...words.map((word) => text(word.toWellFormed())), DONE];
          const bytes = new TextEncoder().encode(await readAll(toSSE(from(sent))));
          const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            bytes.slice(index * size, (index + 1) * size),
          );
          expect(await eventsOf(streamOf(parts))).toEqual(sent);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("always ends the stream after an error, without details", async () => {
    const errors: unknown[] = [];
    async function* breaking(): AsyncGenerator<LoopEvent> {
      yield text("So far.");
      throw new Error("password=hunter2");
    }
    const sse = await readAll(toSSE(breaking(), { onError: (error) => errors.push(error) }));
    expect(sse).toContain('event: error\ndata: {"error":"Tool execution failed"}\n\n');
    expect(sse).not.toContain("hunter2");
    expect(errors).toHaveLength(1);
    expect((await eventsOf(streamOf([new TextEncoder().encode(sse)]))).at(-1)).toMatchObject({
      kind: "done",
      reason: "internal-error",
    });
  });

  it("ignores events after the end, and skips unknown ones", async () => {
    const sse = `event: news\ndata: {"kind":"news"}\n\ndata: not json\n\ndata: ${JSON.stringify(DONE)}\n\ndata: ${JSON.stringify(text("late"))}\n\n`;
    expect(await eventsOf(streamOf([new TextEncoder().encode(sse)]))).toEqual([DONE]);
  });

  it("sends a heartbeat while the run is idle", async () => {
    const clock = createTestClock();
    async function* slow(): AsyncGenerator<LoopEvent> {
      await clock.sleep(50_000);
      yield DONE;
    }
    const sse = await clock.run(readAll(toSSE(slow(), { clock, heartbeatMs: 20_000 })));
    expect(sse.match(/^: still here$/gm)).toHaveLength(2);
    expect(clock.sleeping).toBe(0);
  });

  it("stops the run when the stream is closed", async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<LoopEvent> {
      try {
        for (;;) yield text("x");
      } finally {
        isStopped = true;
      }
    }
    const reader = toSSE(endless()).getReader();
    await reader.read();
    await reader.cancel();
    expect(isStopped).toBe(true);
  });

  it("resumes after a reconnect without running tools again", async () => {
    let runs = 0;
    const tool = defineTool({ name: "good", input: z.looseObject({}), run: () => (runs += 1) });
    const model = scriptedModel([{ calls: [call("good")] }, "Done."]);
    const log = createRunLog(
      runToolLoop({ registry: createToolRegistry([tool]), model, messages: [{ role: "user", content: "Hi." }] }),
    );
    const first: LoopEvent[] = [];
    let last = 0;
    const onId = (id: number): void => {
      last = id;
    };
    for await (const event of fromSSE(toSSE(log.events()), { onId })) {
      first.push(event);
      if (event.kind === "tool_result") break;
    }
    const rest = await eventsOf(toSSE(log.events(), { after: last }));
    await log.over;
    expect([...first, ...rest]).toEqual(await eventsOf(toSSE(log.events())));
    expect(runs).toBe(1);
  });
});

describe("toSSE in the AI SDK's UI format", () => {
  async function messagesOf(events: AsyncIterable<LoopEvent>): Promise<UIMessage> {
    const transport = new DefaultChatTransport({
      api: "http://example.test/chat",
      fetch: async () =>
        new Response(toSSE(events, { format: "ai-sdk-ui" }), { headers: { "content-type": "text/event-stream" } }),
    });
    const stream = await transport.sendMessages({
      chatId: "c",
      messages: [],
      trigger: "submit-message",
      messageId: undefined,
      abortSignal: undefined,
    });
    let last: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) last = message;
    return last as UIMessage;
  }

  it("produces a stream that the SDK parses, including failed calls and reused ids", async () => {
    const turns: ScriptedTurn[] = [
      { text: "Let me see.", calls: [call("good", { n: 1 }, "call_0"), call("bad", {}, "call_1")] },
      { calls: [call("good", { n: 2 }, "call_0")] },
      "Done.",
    ];
    const { parts } = await messagesOf(runOf(turns));
    expect(parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Let me see.", state: "done" },
      {
        type: "dynamic-tool",
        toolName: "good",
        toolCallId: "call_0",
        state: "output-available",
        output: { good: { n: 1 } },
      },
      {
        type: "dynamic-tool",
        toolName: "bad",
        toolCallId: "call_1",
        state: "output-error",
        errorText: "'bad' could not be completed.",
      },
      { type: "step-start" },
      { type: "dynamic-tool", toolCallId: "call_0_dup1", state: "output-available", output: { good: { n: 2 } } },
      { type: "step-start" },
      { type: "text", text: "Done.", state: "done" },
    ]);
  });

  it("sends the message that ends a run as the last text", async () => {
    const { parts } = await messagesOf(
      runOf(
        Array.from({ length: 3 }, () => ({ calls: [call("bad")] })),
        policies.voyage,
      ),
    );
    expect(parts.at(-1)).toMatchObject({ type: "text", text: expect.stringContaining("could not complete 'bad'") });
  });

  it("ends the stream after an error", async () => {
    async function* breaking(): AsyncGenerator<LoopEvent> {
      yield text("So far.");
      throw new Error("password=hunter2");
    }
    const sse = await readAll(toSSE(breaking(), { format: "ai-sdk-ui" }));
    expect(sse).toContain('{"type":"error","errorText":"Tool execution failed"}');
    expect(sse.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(sse).not.toContain("hunter2");
  });
});
