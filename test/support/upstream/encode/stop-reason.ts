import type { AnswerTurn, StopReason } from "../turn.ts";
import { isCall, type ResolvedBlock } from "./encoded-turn.ts";

/** The turn's stop reason in the script's terms, before an API encodes it. */
export function stopReasonOf(turn: AnswerTurn, blocks: readonly ResolvedBlock[]): StopReason {
  const { stopReason } = turn;
  if (typeof stopReason === "string") return stopReason;
  return blocks.some(isCall) ? "calls" : "end";
}

/** The turn's stop reason in an API's terms. */
export function stopWord(
  turn: AnswerTurn,
  blocks: readonly ResolvedBlock[],
  words: { readonly [reason in StopReason]: string },
): string | null {
  const { stopReason } = turn;
  return typeof stopReason === "object" ? stopReason.verbatim : words[stopReasonOf(turn, blocks)];
}
