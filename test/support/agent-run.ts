import { z } from "zod";
import {
  createToolRegistry,
  defineTool,
  type LoopEvent,
  type LoopOptions,
  type Message,
  type RegistryOptions,
  runToolLoop,
  type Tool,
  type ToolBehavior,
} from "../../src/agent/index.ts";
import { collectRun, type ScriptedTurn, scriptedModel } from "../../src/agent/testing/index.ts";

type Behavior = Partial<ToolBehavior<unknown, unknown, unknown>>;
export const toolOf = (name: string, run: Tool["run"], behavior: Behavior = {}): Tool =>
  defineTool({ name, input: z.looseObject({}), ...behavior, run });
export const good = toolOf("good", (input) => ({ good: input }));
export const bad = toolOf("bad", () => {
  throw new Error("postgres://admin:s3cret@db");
});
export const call = (name: string, args: unknown = {}, id?: string) => ({
  name,
  arguments: args,
  ...(id !== undefined && { id }),
});
export const PROMPT: Message = { role: "user", content: "Please." };

/** A run of scripted turns, with everything that happened in it. */
export async function run(
  tools: readonly Tool[],
  turns: readonly ScriptedTurn[],
  options: Partial<LoopOptions> = {},
  registryOptions: RegistryOptions = {},
) {
  const model = scriptedModel(turns);
  const registry = createToolRegistry(tools, { log: false, ...registryOptions });
  const result = await collectRun(runToolLoop({ registry, model, messages: [PROMPT], ...options }));
  return { ...result, model };
}
export const kinds = (events: readonly LoopEvent[]): string[] =>
  events.map(({ kind }) => kind).filter((kind) => kind !== "text");
export const stored = (events: readonly LoopEvent[]): Message[] =>
  events.flatMap((event) => (event.kind === "message" ? [event.message] : []));
export const done = (events: readonly LoopEvent[]) => events.at(-1) as LoopEvent & { kind: "done" };
