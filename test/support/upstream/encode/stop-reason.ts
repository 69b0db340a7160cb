import type { ModelTurn, StopReason } from "../turn.ts";
import { isCall, type ResolvedBlock } from "./encoded-turn.ts";

/** The turn's stop reason in the script's terms, before an API encodes it. */
export function stopReasonOf(turn: ModelTurn, blocks: readonly ResolvedBlock[]): StopReason {
  const { stopReason } = turn;
  if (typeof stopReason === "string") return stopReason;
  return blocks.some(isCall) ? "calls" : "end";
}

/** The turn's stop reason in an API's terms. */
export function apiStopReason(
  turn: ModelTurn,
  blocks: readonly ResolvedBlock[],
  names: { readonly [reason in StopReason]: string },
): string | null {
  const { stopReason } = turn;
  return typeof stopReason === "object" ? stopReason.verbatim : names[stopReasonOf(turn, blocks)];
}
