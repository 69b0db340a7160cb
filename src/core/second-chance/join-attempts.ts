import { type Fields, isObject } from "../wire/json.ts";
import { type CallableTool, hopelessCall } from "./hopeless-calls.ts";
import type { Attempt, JoinedAttempt, Part, SecondChanceResult } from "./types.ts";

export type Comparison =
  | { readonly result: "healed" | "text"; readonly joined: JoinedAttempt }
  | { readonly result: Exclude<SecondChanceResult, "healed" | "text"> };

const NORMAL_ENDS = new Set(["stop", "end_turn", "stop_sequence", "tool_use", "tool_calls", "completed"]);

/** Whether the model ended its turn itself. A truncated turn would be truncated again. */
export function endedNormally({ stopReason, isComplete }: Attempt): boolean {
  return isComplete && stopReason !== undefined && NORMAL_ENDS.has(stopReason);
}

/** Decides whether the second response is better than the first one, in which no call could work. */
export function compareAttempts(first: Attempt, second: Attempt, tools: ReadonlyMap<string, CallableTool>): Comparison {
  if (!second.isComplete || second.hasOther) return { result: "failed" };
  if (!endedNormally(second)) return { result: "no_better" };
  const calls = second.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  if (calls.length === 0) {
    const isAnswer = !hasText(first) && hasText(second);
    return isAnswer ? { result: "text", joined: join(first, second) } : { result: "no_better" };
  }
  // One call that could work is enough: the client reports the others, and the model sees both in the same round.
  const isBetter = calls.some((call) => hopelessCall(call, tools) === undefined);
  return isBetter ? { result: "healed", joined: join(first, second) } : { result: "no_better" };
}

function hasText({ parts }: Attempt): boolean {
  return parts.some((part) => part.kind === "text" && part.text.trim() !== "");
}

function join(first: Attempt, second: Attempt): JoinedAttempt {
  const kept = first.parts.filter(({ kind }) => kind !== "call");
  return {
    kept,
    // Reasoning belongs at the beginning of a turn; providers check its signature and its place.
    added: kept.length === 0 ? second.parts : second.parts.filter(isNotThinking),
    stopReason: second.stopReason,
    usage: sumUsage(first.usage, second.usage),
  };
}

function isNotThinking({ kind }: Part): boolean {
  return kind !== "thinking";
}

const MAX_USAGE_DEPTH = 4;

/** Adds the counts of two usages of one API. Other values come from the first. */
export function sumUsage(first: Fields | undefined, second: Fields | undefined, depth = 0): Fields | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const sum: Record<string, unknown> = { ...second, ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = first[name];
    if (typeof value === "number") sum[name] = (typeof before === "number" ? before : 0) + value;
    else if (isObject(value) && isObject(before) && depth < MAX_USAGE_DEPTH)
      sum[name] = sumUsage(before, value, depth + 1);
    else if (before === undefined || before === null) sum[name] = value;
  }
  return sum;
}
