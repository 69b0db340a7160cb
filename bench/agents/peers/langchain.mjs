import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { input, PROMPT, report, url, weather } from "./common.mjs";

const model = new ChatOpenAI({
  model: "script",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: `${url}/v1` },
});
const tools = [tool(weather, { name: "weather", description: "The weather.", schema: input })];
const agent = createAgent({ model, tools });
await report(async () => {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: PROMPT }] });
  return messages.at(-1)?.text ?? messages.at(-1)?.content;
});
