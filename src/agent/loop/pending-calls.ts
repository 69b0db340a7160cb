import type { Message, ModelCall } from "../model/message.ts";
import { type PendingCall, shownInput } from "./events.ts";
import type { LoopOptions } from "./loop-options.ts";

/** Calls that an earlier run left pending. */
export interface PendingCalls {
  /** The turn that contains them. */
  readonly turn: string | undefined;
  /** Those with a decision. */
  readonly calls: readonly ModelCall[];
  readonly undecided: readonly PendingCall[];
}

/** Finds the calls that wait for an approval in a stored conversation; undefined if there are none. */
export function pendingCalls(
  messages: readonly Message[],
  approvals: NonNullable<LoopOptions["approvals"]>,
): PendingCalls | undefined {
  const last = messages.findLast(({ role, pending }) => role === "assistant" && pending !== undefined);
  if (last === undefined) return undefined;
  const answered = new Set(messages.slice(messages.indexOf(last)).map(({ toolCallId }) => toolCallId));
  const waiting = (last.toolCalls ?? []).filter(({ id }) => last.pending?.includes(id) === true && !answered.has(id));
  if (waiting.length === 0) return undefined;
  return {
    turn: last.turn,
    calls: waiting.filter(({ id }) => Object.hasOwn(approvals, id)),
    undecided: waiting
      .filter(({ id }) => !Object.hasOwn(approvals, id))
      .map(({ id, name, arguments: input }) => ({ callId: id, name, input: shownInput(input) })),
  };
}
