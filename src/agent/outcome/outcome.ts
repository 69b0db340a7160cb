import type { ModelCall } from "../model/message.ts";
import type { ToolFailure } from "./failure.ts";

/** Something that happened on the way to the outcome. */
export type OutcomeNote =
  | { readonly kind: "retried"; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: "backfilled"; readonly fields: readonly string[] }
  | { readonly kind: "repaired-arguments"; readonly steps: readonly string[] }
  | { readonly kind: "ignored-arguments"; readonly fields: readonly string[] }
  | { readonly kind: "alias"; readonly from: string }
  | { readonly kind: "truncated"; readonly bytes: number; readonly kept: number }
  /** The ledger knew of an earlier start of this very call, but not how it ended. */
  | { readonly kind: "possible-duplicate" };

interface OutcomeBase {
  readonly call: ModelCall;
  /** The arguments really used, after repair and back-fill; the model's own where none were. */
  readonly input: unknown;
  /** How often the tool was started. */
  readonly attempts: number;
  readonly durationMs: number;
  /** From the ledger: the tool did not run again. */
  readonly replayed: boolean;
  readonly notes: readonly OutcomeNote[];
}

export interface ToolSuccess<Output = unknown> extends OutcomeBase {
  readonly ok: true;
  readonly value: Output;
  /** The value as the model reads it. */
  readonly modelText: string;
}

export interface FailedCall extends OutcomeBase {
  readonly ok: false;
  readonly failure: ToolFailure;
}

/** How a call ended. A registry gives one for every call and throws nothing. */
export type ToolOutcome<Output = unknown> = ToolSuccess<Output> | FailedCall;
