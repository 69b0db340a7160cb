export { type AnthropicClient, type AnthropicSettings, anthropicModel } from "./anthropic-model.ts";
