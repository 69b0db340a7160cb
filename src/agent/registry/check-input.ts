import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ArgumentIssue } from "../outcome/failure.ts";
import type { Tool } from "./tool.ts";

export type CheckedInput =
  | { readonly kind: "valid"; readonly value: unknown; readonly ignored: readonly string[] }
  | { readonly kind: "issues"; readonly issues: readonly ArgumentIssue[]; readonly ignored: readonly string[] };

const MOST_ISSUES = 20;

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
    .slice(0, MOST_ISSUES)
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
    .slice(0, MOST_ISSUES);
}
