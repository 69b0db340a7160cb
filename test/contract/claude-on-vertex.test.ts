import { describe, expect, it } from "vitest";
import { WIRE } from "../../src/core/wire/index.ts";
import { framesOf } from "../support/encode-turn.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { storedCalls } from "../support/stored-calls.ts";
import { inOrder } from "../support/upstream/script.ts";
import { respond, type Turn } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const MODEL = "claude-sonnet-4@20250514";
const PLACE = "projects/p/locations/us-east5/publishers/anthropic/models";
const BODY = {
  anthropic_version: "vertex-2023-10-16",
  max_tokens: 100,
  tools: [{ name: "read", input_schema: { type: "object", properties: { path: { type: "string" } } } }],
};
const USER = { role: "user", content: "Read a.txt" };

async function start(...turns: readonly Turn[]): Promise<Both> {
  return await startForTest(inOrder(...turns));
}

function post(url: string, stream: boolean, messages: readonly object[]): Promise<Response> {
  const method = stream ? "streamRawPredict" : "rawPredict";
  return fetch(`${url}/${PLACE}/${MODEL}:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer t", "x-claude-code-session-id": "s1" },
    body: JSON.stringify({ ...BODY, ...(stream && { stream: true }), messages }),
  });
}

async function read(response: Response, stream: boolean) {
  const text = await response.text();
  const decoder = WIRE.anthropic.createStreamDecoder();
  if (!stream) return WIRE.anthropic.decodeResponse(JSON.parse(text));
  for (const { data } of framesOf(text)) if (data !== undefined) decoder.push(data);
  return decoder.end();
}

describe.each([true, false])("Claude on Vertex, stream %s", (stream) => {
  it("Claude on Vertex is read and repaired like Anthropic's API, with the model of the path", async () => {
    const running = await start(respond(LEAK), respond("It says hello."));
    const url = `${running.url}/anthropic/v1`;
    const first = await read(await post(url, stream, [USER]), stream);
    expect(first).toMatchObject({ stopReason: "tool_use", calls: [{ name: "read" }] });
    const id = first?.calls[0]?.id ?? "";
    const history = [
      USER,
      { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: "a.txt" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "no such file", is_error: true }] },
    ];
    await read(await post(url, stream, history), stream);
    expect(running.upstream.rejections).toEqual([]);
    expect(running.upstream.requests[0]?.url).toBe(
      `/v1/${PLACE}/${MODEL}:${stream ? "streamRawPredict" : "rawPredict"}`,
    );
    await eventsAfter(running, 2, "response_recorded");
    expect(await storedCalls(running)).toMatchObject([{ session_id: "s1", tool_call_id: id, status: "failed" }]);
    const [request] = (await recordedEvents(running)).filter(({ type }) => type === "request_recorded");
    expect(request).toMatchObject({ model: MODEL });
  });
});

it("counting tokens is forwarded unread", async () => {
  const running = await start(respond("x"));
  await fetch(`${running.url}/anthropic/v1/${PLACE}/count-tokens:rawPredict`, { method: "POST", body: "{}" });
  expect(await recordedEvents(running)).toEqual([]);
});

it("a deployment of Azure is read like OpenAI's API, and its name is the model", async () => {
  const running = await start();
  const path = "/anthropic/openai/deployments/my-gpt/chat/completions?api-version=2025-01-01";
  const body = JSON.stringify({ messages: [USER], tools: [] });
  const headers = { "content-type": "application/json", "api-key": "k" };
  await (await fetch(running.url + path, { method: "POST", headers, body })).text();
  const [request] = await eventsAfter(running, 1, "request_recorded");
  expect(request).toMatchObject({ model: "my-gpt", api: "chat" });
});
