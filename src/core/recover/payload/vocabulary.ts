/** Elements that hold one call and, in an attribute or after `=`, its name. */
export const CALL_ELEMENTS: ReadonlySet<string> = new Set([
  ...["function", "invoke", "call", "tool", "tool_use", "function_call", "tool_call", "longcat_tool_call", "toolcall"],
  ...["tool-call", "function-call", "tool-use"],
]);

/** Elements that hold one parameter and carry its name. */
export const PARAMETER_ELEMENTS: ReadonlySet<string> = new Set(["parameter", "param", "argument", "arg", "paramater"]);

/** GLM and its relatives: the key and the value are separate elements. */
export const KEY_ELEMENTS: ReadonlySet<string> = new Set(["arg_key", "longcat_arg_key"]);
export const VALUE_ELEMENTS: ReadonlySet<string> = new Set(["arg_value", "longcat_arg_value"]);

/** Elements around all parameters. */
export const ARGUMENTS_ELEMENTS: ReadonlySet<string> = new Set([
  ...["parameters", "arguments", "args", "input", "params", "tool_input", "tool_args", "tool_arguments"],
  ...["tool_params", "action_input"],
]);

/** Elements that hold the name of the tool. */
export const NAME_ELEMENTS: ReadonlySet<string> = new Set(["name", "tool_name", "function_name", "tool", "function"]);

/** Elements that hold the tool's server, before its name. */
export const SERVER_ELEMENTS: ReadonlySet<string> = new Set(["server_name"]);

/** Whether a tag of this key opens or closes a call or a wrapper of calls: no value goes on behind it. */
export function isBoundary(key: string): boolean {
  return CALL_ELEMENTS.has(key) || WRAPPERS.has(key);
}

/** Wrappers around calls; with the call elements, everything that may follow a finished parameter. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  ...["function_calls", "tool_calls", "tools", "toolcall", "tool_call", "function_call", "dots_function_call"],
  ...["tool_sep", "tool_use", "calls", "function", "tool-calls", "tool-call", "function-calls"],
]);

/** Arguments that could reach a prototype. */
export const UNSAFE_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];
