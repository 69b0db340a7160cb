import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../model/model-function.ts";
import { fromJsonSchema } from "./json-schema-validator.ts";
import type { Tool, ToolBehavior } from "./tool.ts";

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
