import type { StopCondition } from "ai";
import { checkOption, count } from "../../agent/check-options.ts";
import { classifyToolResult } from "../../core/detect/index.ts";
import {
  digest,
  effectOf,
  type FinishedCall,
  hasNoResult,
  LOOP_LEVELS,
  LoopSignal,
  resultDigest,
} from "../../core/loop/index.ts";
import { canonicalText } from "../../core/model/facts.ts";
import { isObject } from "../../core/model/narrow.ts";

/** The parts of a step that conditions depend on, so that they accept any set of tools. */
interface Step {
  readonly content: readonly unknown[];
}

interface Steps {
  readonly steps: readonly Step[];
}

// biome-ignore lint/suspicious/noExplicitAny: a condition for every set of tools and every runtime context
type AnyStopCondition = StopCondition<any, any>;

/**
 * Stops when calls in a row brought nothing new: the same tool, arguments and result as before, with no new call, new
 * result or change in between. Finds repeats and cycles. Without it, a model can make the same call until the step
 * limit and end with an empty text.
 *
 * @example
 * new ToolLoopAgent({ model, tools, stopWhen: [stepCountIs(20), callsRepeat(), roundsFail()] });
 */
export function callsRepeat(run: number = LOOP_LEVELS.loop): AnyStopCondition {
  checkOption("callsRepeat", "run", run, count(1));
  return ({ steps }: Steps) => signalOf(steps).run >= run;
}

/** Like {@link callsRepeat}, but only for cycles of at least two different calls. `run` is at least 3. */
export function callsCycle(run: number = LOOP_LEVELS.loop): AnyStopCondition {
  checkOption("callsCycle", "run", run, count(3));
  return ({ steps }: Steps) => {
    const { current } = signalOf(steps);
    return current !== undefined && current.run >= run && current.period > 1;
  };
}

function signalOf(steps: readonly Step[]): LoopSignal<number> {
  const signal = new LoopSignal<number>();
  for (const [at, step] of steps.entries()) {
    const finished = callsOf(step).flatMap(({ finished: one }) => one ?? []);
    if (finished.length > 0) signal.turn(finished, at);
  }
  return signal;
}

/** Stops when every call of the last steps failed. */
export function roundsFail(rounds = 3): AnyStopCondition {
  checkOption("roundsFail", "rounds", rounds, count(1));
  return ({ steps }: Steps) => {
    const last = steps.slice(-rounds).map(callsOf);
    return last.length === rounds && last.every((calls) => calls.length > 0 && calls.every(({ failed }) => failed));
  };
}

interface StepCall {
  readonly failed: boolean;
  /** Absent if the call did not run. */
  readonly finished?: FinishedCall;
}

function callsOf({ content }: Step): readonly StepCall[] {
  const parts = content.filter(isObject);
  const results = new Map<unknown, { readonly content: string; readonly isError?: true }>();
  for (const { type, toolCallId, output, error } of parts) {
    if (type === "tool-result") results.set(toolCallId, { content: textOf(output) });
    if (type === "tool-error") results.set(toolCallId, { content: errorText(error), isError: true });
  }
  return parts.flatMap(({ type, toolCallId, toolName, input }) => {
    const result = type === "tool-call" ? results.get(toolCallId) : undefined;
    if (result === undefined) return [];
    const tool = String(toolName);
    const outcome = classifyToolResult(result, { name: tool, arguments: input });
    const failed = outcome.status === "failed";
    if (hasNoResult(outcome)) return [{ failed }];
    const digests = { argumentsDigest: digest(textOf(input)), resultDigest: resultDigest(result.content) };
    return [{ failed, finished: { tool, ...digests, effect: effectOf(tool, input), failed } }];
  });
}

/** Values nested too deeply to be written as text are compared as equal. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return canonicalText(value) ?? "";
  } catch {
    return "";
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : textOf(error);
}
