/** Helpers for parsing untrusted JSON: every field is optional, and nothing throws. */
import { type Fields, isArray, isObject } from "../model/narrow.ts";
import { BYTE_ORDER_MARK } from "../text/char-codes.ts";

export { type Fields, isArray, isObject };

export function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns undefined if the source is not valid JSON. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** Parses a whole body. Some clients and gateways write a byte order mark before it, which JSON does not allow. */
export function parseJsonBody(source: string): unknown {
  return parseJson(source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source);
}

/** The text of a message: a string, or its text parts joined by newlines. */
export function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  return objects(content)
    .map((part) => text(part.text))
    .filter((part) => part !== undefined)
    .join("\n");
}

/** Copies an object without its undefined properties. */
export function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined: Record<string, unknown> = {};
  for (const name in value) if (value[name] !== undefined) defined[name] = value[name];
  // It has the properties of `value` and no undefined ones.
  return defined as { [K in keyof T]: Exclude<T[K], undefined> };
}
