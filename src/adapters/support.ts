import type { ModelCall } from "../agent/index.ts";
import { argumentsObject } from "../agent/loop/events.ts";
import { isObject, parseJson } from "../core/wire/json.ts";

/** What the work gives; undefined when it fails: nothing that goes wrong with us may cost the caller an answer. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** So many letters and digits that nobody can guess. */
export function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => ALPHABET[byte % ALPHABET.length]).join(
    "",
  );
}

/** The arguments of a call as JSON of an object: the model's own writing where it is that. */
export function argumentsText({ arguments: args }: ModelCall): string {
  return typeof args === "string" && isObject(parseJson(args)) ? args : JSON.stringify(argumentsObject(args));
}
