import { isObject, objects, text } from "../../core/wire/json.ts";

/** The result of an MCP tool as a model reads it: its texts; what is no text is named. */
export function resultText(result: unknown): string {
  if (!isObject(result)) return String(result);
  const parts = objects(result.content).map(partText);
  if (parts.length > 0) return parts.join("\n");
  return JSON.stringify(result.structuredContent ?? result.toolResult ?? null) ?? "null";
}

function partText(part: { readonly [name: string]: unknown }): string {
  switch (part.type) {
    case "text":
      return text(part.text) ?? "";
    case "resource": {
      const resource = isObject(part.resource) ? part.resource : {};
      return text(resource.text) ?? `[resource ${text(resource.uri) ?? ""}]`;
    }
    case "resource_link":
      return `[${text(part.name) ?? "resource"}](${text(part.uri) ?? ""})`;
    default:
      return `[${text(part.type) ?? "content"}${text(part.mimeType) === undefined ? "" : ` ${text(part.mimeType)}`}]`;
  }
}
