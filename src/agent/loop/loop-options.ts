import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { Message } from "../model/message.ts";
import type { JsonSchema, ModelFunction } from "../model/model-function.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import type { Tool } from "../registry/define-tool.ts";
import type { Ledger } from "../registry/hooks.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { ToolContextOf, ToolName } from "../registry/tool-types.ts";
import type { RecoverSettings } from "./leak-reader.ts";

/** Options of `runToolLoop`. */
export interface LoopOptions<T extends Tool = Tool, Schema extends StandardSchemaV1 = StandardSchemaV1> {
  /**
   * With a typed registry, the compiler also checks `context`, the names in `prepareStep` and the results in events.
   */
  readonly registry: ToolRegistry & { readonly "~tools"?: T };
  readonly model: ModelFunction;
  /** The conversation so far, ending with the user's new message. Repaired if it is not valid. */
  readonly messages: readonly Message[];
  /** Overrides of `policies.balanced`. */
  readonly policy?: Partial<FailurePolicy>;
  /**
   * Stores a message before its event is emitted, and is awaited. Unlike the reader of the events it also receives the
   * results of calls that were aborted because the reader left. An exception ends the run.
   */
  readonly onMessage?: (message: Message) => void | Promise<void>;
  /** Stops the run immediately, even if tools or model ignore it. */
  readonly signal?: AbortSignal;
  /** Passed to tools as `context`. */
  readonly context?: ToolContextOf<T>;
  /** Whether to extract and run calls that the model wrote as text; default `true`. */
  readonly recover?: boolean | RecoverSettings;
  /**
   * Whether to ask the model again, before anything is run or stored, if no call of its turn can work: unknown tools,
   * missing parameters, unreadable arguments. Costs one more model call each; at most 5 in a run. Default `false`.
   */
  readonly secondChance?: boolean;
  /** Stores outcomes, so that a restarted run does not repeat calls. Needs `runId`. */
  readonly ledger?: Ledger;
  /** Id of the run; a restarted run uses the same one. */
  readonly runId?: string;
  /** Used in order if the model fails before any output, after its retries. */
  readonly fallbackModels?: readonly ModelFunction[];
  /** Called before each model call; changes what that call uses. */
  readonly prepareStep?: (step: StepInfo) => StepChanges<T> | undefined | Promise<StepChanges<T> | undefined>;
  /** Decisions on calls that an earlier run left pending, by call id. The run continues with them. */
  readonly approvals?: { readonly [callId: string]: boolean | { readonly reason: string } };
  /**
   * Schema of the final answer. The model is asked for JSON; a final answer that does not match is returned to it
   * with the problems. The result's `output` is the validated value.
   */
  readonly output?: Schema;
  /** JSON Schema of `output`, for schema libraries that cannot generate it. */
  readonly outputSchema?: JsonSchema;
  /** Prices of one million tokens, in any currency. */
  readonly prices?: Prices;
}

/** Prices of one million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Input read from a cache; default: the price of input. */
  readonly cached?: number;
}

/** The state before a model call. */
export interface StepInfo {
  /** From 1. */
  readonly round: number;
  readonly messages: readonly Message[];
  /** Tool calls so far. */
  readonly calls: number;
  readonly usage: TokenUsage;
}

/** What one model call uses instead of the run's options. */
export interface StepChanges<T extends Tool = Tool> {
  readonly model?: ModelFunction;
  /** Names of the tools that can be called in this round. */
  readonly tools?: readonly ToolName<T>[];
  /** Replaces the leading system messages. */
  readonly system?: string;
  /** Replaces the messages sent to the model; the stored conversation does not change. */
  readonly messages?: readonly Message[];
}
