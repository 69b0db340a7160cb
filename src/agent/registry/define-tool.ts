import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { ModelCall } from "../model/message.ts";
import type { JsonSchema } from "../model/model-function.ts";
import type { ToolFailure } from "../outcome/failure.ts";
import type { ReturnedError } from "../outcome/returned-error.ts";
import { fromJsonSchema } from "./json-schema-validator.ts";

interface Named<Name extends string> {
  readonly name: Name;
  readonly description?: string;
}

/** With zod or arktype, which can describe themselves, or with any Standard Schema and its JSON Schema beside it. */
export type SchemaToolSpec<Name extends string, Schema extends StandardSchemaV1, Output, Context> = Named<Name> &
  ToolBehavior<StandardSchemaV1.InferOutput<Schema>, Output, Context> & {
    readonly input: Schema;
  } & (Schema extends StandardJSONSchemaV1
    ? { readonly jsonSchema?: JsonSchema }
    : { readonly jsonSchema: JsonSchema });

/** With a plain JSON Schema; its validator is loaded with the first call. */
export interface JsonToolSpec<Name extends string, Output, Context>
  extends Named<Name>,
    ToolBehavior<{ readonly [key: string]: unknown }, Output, Context> {
  readonly input: JsonSchema & { readonly "~standard"?: never };
}

/**
 * Defines a tool. What is wrong with the definition is said here and now, not in the middle of a conversation.
 *
 * @example
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => a + b,
 * });
 */
export function defineTool<const Name extends string, Schema extends StandardSchemaV1, Output, Context = unknown>(
  spec: SchemaToolSpec<Name, Schema, Output, Context>,
): Tool<Name, StandardSchemaV1.InferOutput<Schema>, Output, Context>;
export function defineTool<const Name extends string, Output, Context = unknown>(
  spec: JsonToolSpec<Name, Output, Context>,
): Tool<Name, { readonly [key: string]: unknown }, Output, Context>;
export function defineTool(
  spec: Named<string> &
    ToolBehavior<unknown, unknown, unknown> & { input: StandardSchemaV1 | JsonSchema; jsonSchema?: JsonSchema },
): Tool {
  checkSpec(spec);
  const { jsonSchema, input, ...rest } = spec;
  const standard = isStandard(input) ? input : fromJsonSchema(input);
  const inputSchema = isStandard(input) ? (jsonSchema ?? describe(spec.name, input)) : input;
  return { ...rest, kind: "tool", input: standard, inputSchema };
}

function isStandard(schema: StandardSchemaV1 | JsonSchema): schema is StandardSchemaV1 {
  return "~standard" in schema && schema["~standard"] !== undefined;
}

function describe(name: string, schema: StandardSchemaV1): JsonSchema {
  const standard: unknown = schema["~standard"];
  const { jsonSchema } = standard as { jsonSchema?: StandardJSONSchemaV1.Converter };
  if (jsonSchema === undefined) {
    throw new TypeError(`Tool '${name}': its schema cannot describe itself as JSON Schema. Give one as 'jsonSchema'.`);
  }
  try {
    const { $schema: _, ...described } = jsonSchema.input({ target: "draft-2020-12" });
    return described;
  } catch (cause) {
    throw new TypeError(`Tool '${name}': its schema has no JSON Schema. Give one as 'jsonSchema'.`, { cause });
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

function checkSpec(spec: Named<string> & ToolBehavior<unknown, unknown, unknown> & { input: unknown }): void {
  const { name, timeoutMs, retry, maxResultBytes, idempotent } = spec;
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A tool needs a name.");
  const wrong = (what: string): never => {
    throw new RangeError(`Tool '${name}': ${what}.`);
  };
  if (typeof spec.run !== "function") throw new TypeError(`Tool '${name}': 'run' must be a function.`);
  const { input } = spec;
  if ((typeof input !== "object" && typeof input !== "function") || input === null) {
    throw new TypeError(`Tool '${name}': 'input' must be a schema.`);
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS)) {
    wrong(`'timeoutMs' must be more than 0 and at most ${MAX_TIMER_MS}`);
  }
  if (maxResultBytes !== undefined && !(maxResultBytes > 0)) wrong("'maxResultBytes' must be more than 0");
  if (retry === undefined) return;
  if (!Number.isSafeInteger(retry.retries) || retry.retries < 0) wrong("'retry.retries' must be a whole number from 0");
  if (idempotent !== true && retry.retries > 0) {
    wrong("'retry' needs 'idempotent: true': a call that may have run is not repeated otherwise");
  }
  for (const key of ["minMs", "maxMs", "factor"] as const) {
    const value = retry[key];
    if (value !== undefined && !(value >= 0 && value <= MAX_TIMER_MS)) wrong(`'retry.${key}' must not be negative`);
  }
}

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
