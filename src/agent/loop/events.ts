import { isObject } from "../../core/model/narrow.ts";
import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { SecondChanceReason, SecondChanceResult } from "../../core/second-chance/types.ts";
import type { Message, ModelCall, SafeError } from "../model/message.ts";
import { jsonValue } from "../outcome/result-text.ts";
import type { Tool } from "../registry/define-tool.ts";
import type { Serialized, ToolName, ToolOutput } from "../registry/tool-types.ts";

export const STOP_REASONS = [
  "answer",
  "clarify",
  "missing-parameter",
  "permanent-failure",
  "failed-rounds",
  "repeated-call",
  "round-limit",
  "model-call-limit",
  "token-limit",
  "cost-limit",
  /** Calls wait for an approval; a later run continues with it. */
  "approval",
  "deadline",
  "aborted",
  "model-error",
  "refusal",
  "truncated",
  /** An error outside the loop: a bug in the program. */
  "internal-error",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

interface InRound {
  /** From 1. */
  readonly round: number;
  /** Id of the round within the run; unique together with the call's id. */
  readonly turn: string;
}

/** A call as shown to users. */
export interface ShownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The result of one of these tools. */
type ResultEvent<T extends Tool> = T extends Tool
  ? InRound & {
      readonly kind: "tool_result";
      readonly callId: string;
      readonly name: ToolName<T>;
      /** The arguments that were actually used. */
      readonly input: unknown;
      /** Converted to a JSON value. */
      readonly result: Serialized<ToolOutput<T>>;
    }
  : never;

/** Events of a run. All except `message` are safe to show to users. */
export type LoopEvent<T extends Tool = Tool> =
  | (InRound & { readonly kind: "text"; readonly text: string })
  /** A piece of a call's arguments while the model writes them; `tool_calls` follows with the complete arguments. */
  | (InRound & {
      readonly kind: "tool_arguments";
      /** The calls of a turn have different indexes. */
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    })
  | (InRound & { readonly kind: "tool_calls"; readonly calls: readonly ShownCall[] })
  /** Progress of a running tool: `context.progress(value)`, or the values that a generator yields. */
  | (InRound & {
      readonly kind: "tool_progress";
      readonly callId: string;
      readonly name: string;
      readonly value: unknown;
    })
  /** A call waits for an approval: it did not run, and has no result yet. */
  | (InRound & { readonly kind: "tool_pending" } & PendingCall)
  | (InRound & {
      readonly kind: "tool_retry";
      readonly callId: string;
      readonly attempt: number;
      readonly delayMs: number;
    })
  | ResultEvent<T>
  /** A call failed; the run may continue. */
  | (InRound & {
      readonly kind: "tool_failed";
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly error: SafeError;
      /** Another attempt follows, so this is not the final outcome. */
      readonly preliminary?: true;
    })
  | (InRound & { readonly kind: "leak_recovered"; readonly calls: readonly LeakedCall[] })
  | (InRound & { readonly kind: "leak_rejected"; readonly format: string; readonly reason: string })
  /**
   * The model was asked again because no call of its turn could work. `healed`, `text`: the first turn was replaced.
   */
  | (InRound & {
      readonly kind: "second_chance";
      readonly reason: SecondChanceReason;
      readonly result: SecondChanceResult;
    })
  /** The message that ends the run; it is also stored. */
  | (InRound & {
      readonly kind: "tool_execution_error";
      readonly error: SafeError;
      /**
       * Only if the run continues (policy `executionErrors: "each"`): the failed call. Such a message is not stored.
       */
      readonly callId?: string;
    })
  | (InRound & { readonly kind: "tool_validation_error"; readonly error: SafeError })
  | (InRound & { readonly kind: "tool_loop_limit"; readonly error: SafeError })
  | (InRound & { readonly kind: "model_error"; readonly error: SafeError })
  | (InRound & { readonly kind: "clarify"; readonly callId: string; readonly text: string })
  /** Tokens of the model calls of this round, as far as the provider reports them; `cost` needs `prices`. */
  | (InRound & { readonly kind: "usage"; readonly usage: TokenUsage; readonly cost?: number })
  /** To be stored, not shown. */
  | (InRound & { readonly kind: "message"; readonly message: Message })
  | {
      readonly kind: "done";
      readonly reason: StopReason;
      readonly rounds: number;
      readonly modelCalls: number;
      readonly calls: number;
      readonly failedCalls: number;
      /** Tokens of the whole run. */
      readonly usage?: TokenUsage;
      readonly cost?: number;
      /** With the reason `approval`: the calls that wait for one. */
      readonly pending?: readonly PendingCall[];
    };

/** A call that waits for an approval. */
export interface PendingCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

export interface LeakedCall {
  readonly id: string;
  readonly name: string;
  readonly format: string;
  readonly repairs: readonly string[];
}

/** Result of a run. */
export interface LoopResult<Output = unknown> {
  readonly reason: StopReason;
  /** The whole conversation, ready for the next run: without notes, and with a result for every call. */
  readonly messages: readonly Message[];
  /** The answer as a validated value; only with the option `output`, if the model gave a valid one. */
  readonly output?: Output;
  readonly usage: TokenUsage;
  readonly cost?: number;
  readonly pending: readonly PendingCall[];
}

export function shownCall({ id, name, arguments: input }: ModelCall): ShownCall {
  return { id, name, input: shownInput(input) };
}

/** Arguments as a JSON value. */
export function shownInput(input: unknown): unknown {
  return jsonValue(argumentsObject(input));
}

/**
 * Arguments as an object, which every API requires in a history. Unparsable arguments are kept as text under one key,
 * so that the model sees what it wrote.
 */
export function argumentsObject(input: unknown): { readonly [key: string]: unknown } {
  if (isObject(input)) return input;
  if (typeof input === "string") {
    try {
      const value: unknown = JSON.parse(input);
      if (isObject(value)) return value;
    } catch {
      // Not a JSON object.
    }
  }
  return input === undefined || input === null || input === "" ? {} : { unreadable_arguments: input };
}
