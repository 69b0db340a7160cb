import type { Message } from "../model/message.ts";
import type { ModelFunction } from "../model/model-function.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import type { Ledger } from "../registry/hooks.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { RecoverSettings } from "./leak-reader.ts";

/** Options of `runToolLoop`. */
export interface LoopOptions {
  readonly registry: ToolRegistry;
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
  readonly context?: unknown;
  /** Whether to extract and run calls that the model wrote as text; default `true`. */
  readonly recover?: boolean | RecoverSettings;
  /** Stores outcomes, so that a restarted run does not repeat calls. Needs `runId`. */
  readonly ledger?: Ledger;
  /** Id of the run; a restarted run uses the same one. */
  readonly runId?: string;
}
