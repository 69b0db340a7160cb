/** Keys of an object that is a call: of its name, of its arguments. */
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
export const ARGUMENT_KEYS: readonly string[] = [
  "arguments",
  "parameters",
  "args",
  "input",
  "params",
  "tool_input",
  "tool_args",
  "tool_arguments",
  "action_input",
  "kwargs",
];

/** An object that has the shape of a call, as JSON: only together its strings are one. Undefined for other objects. */
export function writtenCall(value: object): string | undefined {
  const fields = value as Readonly<Record<string, unknown>>;
  const isCall =
    NAME_KEYS.some((key) => typeof fields[key] === "string") && ARGUMENT_KEYS.some((key) => isArguments(fields[key]));
  if (!isCall) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than can be written, or circular.
    return undefined;
  }
}

/** Not the schema of a declaration. */
function isArguments(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { type, properties } = value as Readonly<Record<string, unknown>>;
  return type !== "object" && (typeof properties !== "object" || properties === null);
}
