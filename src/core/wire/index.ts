import { anthropicMessages } from "./anthropic-messages.ts";
import { gemini } from "./gemini/index.ts";
import { ollama } from "./ollama/index.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Api, WireApi } from "./turn.ts";

export { turnId } from "./history.ts";
export { type HistoryPrompt, humanText, promptText } from "./human-prompt.ts";
export { type HeaderLookup, type Identity, readIdentity } from "./identity.ts";
export { apiOfPath, type PathFacts, readPath, withPathFacts } from "./path.ts";
export * from "./turn.ts";
export { anthropicMessages, gemini, ollama, openaiChat, openaiResponses };

/** The codec of each API's bodies. */
export const WIRE: Readonly<Record<Api, WireApi>> = {
  anthropic: anthropicMessages,
  chat: openaiChat,
  responses: openaiResponses,
  gemini,
  ollama,
};
