/** Maximum nesting of parts. No client nests them more than twice. */
const MAX_DEPTH = 6;

/**
 * Converts a result's content to one text: strings unchanged, parts joined by newlines, missing content as empty text.
 * Images and files are replaced by a short mark, so that the result is not treated as empty.
 *
 * @example
 * resultText([{ type: "text", text: "a" }, { type: "text", text: "b" }]); // "a\nb"
 */
export function resultText(content: unknown): string {
  return partText(content, 0);
}

function partText(part: unknown, depth: number): string {
  if (typeof part === "string") {
    return part;
  }
  if (part === null || part === undefined || depth > MAX_DEPTH) {
    return "";
  }
  if (typeof part !== "object") {
    return String(part);
  }
  if (Array.isArray(part)) {
    return part
      .map((item) => partText(item, depth + 1))
      .filter((text) => text !== "")
      .join("\n");
  }
  const { type, text, content, output, value } = part as Record<string, unknown>;
  for (const inner of [text, content, output, value]) {
    if (typeof inner === "string") {
      return inner;
    }
    if (Array.isArray(inner)) {
      return partText(inner, depth + 1);
    }
  }
  if (typeof type === "string") {
    return `[${type}]`;
  }
  try {
    return JSON.stringify(part) ?? "";
  } catch {
    return "";
  }
}
