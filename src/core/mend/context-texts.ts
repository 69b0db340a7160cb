import { type Fields, isObject, objects } from "../wire/json.ts";
import type { Api } from "./types.ts";

/** Shorter than any call. */
const SHORTEST = 12;
/** Deeper than any message. */
const DEEPEST = 12;
/** What the model wrote itself is no quotation. */
const OWN_ITEMS = new Set<unknown>(["function_call", "custom_tool_call", "reasoning"]);

/** The texts of a request that the model was given: results, user and system messages; undefined beyond so many characters. */
export function contextTexts(api: Api, body: Fields, most: number): readonly string[] | undefined {
  const texts: string[] = [];
  let size = 0;
  const walk = (value: unknown, depth: number): void => {
    if (size > most || depth > DEEPEST) return;
    if (typeof value === "string") {
      if (value.length < SHORTEST) return;
      size += value.length;
      texts.push(value);
    } else if (Array.isArray(value)) for (const item of value) walk(item, depth + 1);
    else if (isObject(value) && !isBinary(value)) for (const name in value) walk(value[name], depth + 1);
  };
  if (api === "anthropic") walk(body.system, 0);
  if (api === "responses") {
    walk(body.instructions, 0);
    if (typeof body.input === "string") walk(body.input, 0);
  }
  for (const message of objects(api === "responses" ? body.input : body.messages))
    if (message.role !== "assistant" && !OWN_ITEMS.has(message.type)) walk(message, 0);
  return size > most ? undefined : texts;
}

/** Images and files hold no words. */
function isBinary(value: Fields): boolean {
  return (
    value.type === "base64" || value.type === "image" || value.type === "image_url" || value.type === "input_image"
  );
}
