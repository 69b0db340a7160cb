import { type Fields, isArray, isObject } from "../core/model/narrow.ts";
import type { McpOutcome } from "./event.ts";

const MAX_HEAD_CHARS = 48 << 10;
const MAX_TAIL_CHARS = 16 << 10;

/** The outcome of a tool's result. */
export function resultOutcome(result: Fields): McpOutcome & { readonly kind: "result" } {
  const text = resultText(result);
  return {
    kind: "result",
    is_error: result.isError === true,
    text: truncate(text),
    size_bytes: Buffer.byteLength(text),
  };
}

/** The text as clients show it to the model. Other content is named by its type. */
function resultText({ content, structuredContent }: Fields): string {
  const parts = isArray(content) ? content.map(partText) : [];
  if (parts.length > 0) return parts.join("\n");
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent);
}

function partText(part: unknown): string {
  if (!isObject(part)) return "";
  if (typeof part.text === "string") return part.text;
  const { resource } = part;
  if (isObject(resource) && typeof resource.text === "string") return resource.text;
  return `[${String(part.type)}]`;
}

/** Keeps the start and the end: a failure is stated in one of them. */
function truncate(text: string): string {
  if (text.length <= MAX_HEAD_CHARS + MAX_TAIL_CHARS) return text;
  return `${text.slice(0, MAX_HEAD_CHARS)}\n…\n${text.slice(-MAX_TAIL_CHARS)}`;
}
