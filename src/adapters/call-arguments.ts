import type { ModelCall } from "../agent/index.ts";
import { argumentsObject } from "../agent/loop/shown-arguments.ts";
import { isObject, parseJson } from "../core/wire/json.ts";

/** The arguments of a call as JSON of an object: the model's own writing where it is that. */
export function argumentsText({ arguments: args }: ModelCall): string {
  return typeof args === "string" && isObject(parseJson(args)) ? args : JSON.stringify(argumentsObject(args));
}
