import OpenAI from "openai";
import { createToolRegistry, defineTool, runToolLoop } from "toolmend/agent";
import { openaiChatModel } from "toolmend/openai";
import { input, LIMIT_MS, PROMPT, report, url, weather } from "./common.mjs";

const tool = defineTool({ name: "weather", description: "The weather.", input, run: weather, timeoutMs: LIMIT_MS });
const model = openaiChatModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: "none" }), { model: "script" });
await report(async () => {
  const run = runToolLoop({
    registry: createToolRegistry([tool], { log: false }),
    model,
    messages: [{ role: "user", content: PROMPT }],
  });
  let text = "";
  for await (const event of run) {
    if (event.kind === "text") text += event.text;
    else if ("error" in event && !("callId" in event)) text += event.error.message;
  }
  return text;
});
