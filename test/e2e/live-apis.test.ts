// The two tests of the failure-detection design that need a real provider. Without a key they are listed as not run.
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_UPSTREAMS } from "../../src/proxy/upstreams.ts";
import type { Summary } from "../../src/store/port.ts";
import { until } from "../support/raw-http.ts";
import { getJson, type Running, startInFrontOf } from "../support/running.ts";

const { ANTHROPIC_API_KEY, OPENAI_API_KEY } = process.env;
let running: Running;
afterEach(() => running?.close());

async function start(): Promise<Running> {
  const named = (name: "anthropic" | "openai"): [string, { name: string; url: URL }] => [
    name,
    { name, url: new URL(DEFAULT_UPSTREAMS[name]) },
  ];
  running = await startInFrontOf(DEFAULT_UPSTREAMS.anthropic, {
    upstreams: new Map([named("anthropic"), named("openai")]),
  });
  return running;
}

async function failedCalls(url: string): Promise<void> {
  await until(
    "the failed call is stored",
    async () => (await getJson<Summary>(`${url}/api/summary`)).failed === 1,
    20_000,
  );
}

describe("with real providers", () => {
  it.skipIf(ANTHROPIC_API_KEY === undefined)(
    "a tool failure on the Anthropic API is detected by its flag, test_anthropic_tool_failure_detection_real (not run: ANTHROPIC_API_KEY is not set)",
    async () => {
      const { url } = await start();
      const response = await fetch(`${url}/v1/messages`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "anthropic-version": "2023-06-01",
          "x-api-key": ANTHROPIC_API_KEY as string,
        },
        body: JSON.stringify({
          model: process.env.ANTHROPIC_MODEL ?? "claude-haiku-4-5",
          max_tokens: 64,
          tools: [{ name: "get_weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }],
          messages: [
            { role: "user", content: "How is the weather in Oslo?" },
            {
              role: "assistant",
              content: [{ type: "tool_use", id: "toolu_live00000001", name: "get_weather", input: { city: "Oslo" } }],
            },
            {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "toolu_live00000001",
                  is_error: true,
                  content: "the service is down",
                },
              ],
            },
          ],
        }),
      });
      expect(response.status).toBe(200);
      await response.text();
      await failedCalls(url);
    },
  );

  it.skipIf(OPENAI_API_KEY === undefined)(
    "a tool failure on the OpenAI API is detected by its text, test_openai_tool_failure_heuristic_real (not run: OPENAI_API_KEY is not set)",
    async () => {
      const { url } = await start();
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
        body: JSON.stringify({
          model: process.env.OPENAI_MODEL ?? "gpt-4o-mini",
          tools: [
            {
              type: "function",
              function: {
                name: "get_weather",
                parameters: { type: "object", properties: { city: { type: "string" } } },
              },
            },
          ],
          messages: [
            { role: "user", content: "How is the weather in Oslo?" },
            {
              role: "assistant",
              tool_calls: [
                {
                  id: "call_live000000001",
                  type: "function",
                  function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
                },
              ],
            },
            { role: "tool", tool_call_id: "call_live000000001", content: "Error: the service is down" },
          ],
        }),
      });
      expect(response.status).toBe(200);
      await response.text();
      await failedCalls(url);
    },
  );
});
