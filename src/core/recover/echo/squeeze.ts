import { plainCharacters } from "./characters.ts";
import { decodeEntities } from "./decode.ts";

/** Removes case and everything that quoting, indenting and escaping change, so that equal contents compare equal. */
export function squeeze(text: string): string {
  return plainCharacters(text)
    .toLowerCase()
    .replace(/[\s\\"'`>*]+/g, "");
}

/** Also removes punctuation at the end, which a model may add when it repeats a value. */
export function squeezeValue(text: string): string {
  return squeeze(decodeEntities(text)).replace(/[;,.&]{1,8}$/, "");
}
