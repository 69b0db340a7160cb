import type { ContentPart } from "../model/content-part.ts";
import type { ModelCall } from "../model/message.ts";
import type { ToolFailure } from "./failure.ts";

/** A notable step on the way to the outcome. */
export type OutcomeNote =
  | { readonly kind: "retried"; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: "backfilled"; readonly fields: readonly string[] }
  | { readonly kind: "repaired-arguments"; readonly steps: readonly string[] }
  | { readonly kind: "ignored-arguments"; readonly fields: readonly string[] }
  | { readonly kind: "alias"; readonly from: string }
  | { readonly kind: "truncated"; readonly bytes: number; readonly kept: number }
  /** The ledger contains an earlier start of this call without an outcome. */
  | { readonly kind: "possible-duplicate" };

interface OutcomeBase {
  readonly call: ModelCall;
  /** The arguments actually used, after repair and fallback; otherwise those of the model. */
  readonly input: unknown;
  /** How often the tool was started. */
  readonly attempts: number;
  readonly durationMs: number;
  /** Returned from the ledger: the tool did not run again. */
  readonly replayed: boolean;
  readonly notes: readonly OutcomeNote[];
}

export interface ToolSuccess<Output = unknown> extends OutcomeBase {
  readonly ok: true;
  readonly value: Output;
  /** The value as text for the model. */
  readonly modelText: string;
  /** The value for the model in parts, if it is more than text. */
  readonly modelParts?: readonly ContentPart[];
}

export interface FailedCall extends OutcomeBase {
  readonly ok: false;
  readonly failure: ToolFailure;
}

/** The outcome of a call. A registry returns one for every call instead of throwing. */
export type ToolOutcome<Output = unknown> = ToolSuccess<Output> | FailedCall;
