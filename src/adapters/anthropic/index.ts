export {
  type AnthropicClient,
  type AnthropicSettings,
  anthropicModel,
  toAnthropicMessages,
} from "./anthropic-model.ts";
