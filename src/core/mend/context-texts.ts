import type { ContextText } from "../recover/index.ts";
import { type Fields, isObject, objects } from "../wire/json.ts";
import type { Api } from "./types.ts";

type Role = ContextText["role"];

/** Shorter than any call. */
const MIN_TEXT_CHARS = 12;
/** Deeper than any message. */
const MAX_DEPTH = 12;
/** What the model wrote itself is no quotation. */
const OWN_ITEMS = new Set<unknown>(["function_call", "custom_tool_call", "reasoning"]);
/** Blocks of a user's message that tools wrote. */
const RESULT_BLOCKS = new Set<unknown>(["tool_result", "tool-result", "mcp_tool_result", "web_search_tool_result"]);

/**
 * The texts of a request that the model was given, and who said each: results, user and system messages. Undefined if
 * they are longer than `maxChars`. The declared tools are read with the calls, see `toolTexts`.
 */
export function contextTexts(api: Api, body: Fields, maxChars: number): readonly ContextText[] | undefined {
  const texts: ContextText[] = [];
  let size = 0;
  const walk = (value: unknown, role: Role, depth: number): void => {
    if (size > maxChars || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      if (value.length < MIN_TEXT_CHARS) return;
      size += value.length;
      texts.push({ role, text: value });
    } else if (Array.isArray(value)) for (const item of value) walk(item, role, depth + 1);
    else if (isObject(value) && !isBinary(value)) {
      const own = RESULT_BLOCKS.has(value.type) ? "tool" : role;
      for (const name in value) walk(value[name], own, depth + 1);
    }
  };
  if (api === "anthropic") walk(body.system, "system", 0);
  if (api === "responses") {
    walk(body.instructions, "system", 0);
    if (typeof body.input === "string") walk(body.input, "user", 0);
  }
  for (const message of objects(api === "responses" ? body.input : body.messages))
    if (message.role !== "assistant" && !OWN_ITEMS.has(message.type)) walk(message, roleOf(message), 0);
  return size > maxChars ? undefined : texts;
}

/** Items without a role are results of tools. */
function roleOf({ role }: Fields): Role {
  if (role === "system" || role === "developer") return "system";
  return role === "user" ? "user" : "tool";
}

/** Images and files hold no words. */
function isBinary(value: Fields): boolean {
  return (
    value.type === "base64" || value.type === "image" || value.type === "image_url" || value.type === "input_image"
  );
}
