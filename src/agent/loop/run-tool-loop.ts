import type { LoopEvent, LoopResult } from "./events.ts";
import type { LoopOptions } from "./options.ts";
import { ToolLoop } from "./tool-loop.ts";

/**
 * Runs a model with tools until it answers, or until something ends the run; `done` says which. Leaving the `for await`
 * early stops everything. Throws only for an unknown tool in strict mode.
 *
 * @example
 * for await (const event of runToolLoop({ registry, model, messages: [{ role: "user", content: "Weather in Paris?" }] })) {
 *   if (event.kind === "text") show(event.text);
 *   if (event.kind === "message") await store(event.message);
 * }
 */
export async function* runToolLoop(options: LoopOptions): AsyncGenerator<LoopEvent, LoopResult, void> {
  const loop = new ToolLoop(options);
  try {
    return yield* loop.run();
  } finally {
    loop.close();
  }
}
