import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Api, WireApi } from "./turn.ts";

export { turnId } from "./history.ts";
export { type HistoryPrompt, humanText, promptText } from "./human-prompt.ts";
export { type HeaderLookup, type Identity, readIdentity } from "./identity.ts";
export * from "./turn.ts";
export { anthropicMessages, openaiChat, openaiResponses };

/** The codec of each API's bodies. */
export const WIRE: Readonly<Record<Api, WireApi>> = {
  anthropic: anthropicMessages,
  chat: openaiChat,
  responses: openaiResponses,
};

/** The API a path belongs to, or undefined if the body is passed through unparsed. Expects a path without a query. */
export function apiOfPath(path: string): Api | undefined {
  // OpenAI's threads API has a `/messages` path, too.
  if (path.endsWith("/messages") && !path.includes("/threads/")) return "anthropic";
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/responses")) return "responses";
  return undefined;
}
