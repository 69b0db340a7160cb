export { type OpenAIChatClient, type OpenAIChatSettings, openaiChatModel, toChatMessages } from "./chat-model.ts";
export {
  type OpenAIResponsesClient,
  type OpenAIResponsesSettings,
  openaiResponsesModel,
  toResponsesInput,
} from "./responses-model.ts";
