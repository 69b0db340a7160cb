import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ModelCall } from "../model/message.ts";
import type { JsonSchema } from "../model/model-function.ts";
import type { ToolFailure } from "../outcome/failure.ts";
import type { ReturnedError } from "../outcome/returned-error.ts";

/** What a tool knows beside its arguments. */
export interface ToolContext<Context = unknown> {
  readonly call: ModelCall;
  /** Aborts at the time limit and when the run is stopped. The outcome comes whether the tool listens or not. */
  readonly signal: AbortSignal;
  /** From 1. */
  readonly attempt: number;
  /** What the caller gave: the user, the trip, the database. */
  readonly context: Context;
}

export interface RetryOptions {
  /** Further attempts after the first. */
  readonly retries: number;
  /** The first pause; 200 ms. */
  readonly minMs?: number;
  /** The longest pause; 5 s. */
  readonly maxMs?: number;
  /** How much longer each pause is; 2. */
  readonly factor?: number;
  /** Which exceptions are worth it; all that are not mistakes in the program (`TypeError` and its like). */
  readonly when?: (error: unknown) => boolean;
}

/** Arguments a tool would rather have been called with: merged over those of the model. */
export type FallbackArguments = { readonly [name: string]: unknown };

/** Everything about a tool but its arguments' schema. */
export interface ToolBehavior<Input, Output, Context> {
  run(input: Input, context: ToolContext<Context>): Output | Promise<Output>;
  /** Wins against a tool that ignores its signal. */
  readonly timeoutMs?: number;
  /** May run twice with no harm. Nothing else is ever retried. */
  readonly idempotent?: boolean;
  /** Only with `idempotent`. */
  readonly retry?: RetryOptions;
  /** Runs alone: what came before it is over, what comes after it waits. */
  readonly sequential?: boolean;
  /** Being called again and again with the same arguments is its nature (polling): the repeat guard looks away. */
  readonly repeatable?: boolean;
  /** The model gets no more of the result than this. */
  readonly maxResultBytes?: number;
  /** Text that is there but blank counts as missing. */
  readonly blankIsMissing?: boolean;
  /** `null` counts as missing. */
  readonly nullIsMissing?: boolean;
  /** Deterministic help for a failed call: candidates tried in order, each once, without asking the model. */
  fallback?(
    failure: ToolFailure,
    context: ToolContext<Context>,
  ): Iterable<FallbackArguments> | AsyncIterable<FallbackArguments> | undefined;
  /** For tools that return their failures in a way of their own; without it `{ error, retryable? }` is understood. */
  detectError?(value: Output): ReturnedError | undefined;
  /** The result as the model reads it; JSON otherwise. */
  toModel?(value: Output): string;
  /** What to ask the user when a required parameter is missing and nothing helped. */
  readonly question?: string | ((failure: ToolFailure) => string);
}

/** A tool, checked and ready. Made by `defineTool`. */
export interface Tool<Name extends string = string, Input = unknown, Output = unknown, Context = unknown>
  extends ToolBehavior<Input, Output, Context> {
  readonly kind: "tool";
  readonly name: Name;
  readonly description?: string;
  /** What the model is told about its arguments. */
  readonly inputSchema: JsonSchema;
  /** What checks them. */
  readonly input: StandardSchemaV1<unknown, unknown>;
}
