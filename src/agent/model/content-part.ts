/** A part of a message or of a tool's result that is more than text. Data is base64. */
export type ContentPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType?: string; readonly data?: string; readonly url?: string }
  | {
      readonly kind: "file";
      readonly mediaType?: string;
      readonly name?: string;
      readonly data?: string;
      readonly url?: string;
    }
  | { readonly kind: "link"; readonly url: string; readonly name?: string };

/** The text of a part: its own, or a placeholder for readers without images and files. */
export function partText(part: ContentPart): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "link") return `[${part.name ?? "resource"}](${part.url})`;
  const name = part.kind === "file" && part.name !== undefined ? ` ${part.name}` : "";
  const type = part.mediaType === undefined ? "" : ` ${part.mediaType}`;
  return `[${part.kind}${name}${type}]`;
}

/** The text of several parts, one per line. */
export function partsText(parts: readonly ContentPart[]): string {
  return parts
    .map(partText)
    .filter((text) => text !== "")
    .join("\n");
}

type Fields = { readonly [key: string]: unknown };

/**
 * Reads a content part of the OpenAI, Anthropic or MCP APIs. Undefined for anything else: blocks that only a provider
 * interprets, calls and results.
 */
export function readPart(part: Fields): ContentPart | undefined {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return { kind: "text", text: textOf(part.text) ?? "" };
    case "refusal":
      return { kind: "text", text: textOf(part.refusal) ?? "" };
    case "image_url": {
      const { image_url: image } = part;
      return imageOf(textOf(image) ?? (isFields(image) ? textOf(image.url) : undefined));
    }
    case "input_image":
      return imageOf(textOf(part.image_url));
    case "image":
      return isFields(part.source)
        ? { kind: "image", ...sourceOf(part.source) }
        : { kind: "image", ...given("mediaType", part.mimeType), ...given("data", part.data) };
    case "document":
      return isFields(part.source)
        ? { kind: "file", ...given("name", part.title), ...sourceOf(part.source) }
        : undefined;
    case "file":
    case "input_file": {
      const file = isFields(part.file) ? part.file : part;
      return {
        kind: "file",
        ...given("name", file.filename),
        ...dataUrl(textOf(file.file_data)),
        ...given("url", file.file_url),
      };
    }
    case "audio":
      return { kind: "file", ...given("mediaType", part.mimeType), ...given("data", part.data) };
    case "resource": {
      const resource = isFields(part.resource) ? part.resource : {};
      const text = textOf(resource.text);
      if (text !== undefined) return { kind: "text", text };
      const base = { kind: "file", ...given("mediaType", resource.mimeType), ...given("name", resource.uri) } as const;
      return { ...base, ...given("data", resource.blob) };
    }
    case "resource_link":
      return { kind: "link", url: textOf(part.uri) ?? "", ...given("name", part.name) };
    default:
      return undefined;
  }
}

/** The source of an image or document in Anthropic's API. */
function sourceOf({ type, media_type: mediaType, data, url }: Fields) {
  if (type === "url") return given("url", url);
  return { ...given("mediaType", mediaType), ...given("data", data) };
}

function imageOf(url: string | undefined): ContentPart {
  return { kind: "image", ...dataUrl(url) };
}

/** A data URL as type and data; any other URL as it is. */
function dataUrl(url: string | undefined): { mediaType?: string; data?: string; url?: string } {
  if (url === undefined) return {};
  const comma = url.indexOf(",");
  const head = url.startsWith("data:") && comma !== -1 ? url.slice(5, comma) : "";
  return head.endsWith(";base64")
    ? { mediaType: head.slice(0, -";base64".length), data: url.slice(comma + 1) }
    : { url };
}

/** A part's data as a URL, as some APIs require. */
export function urlOf({ mediaType, data, url }: { mediaType?: string; data?: string; url?: string }): string {
  return url ?? `data:${mediaType ?? "application/octet-stream"};base64,${data ?? ""}`;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function given<Key extends string>(key: Key, value: unknown): { readonly [key in Key]?: string } {
  // The computed key is one of the type's keys.
  return typeof value === "string" ? ({ [key]: value } as { readonly [key in Key]?: string }) : {};
}
