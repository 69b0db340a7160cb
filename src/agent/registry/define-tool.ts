import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import {
  anything,
  between,
  type Checks,
  callback,
  checkOption,
  checkOptions,
  either,
  flag,
  MAX_TIMER_MS,
  milliseconds,
  object,
  oneOf,
  positive,
  text,
} from "../check-options.ts";
import type { ContentPart } from "../model/content-part.ts";
import type { ModelCall } from "../model/message.ts";
import type { JsonSchema } from "../model/model-function.ts";
import type { ToolFailure } from "../outcome/failure.ts";
import type { ReturnedError } from "../outcome/tool-error.ts";
import { fromJsonSchema } from "./json-schema-validator.ts";

interface Named<Name extends string> {
  readonly name: Name;
  readonly description?: string;
}

/** With zod or arktype, which generate a JSON Schema, or with any other Standard Schema plus a `jsonSchema`. */
export type SchemaToolSpec<Name extends string, Schema extends StandardSchemaV1, Output, Context> = Named<Name> &
  ToolBehavior<StandardSchemaV1.InferOutput<Schema>, Output, Context, StandardSchemaV1.InferInput<Schema>> & {
    readonly input: Schema;
  } & (Schema extends StandardJSONSchemaV1
    ? { readonly jsonSchema?: JsonSchema }
    : { readonly jsonSchema: JsonSchema });

/** With a plain JSON Schema; its validator is loaded on the first call. */
export interface JsonToolSpec<Name extends string, Output, Context>
  extends Named<Name>,
    ToolBehavior<{ readonly [key: string]: unknown }, Output, Context> {
  readonly input: JsonSchema & { readonly "~standard"?: never };
}

/**
 * Defines a tool. Throws immediately if the definition is invalid, instead of failing during a conversation.
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
export function defineTool(spec: AnyToolSpec): Tool {
  const tool = toolOf(spec);
  if (!isStandard(spec.input)) checkTypes(tool.name, spec.input);
  return tool;
}

type AnyToolSpec = Named<string> &
  ToolBehavior<unknown, unknown, unknown> & { input: StandardSchemaV1 | JsonSchema; jsonSchema?: JsonSchema };

/** Like `defineTool`, but with the types of its JSON Schema as they are: those of a server cannot be corrected. */
export function toolOf(spec: AnyToolSpec): Tool {
  checkSpec(spec);
  const { jsonSchema, input, ...rest } = spec;
  const standard = isStandard(input) ? input : fromJsonSchema(input);
  const inputSchema = isStandard(input)
    ? (jsonSchema ?? describeSchema(`Tool '${spec.name}'`, input, "jsonSchema"))
    : input;
  checkSchema(spec.name, inputSchema);
  return { ...rest, kind: "tool", input: standard, inputSchema };
}

function isStandard(schema: StandardSchemaV1 | JsonSchema): schema is StandardSchemaV1 {
  return "~standard" in schema && schema["~standard"] !== undefined;
}

/** The JSON Schema that a schema library generates. `option` names the way to pass another one. */
export function describeSchema(owner: string, schema: StandardSchemaV1, option: string): JsonSchema {
  const standard: unknown = schema["~standard"];
  const { jsonSchema } = standard as { jsonSchema?: StandardJSONSchemaV1.Converter };
  if (jsonSchema === undefined) {
    throw new TypeError(`${owner}: its schema cannot generate a JSON Schema. Pass one as '${option}'.`);
  }
  try {
    const { $schema: _, ...described } = jsonSchema.input({ target: "draft-2020-12" });
    return described;
  } catch (cause) {
    throw new TypeError(`${owner}: its schema could not be converted to a JSON Schema. Pass one as '${option}'.`, {
      cause,
    });
  }
}

/** Keywords of which a JSON Schema for arguments has at least one, unless it is empty. */
const KEYWORDS =
  "type properties required additionalProperties patternProperties $ref $defs definitions allOf anyOf oneOf";

