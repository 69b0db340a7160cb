import { describe, expect, it } from "vitest";
import { call, good, PROMPT, toolOf } from "../../../test/support/agent-run.ts";
import type { Message } from "../model/message.ts";
import type { ModelFunction } from "../model/model-function.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { toSSE } from "../sse/to-sse.ts";
import { scriptedModel } from "../testing/index.ts";
import { runToolLoop } from "./run-tool-loop.ts";

/** A tool that reports its start and its abort, and never ends by itself. */
function hangingTool() {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const tool = toolOf("hang", (_, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve(), { once: true });
    started.resolve();
    return new Promise(() => undefined);
  });
  return { tool, started: started.promise, aborted: aborted.promise };
}

/** Reads until the run waits for the tool. */
async function readUntil(started: Promise<void>, next: () => Promise<unknown>): Promise<void> {
  let isStarted = false;
  const waiting = started.then(() => {
    isStarted = true;
  });
  while (!isStarted) await Promise.race([next(), waiting]);
}

describe("a reader that leaves", () => {
  it("a reader that leaves aborts a running tool although it waits for the next event", async () => {
    const { tool, started, aborted } = hangingTool();
    const model = scriptedModel([{ calls: [call("hang")] }, "never"]);
    const run = runToolLoop({ registry: createToolRegistry([tool]), model, messages: [PROMPT] });
    await readUntil(started, () => run.next());
    await run.return(undefined as never);
    await aborted;
    expect(model.requests).toHaveLength(1);
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it("closing the stream of server-sent events aborts a running tool", async () => {
    const { tool, started, aborted } = hangingTool();
    const model = scriptedModel([{ calls: [call("hang")] }]);
    const run = runToolLoop({ registry: createToolRegistry([tool]), model, messages: [PROMPT] });
    const reader = toSSE(run).getReader();
    await readUntil(started, () => reader.read());
    await reader.cancel();
    await aborted;
  });

  it("closing the stream of server-sent events aborts a silent model", async () => {
    const asked = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const model: ModelFunction = ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(), { once: true });
      asked.resolve();
      return new Promise(() => undefined);
    };
    const reader = toSSE(runToolLoop({ registry: createToolRegistry([good]), model, messages: [PROMPT] })).getReader();
    const pending = reader.read();
    await asked.promise;
    await reader.cancel();
    await aborted.promise;
    await pending;
  });

  it("a reader that leaves is reported to the server immediately, even if a generator between run and stream delays the abort", async () => {
    const { tool, started, aborted } = hangingTool();
    const stop = new AbortController();
    const model = scriptedModel([{ calls: [call("hang")] }]);
    const run = runToolLoop({
      registry: createToolRegistry([tool]),
      model,
      messages: [PROMPT],
      signal: stop.signal,
    });
    const wrapped = (async function* () {
      for await (const event of run) yield event;
    })();
    const reader = toSSE(wrapped, { onCancel: () => stop.abort() }).getReader();
    await readUntil(started, () => reader.read());
    await reader.cancel();
    await aborted;
  });

  it("a reader that leaves gets a stored conversation in which every call has a result", async () => {
    const { tool, started } = hangingTool();
    const saved: Message[] = [];
    const run = runToolLoop({
      registry: createToolRegistry([tool]),
      model: scriptedModel([{ calls: [call("hang", {}, "a")] }]),
      messages: [PROMPT],
      onMessage: (message) => {
        saved.push(message);
      },
    });
    await readUntil(started, () => run.next());
    await run.return(undefined as never);
    expect(saved.map(({ role, toolCallId, isError }) => ({ role, toolCallId, isError }))).toEqual([
      { role: "assistant", toolCallId: undefined, isError: undefined },
      { role: "tool", toolCallId: "a", isError: true },
    ]);
  });

  it("reading a run a second time throws an error that names the remedy", async () => {
    const run = runToolLoop({
      registry: createToolRegistry([good]),
      model: scriptedModel(["Hello."]),
      messages: [PROMPT],
    });
    for await (const _ of run);
    expect(() => run[Symbol.asyncIterator]()).toThrow("createRunLog");
  });
});
