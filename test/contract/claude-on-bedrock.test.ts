import { expect, it } from "vitest";
import { encodeStream, framesOf } from "../support/encode-turn.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { startForTest } from "../support/start-for-test.ts";
import { call, respond } from "../support/upstream/turn.ts";

function message(data: string): Buffer {
  const body = Buffer.from(JSON.stringify({ bytes: Buffer.from(data).toString("base64") }));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + body.length, 0);
  return Buffer.concat([prelude, body, Buffer.alloc(4)]);
}

it("a binary stream of Claude on Bedrock is forwarded as it is and recorded", async () => {
  const events = framesOf(encodeStream("anthropic", respond("Look.", call("read", { path: "a" }, "toolu_01abc"))));
  const body = Buffer.concat(events.map(({ data }) => message(data ?? "")));
  const contentType = "application/vnd.amazon.eventstream";
  const both = await startForTest(() => ({ kind: "raw", contentType, body, writeBytes: 11 }));
  const model = "us.anthropic.claude-sonnet-4-v1%3A0";
  const response = await fetch(`${both.url}/anthropic/model/${model}/invoke-with-response-stream`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer k", "accept-encoding": "gzip" },
    body: JSON.stringify({
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 10,
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: "Read a" }],
    }),
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
  expect(both.upstream.requests[0]?.url).toBe(`/model/${model}/invoke-with-response-stream`);
  // Such a stream is never changed, so it may be compressed.
  expect(both.upstream.requests[0]?.rawHeaders.join()).toContain("accept-encoding,gzip");
  const [requested] = await eventsAfter(both, 1, "tool_call_requested");
  expect(requested).toMatchObject({ tool_name: "read", tool_call_id: "toolu_01abc" });
  const [request] = await eventsAfter(both, 1, "request_recorded");
  expect(request).toMatchObject({ model: "us.anthropic.claude-sonnet-4-v1:0", is_streaming: true });
});
