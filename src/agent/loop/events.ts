import type { Message, ModelCall, SafeError } from "../model/message.ts";
import { jsonValue } from "../outcome/result-text.ts";

/** Why a run ended. */
export const STOP_REASONS = [
  "answer",
  "clarify",
  "missing-parameter",
  "permanent-failure",
  "failed-rounds",
  "repeated-call",
  "round-limit",
  "model-call-limit",
  "deadline",
  "aborted",
  "model-error",
  "refusal",
  "truncated",
  /** Something outside the loop broke: a mistake in the program. */
  "internal-error",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

interface InRound {
  /** From 1. */
  readonly round: number;
  /** The round of the run: with the call's id it names a call for good. */
  readonly turn: string;
}

/** A call as a page may show it. */
export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What happens during a run. Everything but `message` may be shown to a user as it is. */
export type LoopEvent =
  | (InRound & { readonly kind: "text"; readonly text: string })
  | (InRound & { readonly kind: "tool_calls"; readonly calls: readonly ShownCall[] })
  | (InRound & {
      readonly kind: "tool_retry";
      readonly callId: string;
      readonly attempt: number;
      readonly delayMs: number;
    })
  | (InRound & {
      readonly kind: "tool_result";
      readonly callId: string;
      readonly name: string;
      /** The arguments really used. */
      readonly input: unknown;
      /** As JSON can carry it. */
      readonly result: unknown;
    })
  /** A call failed; the run may well go on. */
  | (InRound & {
      readonly kind: "tool_failed";
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly error: SafeError;
      /** Another attempt follows: not the end of this call. */
      readonly preliminary?: true;
    })
  | (InRound & { readonly kind: "leak_recovered"; readonly calls: readonly LeakedCall[] })
  | (InRound & { readonly kind: "leak_rejected"; readonly format: string; readonly reason: string })
  /** The run ends with this sentence; it is also stored. */
  | (InRound & { readonly kind: "tool_execution_error"; readonly error: SafeError })
  | (InRound & { readonly kind: "tool_validation_error"; readonly error: SafeError })
  | (InRound & { readonly kind: "tool_loop_limit"; readonly error: SafeError })
  | (InRound & { readonly kind: "model_error"; readonly error: SafeError })
  | (InRound & { readonly kind: "clarify"; readonly callId: string; readonly text: string })
  /** For the database, not for the page. */
  | (InRound & { readonly kind: "message"; readonly message: Message })
  | {
      readonly kind: "done";
      readonly reason: StopReason;
      readonly rounds: number;
      readonly modelCalls: number;
      readonly calls: number;
      readonly failedCalls: number;
    };

export interface LeakedCall {
  readonly id: string;
  readonly name: string;
  readonly format: string;
  readonly repairs: readonly string[];
}

/** What a run gives back at its end. */
export interface LoopResult {
  readonly reason: StopReason;
  /** The whole conversation, ready for the next run: no notes in it, every call answered. */
  readonly messages: readonly Message[];
}

export function shownCall({ id, name, arguments: input }: ModelCall): ShownCall {
  return { id, name, input: shownInput(input) };
}

/** Arguments as JSON carries them. */
export function shownInput(input: unknown): unknown {
  return jsonValue(argumentsObject(input));
}

/**
 * Arguments as they may stand in a history: an object, always. What could not be read as one is kept as text under one
 * name, so that the model sees what it wrote and every API takes it.
 */
export function argumentsObject(input: unknown): { readonly [key: string]: unknown } {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as { [key: string]: unknown };
  if (typeof input === "string") {
    try {
      const value: unknown = JSON.parse(input);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as { [key: string]: unknown };
    } catch {
      // Not an object in JSON.
    }
  }
  return input === undefined || input === null || input === "" ? {} : { unreadable_arguments: input };
}
