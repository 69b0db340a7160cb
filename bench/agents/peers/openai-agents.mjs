import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { input, LIMIT_MS, PROMPT, report, url, weather } from "./common.mjs";

setDefaultOpenAIClient(new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 }));
setOpenAIAPI("chat_completions");
setTracingDisabled(true);
const tools = [
  tool({ name: "weather", description: "The weather.", parameters: input, execute: weather, timeoutMs: LIMIT_MS }),
];
const agent = new Agent({ name: "assistant", model: "script", tools });
await report(async () => (await run(agent, PROMPT)).finalOutput);
