import { classifyToolResult, resultText } from "../detect/index.ts";
import { canonicalText } from "../model/facts.ts";
import { isArray, isObject } from "../model/narrow.ts";
import type { DecodedRequest, HistoryCall } from "../wire/turn.ts";
import { effectOf } from "./call-effect.ts";
import { digest } from "./digest.ts";
import { type FinishedCall, hasNoResult, type Loop, LoopSignal } from "./loop-signal.ts";
import { resultDigest } from "./result-digest.ts";

/**
 * The loops in a conversation, in order. `at` is the index of the message whose result made the run a loop.
 *
 * @example
 * findLoops(WIRE.chat.decodeRequest({ messages }));
 */
export function findLoops({ calls, prompts }: Pick<DecodedRequest, "calls" | "prompts">): readonly Loop<number>[] {
  const signal = new LoopSignal<number>();
  const loops: Loop<number>[] = [];
  const add = (loop: Loop<number> | undefined): void => {
    if (loop !== undefined) loops.push(loop);
  };
  const humanBefore = new Set(prompts.map(({ calls: before }) => before));
  for (let at = 0; at < calls.length; ) {
    const end = endOfTurn(calls, at, humanBefore);
    if (humanBefore.has(at)) add(signal.human());
    const turn = calls.slice(at, end);
    const finished = turn.flatMap(finishedCall);
    if (finished.length > 0) add(signal.turn(finished, Math.max(...turn.map(({ resultAt = 0 }) => resultAt))));
    at = end;
  }
  add(signal.current);
  return loops;
}

function endOfTurn(calls: readonly HistoryCall[], start: number, humanBefore: ReadonlySet<number>): number {
  const turn = calls[start]?.turn;
  let end = start + 1;
  while (end < calls.length && turn !== undefined && calls[end]?.turn === turn && !humanBefore.has(end)) end += 1;
  return end;
}

export function finishedCall({ name = "", arguments: args, result }: HistoryCall): readonly FinishedCall[] {
  if (result === undefined) return [];
  const outcome = classifyToolResult(
    { content: result.content, ...(result.is_error !== undefined && { isError: result.is_error }) },
    { name, arguments: args },
  );
  if (hasNoResult(outcome)) return [];
  return [
    {
      tool: name,
      argumentsDigest: digest(canonicalArguments(args)),
      resultDigest: contentDigest(result.content),
      effect: effectOf(name, args),
      failed: outcome.status === "failed",
    },
  ];
}

/** Longer data is compared by its ends and its length. */
const MAX_DATA_CHARS = 8192;

/**
 * Equal for equal contents. Images and files are compared by their data, which the text does not contain.
 */
export function contentDigest(content: unknown, text = resultText(content)): string {
  const data = isArray(content) ? content.filter((part) => isObject(part) && typeof part.text !== "string") : [];
  return [resultDigest(text), ...data.map((part) => digest(ends(canonicalArguments(part))))].join(" ");
}

function ends(text: string): string {
  if (text.length <= MAX_DATA_CHARS) return text;
  return `${text.length} ${text.slice(0, MAX_DATA_CHARS / 2)}${text.slice(-MAX_DATA_CHARS / 2)}`;
}

/** Digits beyond the precision of a number: such arguments are compared as text. */
const LONG_NUMBER = /\d{16}/;

/** Equal for equal arguments, whatever the order of keys and the white space. */
export function canonicalArguments(args: unknown): string {
  if (typeof args === "string" && LONG_NUMBER.test(args)) return args;
  try {
    return canonicalText(typeof args === "string" ? JSON.parse(args) : args) ?? "";
  } catch {
    // Not JSON, or nested too deep to be sorted.
    return typeof args === "string" ? args : "";
  }
}
