import type { JsonSchema } from "../model/model-function.ts";

export type ReadArguments =
  | { readonly kind: "value"; readonly value: unknown; readonly steps: readonly string[] }
  | { readonly kind: "malformed"; readonly why: string };

/** A digit run that a double may not hold: the tolerant reader keeps its digits. */
const LONG_NUMBER = /(?<![\d".])-?\d{16,}(?![\d"])/;

/**
 * The arguments of a call as a value. Text is read as JSON, mended where that is certain; it is never replaced by `{}`:
 * a call whose arguments were lost is not a call without arguments.
 */
export async function readArguments(raw: unknown, schema: JsonSchema): Promise<ReadArguments> {
  if (raw !== undefined && raw !== null && typeof raw !== "string") return { kind: "value", value: raw, steps: [] };
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text === "") {
    // Some servers write nothing where there is nothing to write.
    if (takesNothing(schema)) return { kind: "value", value: {}, steps: ["empty-arguments"] };
    return { kind: "malformed", why: "they were empty" };
  }
  const read = await readText(text);
  // Encoded twice: a text that holds the object.
  if (read.kind === "value" && typeof read.value === "string" && read.value.trim().startsWith("{")) {
    const inner = await readText(read.value.trim());
    return inner.kind === "value" ? { ...inner, steps: [...read.steps, "double-encoded", ...inner.steps] } : inner;
  }
  return read;
}

async function readText(text: string): Promise<ReadArguments> {
  if (!LONG_NUMBER.test(text)) {
    try {
      return { kind: "value", value: JSON.parse(text), steps: [] };
    } catch {
      // Not JSON as it stands.
    }
  }
  const { readJson } = await import("../../core/recover/json/read-json.ts");
  const read = readJson(text, 0, text.length, { final: true });
  if (read.kind === "open") return { kind: "malformed", why: "they end in the middle" };
  if (read.kind === "none") return { kind: "malformed", why: `character ${read.at + 1} cannot be read` };
  if (text.slice(read.end).trim() !== "") return { kind: "malformed", why: "something follows the object" };
  return { kind: "value", value: read.value, steps: read.repairs };
}

function takesNothing({ properties, required, type }: JsonSchema): boolean {
  const none = (list: unknown): boolean => typeof list !== "object" || list === null || Object.keys(list).length === 0;
  return (type === undefined || type === "object") && none(properties) && none(required);
}
