import { plainCharacters } from "./characters.ts";
import { decodeEntities } from "./decode.ts";

/** Text without what quoting, indenting and escaping change, and without its case: equal texts say the same. */
export function squeeze(text: string): string {
  return plainCharacters(text)
    .toLowerCase()
    .replace(/[\s\\"'`>*]+/g, "");
}

/** A value without what a model adds to its end when it repeats it. */
export function squeezeValue(text: string): string {
  return squeeze(decodeEntities(text)).replace(/[;,.&]{1,8}$/, "");
}
