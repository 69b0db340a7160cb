import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../model/model-function.ts";
import type { ArgumentIssue } from "../outcome/failure.ts";
import type { Tool } from "./define-tool.ts";

export type ReadArguments =
  | { readonly kind: "value"; readonly value: unknown; readonly steps: readonly string[] }
  | { readonly kind: "malformed"; readonly why: string };

/** A digit run that a double may not hold: the tolerant reader keeps its digits. */
const LONG_NUMBER = /(?<![\d".])-?\d{16,}(?![\d"])/;

/**
 * The arguments of a call as a value. Text is read as JSON, mended where that is certain; it is never replaced by `{}`:
 * a call whose arguments were lost is not a call without arguments.
 */
export async function readArguments(raw: unknown, schema: JsonSchema): Promise<ReadArguments> {
  if (raw !== undefined && raw !== null && typeof raw !== "string") return { kind: "value", value: raw, steps: [] };
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text === "") {
    // Some servers write nothing where there is nothing to write.
    if (takesNothing(schema)) return { kind: "value", value: {}, steps: ["empty-arguments"] };
    return { kind: "malformed", why: "they were empty" };
  }
  const read = await readText(text);
  // Encoded twice: a text that holds the object.
  if (read.kind === "value" && typeof read.value === "string" && read.value.trim().startsWith("{")) {
    const inner = await readText(read.value.trim());
    return inner.kind === "value" ? { ...inner, steps: [...read.steps, "double-encoded", ...inner.steps] } : inner;
  }
  return read;
}

async function readText(text: string): Promise<ReadArguments> {
  if (!LONG_NUMBER.test(text)) {
    try {
      return { kind: "value", value: JSON.parse(text), steps: [] };
    } catch {
      // Not JSON as it stands.
    }
  }
  const { readJson } = await import("../../core/recover/json/read-json.ts");
  const read = readJson(text, 0, text.length, { final: true });
  if (read.kind === "open") return { kind: "malformed", why: "they end in the middle" };
  if (read.kind === "none") return { kind: "malformed", why: `character ${read.at + 1} cannot be read` };
  if (text.slice(read.end).trim() !== "") return { kind: "malformed", why: "something follows the object" };
  return { kind: "value", value: read.value, steps: read.repairs };
}

function takesNothing({ properties, required, type }: JsonSchema): boolean {
  const none = (list: unknown): boolean => typeof list !== "object" || list === null || Object.keys(list).length === 0;
  return (type === undefined || type === "object") && none(properties) && none(required);
}

export type CheckedInput =
  | { readonly kind: "valid"; readonly value: unknown; readonly ignored: readonly string[] }
  | { readonly kind: "issues"; readonly issues: readonly ArgumentIssue[]; readonly ignored: readonly string[] };

const MAX_ISSUES = 20;

/** Checks arguments against the tool's schema. Throws only when the schema's own code does. */
export async function checkInput(tool: Tool, raw: unknown): Promise<CheckedInput> {
  // Said here, and not by each schema in its way: some take a list for an object without its keys.
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "issues", issues: [{ path: "", problem: "invalid", message: "expected an object" }], ignored: [] };
  }
  const result = await tool.input["~standard"].validate(raw);
  const unknown = unknownKeys(tool, raw);
  if (result.issues === undefined) {
    const kept = result.value;
    // A schema that lets further names through has not ignored them.
    const ignored = unknown.filter((key) => typeof kept !== "object" || kept === null || !Object.hasOwn(kept, key));
    return { kind: "valid", value: kept, ignored };
  }
  const issues = Array.from(result.issues)
    .slice(0, MAX_ISSUES)
    .map((issue) => issueOf(tool, issue, raw));
  return { kind: "issues", issues, ignored: unknown };
}

/** Missing is what is not there: said by the input itself, not by the words or codes of a schema library. */
function issueOf(tool: Tool, issue: StandardSchemaV1.Issue, raw: unknown): ArgumentIssue {
  // Array.from: arktype's path is a subclass whose `map` gives [0] for nothing.
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
  return (parent as { readonly [key: PropertyKey]: unknown })[key];
}

function pathText(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number" || /^\d+$/.test(String(key))) return `${path}[${String(key)}]`;
    return path === "" ? String(key) : `${path}.${String(key)}`;
  }, "");
}

/** What was expected stays, what came goes: it may be anything, and who wrote it knows it. */
function withoutValue(message: string, value: unknown): string {
  const text = message.replace(/,? but received [^\n]*$| \(was [^\n]*\)$/, "").slice(0, 300);
  return typeof value === "string" && value.length >= 4 ? text.replaceAll(value, "…") : text;
}

/** Names the schema does not have, where it has a list of names and does not say that others are welcome. */
function unknownKeys({ inputSchema }: Tool, raw: object): string[] {
  const { properties, additionalProperties, patternProperties } = inputSchema;
  if (typeof properties !== "object" || properties === null) return [];
  if ((additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined)
    return [];
  return Object.keys(raw)
    .filter((key) => !Object.hasOwn(properties, key))
    .slice(0, MAX_ISSUES);
}
