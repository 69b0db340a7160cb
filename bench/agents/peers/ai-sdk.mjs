import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ToolLoopAgent, tool } from "ai";
import { input, LIMIT_MS, PROMPT, report, url, weather } from "./common.mjs";

const provider = createOpenAICompatible({ name: "script", baseURL: `${url}/v1`, apiKey: "none" });
const agent = new ToolLoopAgent({
  model: provider("script"),
  tools: { weather: tool({ description: "The weather.", inputSchema: input, execute: weather }) },
  maxRetries: 0,
});
await report(async () => (await agent.generate({ prompt: PROMPT, timeout: { toolMs: LIMIT_MS } })).text);
