import type { ModelCall } from "../agent/index.ts";
import { isObject, parseJson } from "../core/wire/json.ts";

/**
 * The arguments of a call as every API takes them back: an object. Text that is no object stays readable for the model, under a name of its own: with `{}` in its
 * place it could not see what was wrong.
 */
export function argumentsObject({ arguments: args }: ModelCall): { readonly [name: string]: unknown } {
  const value = typeof args === "string" ? parseJson(args) : args;
  if (isObject(value)) return value;
  return typeof args === "string" && args.trim() === "" ? {} : { _unreadable_arguments: args };
}

/** The same as JSON: the model's own writing where that is an object. */
export function argumentsText(call: ModelCall): string {
  const { arguments: args } = call;
  return typeof args === "string" && isObject(parseJson(args)) ? args : JSON.stringify(argumentsObject(call));
}