function checkSchema(name: string, schema: JsonSchema): void {
  const keys = Object.keys(schema);
  if (keys.some((key) => isSchema(schema[key]))) {
    throw new TypeError(
      `Tool '${name}': 'input' must be one schema, such as z.object({ … }), not an object of schemas.`,
    );
  }
  if (keys.length > 0 && !KEYWORDS.split(" ").some((keyword) => Object.hasOwn(schema, keyword))) {
    throw new TypeError(`Tool '${name}': 'input' is not a JSON Schema: it has none of the keywords ${KEYWORDS}.`);
  }
  const types = [schema.type ?? "object"].flat();
  if (!types.includes("object")) {
    throw new TypeError(`Tool '${name}': 'input' must describe an object, because APIs send arguments by name.`);
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "~standard" in value;
}

const TYPE = oneOf("string", "number", "integer", "boolean", "object", "array", "null");

/** A parameter of a type that does not exist would fit no value. */
function checkTypes(name: string, { properties }: JsonSchema): void {
  for (const [parameter, schema] of Object.entries(Object(properties)))
    for (const type of [Object(schema).type ?? []].flat())
      checkOption(`Tool '${name}'`, `input.properties.${parameter}.type`, type, TYPE);
}

/** `kind` and `inputSchema`: of a tool that was defined before. */
const CHECKS: Checks<keyof AnyToolSpec | "kind" | "inputSchema"> = {
  name: text,
  description: text,
  input: either("a schema", object, callback),
  jsonSchema: object,
  run: callback,
  timeoutMs: milliseconds,
  idempotent: flag,
  retry: object,
  sequential: flag,
  repeatable: flag,
  maxResultBytes: positive,
  blankIsMissing: flag,
  nullIsMissing: flag,
  fallback: callback,
  detectError: callback,
  toModel: callback,
  question: either("a text or a function", text, callback),
  kind: anything,
  inputSchema: anything,
};
const DELAY = between(0, MAX_TIMER_MS);
const RETRY_CHECKS: Checks<keyof RetryOptions> = {
  retries: { expected: "a whole number from 0", isValid: (value) => Number.isSafeInteger(value) && Number(value) >= 0 },
  minMs: DELAY,
  maxMs: DELAY,
  // A smaller one would shorten the delays.
  factor: between(1, 1000),
  when: callback,
};
/** What OpenAI's and Anthropic's APIs accept. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function checkSpec(spec: Named<string> & ToolBehavior<unknown, unknown, unknown> & { input: unknown }): void {
  const { name } = spec;
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A tool must have a name.");
  if (!NAME.test(name)) {
    throw new TypeError(
      `Tool '${name.slice(0, 100)}': model APIs accept only names of at most 64 letters, digits, '_' and '-'.`,
    );
  }
  const owner = `Tool '${name}'`;
  checkOptions(owner, spec, CHECKS, "", ["input", "run"]);
  if (spec.retry === undefined) return;
  checkOptions(owner, spec.retry, RETRY_CHECKS, "retry", ["retries"]);
  if (spec.idempotent !== true && spec.retry.retries > 0)
    throw new TypeError(
      `${owner}: 'retry' needs 'idempotent: true': otherwise a call that may have run is not repeated.`,
    );
}

/** Second parameter of `run`. */
export interface ToolContext<Context = unknown> {
  readonly call: ModelCall;
  /** Aborted at the time limit and when the run is stopped. The outcome does not wait for tools that ignore it. */
  readonly signal: AbortSignal;
  /** From 1. */
  readonly attempt: number;
  /** Value supplied by the caller: the user, the trip, the database. */
  readonly context: Context;
  /** Reports progress to the page. A tool can also be an async generator: the values that it yields are progress. */
  progress(value: unknown): void;
}

export interface RetryOptions {
  /** Attempts after the first one. */
  readonly retries: number;
  /** First delay in ms; default 200. */
  readonly minMs?: number;
  /** Maximum delay in ms; default 5000. */
  readonly maxMs?: number;
  /** Growth factor of the delay; default 2. */
  readonly factor?: number;
  /** Which exceptions to retry. Default: all except programming errors such as `TypeError`. */
  readonly when?: (error: unknown) => boolean;
}

/** Alternative arguments, merged over those of the model. */
export type FallbackArguments<RawInput = { readonly [name: string]: unknown }> = Partial<RawInput>;

/** Everything about a tool except its input schema. `RawInput`: the arguments before the schema transforms them. */
export interface ToolBehavior<Input, Output, Context, RawInput = { readonly [name: string]: unknown }> {
  /** Returns the result, or yields progress and then returns the result. */
  run(input: Input, context: ToolContext<Context>): Output | Promise<Output> | AsyncGenerator<unknown, Output, void>;
  /** Enforced even if the tool ignores its signal. */
  readonly timeoutMs?: number;
  /** The tool can run twice without harm. Other tools are never retried. */
  readonly idempotent?: boolean;
  /** Only with `idempotent`. */
  readonly retry?: RetryOptions;
  /** Runs alone: after all previous calls have ended, and before later ones start. */
  readonly sequential?: boolean;
  /** May be called repeatedly with the same arguments, for example for polling. Exempt from the repeat guard. */
  readonly repeatable?: boolean;
  /** Maximum size of the result for the model. */
  readonly maxResultBytes?: number;
  /** Blank text counts as missing. */
  readonly blankIsMissing?: boolean;
  /** `null` counts as missing. */
  readonly nullIsMissing?: boolean;
  /** Alternative arguments for a failed call, tried in order, each once, without calling the model. */
  fallback?(
    failure: ToolFailure,
    context: ToolContext<Context>,
  ): Iterable<FallbackArguments<RawInput>> | AsyncIterable<FallbackArguments<RawInput>> | undefined;
  /** For tools that return failures in their own format; by default `{ error, retryable? }` is recognized. */
  detectError?(value: Output): ReturnedError | undefined;
  /** Formats the result for the model: as text, or as parts with images and files. Default: JSON. */
  toModel?(value: Output): string | readonly ContentPart[];
  /** Shown to the user as a question when a required parameter is missing and no fallback helped. */
  readonly question?: string | ((failure: ToolFailure) => string);
}

/** A validated tool. Created by `defineTool`. */
export interface Tool<Name extends string = string, Input = unknown, Output = unknown, Context = unknown>
  extends ToolBehavior<Input, Output, Context> {
  readonly kind: "tool";
  readonly name: Name;
  readonly description?: string;
  /** Arguments as declared to the model. */
  readonly inputSchema: JsonSchema;
  /** Validator of the arguments. */
  readonly input: StandardSchemaV1<unknown, unknown>;
  /** For the compiler only; has no value. */
  readonly "~types"?: { readonly output: Output; readonly context: Context };
}
