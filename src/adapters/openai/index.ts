export { type OpenAIChatClient, type OpenAIChatSettings, openaiChatModel } from "./chat-model.ts";
export { type OpenAIResponsesClient, type OpenAIResponsesSettings, openaiResponsesModel } from "./responses-model.ts";
