import type { Json } from "../../model/tool-call.ts";

/** JSON with its keys in order: equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const object = value as { readonly [key: string]: Json };
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
  return `{${members.join(",")}}`;
}
