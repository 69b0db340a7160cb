import type { StandardSchemaV1 } from "@standard-schema/spec";
import { hasFields } from "../../core/model/narrow.ts";
import type { JsonSchema } from "../model/model-function.ts";

interface SchemaError {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly error: string;
}

/** Keywords that only report a problem below them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "$ref",
  "allOf",
]);

/** Wraps a JSON Schema as a Standard Schema. The validator is loaded on first use. */
export function fromJsonSchema(schema: JsonSchema): StandardSchemaV1<unknown, unknown> {
  let validator: Promise<{ validate(value: unknown): { valid: boolean; errors: readonly SchemaError[] } }> | undefined;
  return {
    "~standard": {
      version: 1,
      vendor: "toolmend",
      async validate(value) {
        validator ??= import("@cfworker/json-schema").then(
          ({ Validator }) => new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", false),
        );
        const { valid, errors } = (await validator).validate(value);
        return valid ? { value } : { issues: issuesOf(schema, errors) };
      },
    },
  };
}

function issuesOf(schema: JsonSchema, errors: readonly SchemaError[]): StandardSchemaV1.Issue[] {
  const issues = errors.filter(({ keyword }) => !CONTAINERS.has(keyword)).map((error) => issueOf(schema, error));
  return issues.length > 0 ? issues : [{ message: "does not match its schema" }];
}

function issueOf(
  schema: JsonSchema,
  { instanceLocation, keyword, keywordLocation, error }: SchemaError,
): StandardSchemaV1.Issue {
  const path = pointer(instanceLocation);
  if (keyword === "required") {
    const name = /"(.*)"\.$/s.exec(error)?.[1] ?? "";
    return { path: [...path, name], message: "required" };
  }
  const limit = JSON.stringify(at(schema, keywordLocation));
  return { path, message: limit === undefined ? `does not match '${keyword}'` : expectation(keyword, limit) };
}

/** Describes what was expected, never the received value. */
function expectation(keyword: string, limit: string): string {
  if (keyword === "type") return `expected ${limit.replaceAll('"', "")}`;
  if (keyword === "enum") return `expected one of ${limit.slice(1, -1).slice(0, 300)}`;
  if (keyword === "false") return "is not a known parameter";
  return `must satisfy ${keyword} ${limit.slice(0, 100)}`;
}

function pointer(location: string): string[] {
  return location
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function at(schema: JsonSchema, location: string): unknown {
  let value: unknown = schema;
  for (const key of pointer(location)) {
    if (!hasFields(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
