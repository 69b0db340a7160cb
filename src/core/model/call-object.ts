import { isObject } from "./narrow.ts";
/** Keys under which models write the tool name of a call. */
export const NAME_KEYS: readonly string[] = [
  "name",
  "function",
  "tool",
  "tool_name",
  "function_name",
  "recipient_name",
  "toolName",
  "functionName",
  "action",
];
/** Keys under which models write the arguments of a call. */
export const ARGUMENT_KEYS: readonly string[] = [
  "arguments",
  "parameters",
  "args",
  "input",
  "params",
  "tool_input",
  "tool_args",
  "tool_arguments",
  "tool_params",
  "tool_parameters",
  "function_args",
  "function_arguments",
  "inputs",
  "action_input",
  "kwargs",
];

/**
 * Serializes an object that has the shape of a call; undefined for other objects. None of its strings alone would be
 * recognized as a call.
 */
export function writtenCall(value: object): string | undefined {
  if (!isObject(value)) return undefined;
  const isCall =
    NAME_KEYS.some((key) => typeof value[key] === "string") && ARGUMENT_KEYS.some((key) => isArguments(value[key]));
  if (!isCall) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deeply for the call stack, or circular.
    return undefined;
  }
}

/** Excludes JSON Schema: an object with a name and a schema declares a tool. */
function isArguments(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (!isObject(value)) return false;
  const { type, properties } = value;
  return type !== "object" && (typeof properties !== "object" || properties === null);
}
