import type { Category } from "../../model/outcome.ts";
import type { DeclaredTool, DetectCall } from "../types.ts";
import { parseArguments } from "./shell-command.ts";

/** Why a call is invalid. */
export interface InvalidCall {
  readonly kind: "call-fault";
  readonly rule: string;
  readonly category: Category;
  readonly words: string;
  /** Certain enough to treat the call as failed unless the result contradicts it. */
  readonly certain: boolean;
}

/** Arguments of this length may have been truncated in storage. */
export const MAYBE_TRUNCATED_LENGTH = 1000;

/** Keys under which clients store arguments they could not parse. */
const UNREAD_KEYS = ["__unparsedToolInput", "__unparsed", "__raw_arguments", "_raw"];

/** Validates a call against the declared tools. Reports only certain problems. */
export function validateCall(
  call: DetectCall | undefined,
  tools: readonly DeclaredTool[] | undefined,
  invalidCallName: string | undefined,
): InvalidCall | undefined {
  if (call?.name === undefined) {
    return undefined;
  }
  if (call.name === invalidCallName) {
    return invalidCall(call.arguments);
  }
  const unread = unreadArguments(call.arguments);
  if (unread !== undefined) {
    const certain = typeof call.arguments !== "string" || call.arguments.length < MAYBE_TRUNCATED_LENGTH;
    return fault("call-arguments-unparsed", "invalid_arguments", unread, certain);
  }
  if (tools === undefined || tools.length === 0) {
    return undefined;
  }
  const declared = tools.find((tool) => sameName(tool.name, call.name ?? ""));
  if (declared === undefined) {
    return fault("call-undeclared", "unknown_tool", `${call.name} is not among the declared tools`);
  }
  return againstSchema(call.arguments, declared.parameters);
}

function fault(rule: string, category: Category, words: string, certain = true): InvalidCall {
  return { kind: "call-fault", rule, category, words, certain };
}

/** A client that renames invalid calls puts the reason in the arguments. */
function invalidCall(args: unknown): InvalidCall {
  const value = typeof args === "string" ? parseArguments(args) : args;
  const error = typeof value === "object" && value !== null ? (value as { error?: unknown }).error : undefined;
  const words = typeof error === "string" ? error : "the client marked the call as invalid";
  return /unavailable|unknown|no such|not found/i.test(words)
    ? fault("call-renamed", "unknown_tool", words)
    : fault("call-renamed", "invalid_arguments", words);
}

/** Clients correct letter case and omit namespaces, so such names count as declared. */
export function sameName(declared: string, called: string): boolean {
  if (declared === called) {
    return true;
  }
  const one = declared.toLowerCase();
  const two = called.toLowerCase();
  return one === two || lastSegment(one) === two || one === lastSegment(two);
}

function lastSegment(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/"), name.lastIndexOf("__") + 1) + 1);
}

/** Whether arguments look like JSON but are invalid. Custom tools accept free text. */
function unreadArguments(args: unknown): string | undefined {
  if (typeof args === "string") {
    const text = args.trim();
    // Without a closing brace it is invalid; parsing it would cost more than all other checks.
    const broken = text.startsWith("{") && (!text.endsWith("}") || parseArguments(text) === undefined);
    return broken ? text.slice(0, 200) : undefined;
  }
  if (typeof args !== "object" || args === null) {
    return undefined;
  }
  const key = UNREAD_KEYS.find((name) => Object.hasOwn(args, name));
  return key === undefined ? undefined : "the arguments could not be parsed";
}

/** Certain are only a missing required property, a forbidden additional one and a wrong primitive type. */
function againstSchema(args: unknown, schema: unknown): InvalidCall | undefined {
  const value = typeof args === "string" ? parseArguments(args) : args;
  if (!isRecord(value) || !isRecord(schema)) {
    return undefined;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
  if (missing !== undefined) {
    return fault("call-missing-argument", "invalid_arguments", `required property '${String(missing)}' is missing`);
  }
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const [name, given] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (schema.additionalProperties === false && Object.keys(properties).length > 0) {
        return fault("call-extra-argument", "invalid_arguments", `property '${name}' is not declared`, false);
      }
      continue;
    }
    if (isRecord(property) && wrongType(given, property.type)) {
      return fault("call-wrong-type", "invalid_arguments", `property '${name}' is not ${String(property.type)}`, false);
    }
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Clear mismatches only: clients convert `"5"` to 5 and back, so text for a number is not certain. */
function wrongType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "string":
      return typeof value === "object" && value !== null;
    case "array":
      return isRecord(value) || typeof value === "number" || typeof value === "boolean";
    case "object":
      return Array.isArray(value) || typeof value === "number" || typeof value === "boolean";
    case "number":
    case "integer":
      return typeof value === "object" && value !== null;
    default:
      return false;
  }
}
