import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { Message } from "../model/message.ts";
import { runOnce } from "../registry/call-tool.ts";
import type { CheckedOptions } from "./check-options.ts";
import type { Step } from "./model-client.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The state before a model call. */
export interface NextStep {
  readonly history: readonly Message[];
  readonly toolChoice: "auto" | "none";
  readonly round: number;
  readonly calls: number;
  readonly usage: TokenUsage;
}

/** The run's options for the next model call, with the changes of `prepareStep`. An abort does not wait for it. */
export async function prepareStep(
  { prepareStep: prepare, registry, model }: CheckedOptions,
  signal: AbortSignal,
  { history, toolChoice, round, calls, usage }: NextStep,
): Promise<Step | { readonly error: unknown }> {
  const base = { history, toolChoice, round, model, registry };
  if (prepare === undefined) return base;
  const limits = { timeoutMs: MAX_TIMER_MS, signal, clock: registry.environment.clock };
  const end = await runOnce(() => prepare({ round, messages: history, calls, usage }), limits);
  if (end.kind === "threw") return { error: end.error ?? new Error("prepareStep failed.") };
  const changes = (end.kind === "value" ? end.value : undefined) ?? {};
  const messages = changes.messages ?? history;
  return {
    ...base,
    model: changes.model ?? model,
    registry: changes.tools === undefined ? registry : registry.only(changes.tools),
    history: changes.system === undefined ? messages : withSystem(changes.system, messages),
  };
}

function withSystem(system: string, messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return [{ role: "system", content: system }, ...(first === -1 ? [] : messages.slice(first))];
}
