import type { Message } from "../model/message.ts";
import type { ModelFunction } from "../model/model-function.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import type { Ledger } from "../registry/hooks.ts";
import type { ToolRegistry } from "../registry/tool-registry.ts";
import type { RecoverSettings } from "./leak-reader.ts";

/** Options of `runToolLoop`. */
export interface LoopOptions {
  readonly registry: ToolRegistry;
  readonly model: ModelFunction;
  /** The conversation so far, the user's new message at its end. It is repaired where it must be. */
  readonly messages: readonly Message[];
  /** What differs from `policies.balanced`. */
  readonly policy?: Partial<FailurePolicy>;
  /** Stops the run at once, whatever tools and model do. */
  readonly signal?: AbortSignal;
  /** What tools get as `context`. */
  readonly context?: unknown;
  /** Whether calls that the model wrote as text are found and made; `true` unless said otherwise. */
  readonly recover?: boolean | RecoverSettings;
  /** Remembers calls, so that a run that is started again does not make them twice. Needs `runId`. */
  readonly ledger?: Ledger;
  /** Names the run: the same run started again has the same name. */
  readonly runId?: string;
}
