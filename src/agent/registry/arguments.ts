import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SchemaNode } from "../../core/calls/index.ts";
import type { JsonSchema } from "../model/model-function.ts";
import type { ArgumentIssue } from "../outcome/failure.ts";
import type { Tool } from "./define-tool.ts";

export type ReadArguments =
  | { readonly kind: "value"; readonly value: unknown; readonly steps: readonly string[] }
  | { readonly kind: "malformed"; readonly why: string };

/** Digits that a double may not represent exactly: the tolerant parser keeps them. */
const LONG_NUMBER = /(?<![\d".])-?\d{16,}(?![\d"])/;

/**
 * Parses the arguments of a call. Text is parsed as JSON and repaired where that is unambiguous. It is never replaced
 * by `{}`: a call whose arguments were lost is not a call without arguments.
 */
export async function readArguments(raw: unknown, schema: JsonSchema): Promise<ReadArguments> {
  const repaired = await repairedArguments(raw, schema);
  if (repaired !== undefined) return repaired;
  if (raw !== undefined && raw !== null && typeof raw !== "string") return { kind: "value", value: raw, steps: [] };
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text === "") {
    // Some servers send no text for a call without arguments. A truncated turn never gets here.
    if (requiresNothing(schema)) return { kind: "value", value: {}, steps: ["empty-arguments"] };
    return { kind: "malformed", why: "they were empty" };
  }
  const read = await readText(text);
  // Double-encoded: a string that contains the object.
  if (read.kind === "value" && typeof read.value === "string" && read.value.trim().startsWith("{")) {
    const inner = await readText(read.value.trim());
    return inner.kind === "value" ? { ...inner, steps: [...read.steps, "double-encoded", ...inner.steps] } : inner;
  }
  return read;
}

/** Compiled once for each tool. */
const schemas = new WeakMap<JsonSchema, SchemaNode>();

/** The repaired arguments, if they do not fit the schema and only one repair does; otherwise undefined. */
async function repairedArguments(raw: unknown, schema: JsonSchema): Promise<ReadArguments | undefined> {
  const text = typeof raw === "string" ? raw : (JSON.stringify(raw) ?? "");
  if (text.trim() === "") return undefined;
  const { checkArguments, compileSchema } = await import("../../core/calls/index.ts");
  const compiled = schemas.get(schema) ?? compileSchema(schema);
  schemas.set(schema, compiled);
  const checked = checkArguments(text, compiled, "");
  // The tolerant parser reads these, and reports the steps more precisely.
  if (checked.kind !== "repaired" || checked.repairs.every((repair) => repair.class === "syntax")) return undefined;
  const read = await readText(checked.text.trim());
  return read.kind === "value" ? { ...read, steps: checked.repairs.map((repair) => repair.class) } : undefined;
}

/** Parses JSON, and repairs it where that is unambiguous. */
export async function readText(text: string): Promise<ReadArguments> {
  if (!LONG_NUMBER.test(text)) {
    try {
      return { kind: "value", value: JSON.parse(text), steps: [] };
    } catch {
      // Not valid JSON.
    }
  }
  const { readJson } = await import("../../core/json/read-json.ts");
  const read = readJson(text);
  if (!/^[{["]/.test(text)) return { kind: "malformed", why: "they are not a JSON object" };
  if (read.kind === "open") return { kind: "malformed", why: "they end in the middle" };
  if (read.kind === "none") return { kind: "malformed", why: `character ${read.at + 1} cannot be read` };
  if (text.slice(read.end).trim() !== "") return { kind: "malformed", why: "something follows the object" };
  return { kind: "value", value: read.value, steps: read.repairs };
}

function requiresNothing({ required, type, allOf, anyOf, oneOf, $ref }: JsonSchema): boolean {
  const isPlain = [allOf, anyOf, oneOf, $ref].every((part) => part === undefined);
  const isObject = type === undefined || type === "object";
  return isObject && isPlain && (!Array.isArray(required) || required.length === 0);
}

export type CheckedInput =
  | { readonly kind: "valid"; readonly value: unknown; readonly ignored: readonly string[] }
  | { readonly kind: "issues"; readonly issues: readonly ArgumentIssue[]; readonly ignored: readonly string[] };

const MAX_ISSUES = 20;

/** Validates arguments against the tool's schema. Throws only if the schema's code does. */
export async function checkInput(tool: Tool, raw: unknown): Promise<CheckedInput> {
  // Checked here, because some schema libraries treat a list as an object with missing keys.
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "issues", issues: [{ path: "", problem: "invalid", message: "expected an object" }], ignored: [] };
  }
  const result = await tool.input["~standard"].validate(raw);
  const unknown = unknownKeys(tool, raw);
  if (result.issues === undefined) {
    const validated = result.value;
    // Keys that the schema kept were not ignored.
    const ignored = unknown.filter(
      (key) => typeof validated !== "object" || validated === null || !Object.hasOwn(validated, key),
    );
    return { kind: "valid", value: validated, ignored };
  }
  const issues = Array.from(result.issues)
    .slice(0, MAX_ISSUES)
    .map((issue) => issueOf(tool, issue, raw));
  return { kind: "issues", issues, ignored: unknown };
}

/** Whether a value is missing is decided by the input, not by the messages or codes of a schema library. */
function issueOf(tool: Tool, issue: StandardSchemaV1.Issue, raw: unknown): ArgumentIssue {
  // Array.from: arktype's path is a subclass whose `map` returns [0] for an empty path.
  const keys = Array.from(issue.path ?? [], (part) => (typeof part === "object" && part !== null ? part.key : part));
  const value = keys.reduce<unknown>(valueAt, raw);
  const isMissing = keys.length > 0 && isAbsent(tool, value);
  return {
    path: pathText(keys),
    problem: isMissing ? "missing" : "invalid",
    message: isMissing ? "required" : withoutValue(issue.message, value),
  };
}

function isAbsent(tool: Tool, value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null) return tool.nullIsMissing === true;
  return tool.blankIsMissing === true && typeof value === "string" && value.trim() === "";
}

function valueAt(parent: unknown, key: PropertyKey): unknown {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return undefined;
  return Reflect.get(parent, key);
}

function pathText(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number" || /^\d+$/.test(String(key))) return `${path}[${String(key)}]`;
    return path === "" ? String(key) : `${path}.${String(key)}`;
  }, "");
}

/** Keeps what was expected and removes the received value, which may be sensitive. */
function withoutValue(message: string, value: unknown): string {
  const text = message.replace(/,? but received [^\n]*$| \(was [^\n]*\)$/, "").slice(0, 300);
  return typeof value === "string" && value.length >= 4 ? text.replaceAll(value, "…") : text;
}

/** Keys that the schema neither lists nor allows. */
function unknownKeys({ inputSchema }: Tool, raw: object): string[] {
  const { properties, additionalProperties, patternProperties } = inputSchema;
  if (typeof properties !== "object" || properties === null) return [];
  if ((additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined)
    return [];
  return Object.keys(raw)
    .filter((key) => !Object.hasOwn(properties, key))
    .slice(0, MAX_ISSUES);
}
