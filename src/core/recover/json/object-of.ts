import type { Json } from "../../model/tool-call.ts";

/** An object whose keys can be anything, `__proto__` included, without touching a prototype. */
export function objectOf(entries: Iterable<readonly [string, Json]>): { [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [key, value] of entries) {
    if (key === "__proto__")
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }
  return object;
}
