import { jsonrepair } from "jsonrepair";
import type { Json } from "../../model/tool-call.ts";

/** Larger bodies than this are not worth a last guess. */
const CAP = 64 * 1024;

/**
 * The last resort for a body that its closer delimits: jsonrepair. Never for text with a backslash, which it would
 * drop or reinterpret without a word (`"\d+"`, `"C:\Users"`), and never for large text.
 */
export function repairDelimited(body: string): Json | undefined {
  if (body.length > CAP || body.includes("\\") || !looksWhole(body.trim())) return undefined;
  try {
    return JSON.parse(jsonrepair(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Only something that also ends like JSON: closing a string for the model would make up an argument. */
function looksWhole(body: string): boolean {
  return (body[0] === "{" || body[0] === "[") && (body.at(-1) === "}" || body.at(-1) === "]");
}
