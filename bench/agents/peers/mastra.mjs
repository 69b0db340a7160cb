import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { input, PROMPT, report, url, weather } from "./common.mjs";

const tool = createTool({
  id: "weather",
  description: "The weather.",
  inputSchema: input,
  execute: async (given) => weather(given.context ?? given),
});
const agent = new Agent({
  id: "assistant",
  name: "assistant",
  instructions: "Answer.",
  model: { id: "script/script", url: `${url}/v1`, apiKey: "none" },
  tools: { weather: tool },
});
await report(async () => (await agent.generate(PROMPT)).text);
