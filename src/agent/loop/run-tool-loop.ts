import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Tool } from "../registry/define-tool.ts";
import { checkOptions } from "./check-options.ts";
import type { LoopEvent, LoopResult } from "./events.ts";
import { LeavableRun } from "./leavable-run.ts";
import type { LoopOptions } from "./loop-options.ts";
import { ToolLoop } from "./tool-loop.ts";

/**
 * Runs a model with tools until its final response or a limit ends the run; `done` contains the reason. Leaving the
 * `for await` early, or calling `return`, aborts tools and model immediately. Throws immediately for invalid options;
 * the run itself throws only for an unknown tool in strict mode.
 *
 * @example
 * for await (const event of runToolLoop({ registry, model, messages: [{ role: "user", content: "Weather in Paris?" }]
 * })) {
 *   if (event.kind === "text") show(event.text);
 *   if (event.kind === "message") await store(event.message);
 * }
 */
export function runToolLoop<T extends Tool = Tool, Schema extends StandardSchemaV1 = StandardSchemaV1>(
  options: LoopOptions<T, Schema>,
): AsyncGenerator<LoopEvent<T>, LoopResult<StandardSchemaV1.InferOutput<Schema>>, void> {
  // The loop works with any tools; only its interface knows their types.
  const checked = checkOptions(options as LoopOptions);
  const run: AsyncGenerator<LoopEvent, LoopResult, void> = new LeavableRun(() => new ToolLoop(checked));
  return run as AsyncGenerator<LoopEvent<T>, LoopResult<StandardSchemaV1.InferOutput<Schema>>, void>;
}
