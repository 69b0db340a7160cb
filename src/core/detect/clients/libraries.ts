import type { ClientProfile } from "./client-profile.ts";
import { plain } from "./plain.ts";

/** Libraries: the program that uses them decides how results are written. */
export const langchain: ClientProfile = {
  ...plain,
  name: "langchain",
  userAgents: ["langchainjs-", "langchain-", "langchain/"],
  isLibrary: true,
};
export const openaiAgents: ClientProfile = {
  ...plain,
  name: "openai-agents",
  userAgents: ["agents/javascript", "agents/python"],
  isLibrary: true,
};
export const openaiSdk: ClientProfile = {
  ...plain,
  name: "openai-sdk",
  userAgents: ["openai/", "asyncopenai/", "azureopenai/", "asyncazureopenai/"],
  isLibrary: true,
};
export const anthropicSdk: ClientProfile = {
  ...plain,
  name: "anthropic-sdk",
  userAgents: ["anthropic/", "asyncanthropic/"],
  isLibrary: true,
};
