import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { afterEach, describe, expect, it } from "vitest";
import { eventsAfter } from "../support/recorded-events.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly tool_use_id?: string; readonly id?: string }[];
}
interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly thread?: { readonly type: string; readonly previous_message_id?: string };
}

/** A provider that stores message threads: requests that continue one have only what is new. */
async function startThreads(turns: readonly object[][]): Promise<{ url: string; bodies: Body[]; server: Server }> {
  const histories = new Map<string, readonly Message[]>();
  const bodies: Body[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    bodies.push(body);
    const before = histories.get(body.thread?.previous_message_id ?? "") ?? [];
    const messages = [...before, ...body.messages];
    const made = new Set(blocks(messages, "tool_use").map(({ id }) => id));
    const send = (status: number, json: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(json));
    };
    if (blocks(messages, "tool_result").some((block) => !made.has(block.tool_use_id)))
      return send(400, { type: "error", error: { type: "invalid_request_error", message: "unexpected tool_use_id" } });
    const content = turns[bodies.length - 1] ?? [{ type: "text", text: "Done." }];
    const id = `msg_${bodies.length}`;
    histories.set(id, [...messages, { role: "assistant", content: content as never }]);
    const stop_reason = content.some((block) => "input" in block) ? "tool_use" : "end_turn";
    const usage = { input_tokens: 10, output_tokens: 5 };
    send(200, { id, type: "message", role: "assistant", model: "m", content, stop_reason, stop_sequence: null, usage });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, server };
}

function blocks(messages: readonly Message[], type: string) {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((block) => block.type === type),
  );
}

const useOf = (id: string, path: string): object => ({ type: "tool_use", id, name: "read", input: { path } });

let upstream: Awaited<ReturnType<typeof startThreads>>;
let running: Running;
afterEach(async () => {
  await running.close();
  upstream.server.close();
  upstream.server.closeAllConnections();
});

/** Runs the tool runner of the official SDK, which uses threads by default. */
async function runTools(url: string): Promise<string> {
  const client = new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });
  const read = betaTool({
    name: "read",
    description: "Reads a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    run: ({ path }) => {
      if (path === "missing.txt") throw new Error("ENOENT: no such file or directory, open 'missing.txt'");
      return "hello";
    },
  });
  const last = await client.beta.messages.toolRunner({
    ...{ model: "m", max_tokens: 100, tools: [read] },
    messages: [{ role: "user", content: "Read both files" }],
  });
  return last.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("message threads of the Messages API", () => {
  it("message threads are one session, with each call once, its name, arguments and result", async () => {
    upstream = await startThreads([[useOf("toolu_1", "missing.txt")], [useOf("toolu_2", "a.txt")]]);
    running = await startInFrontOf(upstream.url);
    expect(await runTools(running.url)).toBe("Done.");
    // The SDK sent threads: later requests have neither tools nor earlier messages.
    expect(upstream.bodies.map(({ thread, messages }) => [thread?.type, messages.length])).toEqual([
      ["create", 1],
      ["continue", 1],
      ["continue", 1],
    ]);
    expect(await eventsAfter(running, 3, "tool_call_recorded")).toMatchObject([
      { tool_call_id: "toolu_1", tool_name: "read", status: "failed", category: "not_found" },
      { tool_call_id: "toolu_2", tool_name: "read", status: "ok" },
    ]);
    const sessions = await running.server.store.sessions({});
    expect(sessions.map(({ calls, failed, requests }) => [calls, failed, requests])).toEqual([[2, 1, 3]]);
  });

  it("message threads stay one session after a restart in the middle", async () => {
    upstream = await startThreads([[useOf("toolu_1", "missing.txt")]]);
    const data = temporaryFolder();
    running = await startInFrontOf(upstream.url, { data });
    const post = async (body: object): Promise<{ id: string }> => {
      const response = await fetch(`${running.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "test" },
        body: JSON.stringify({ model: "m", max_tokens: 100, ...body }),
      });
      return (await response.json()) as { id: string };
    };
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const first = await post({ tools, thread: { type: "create" }, messages: [{ role: "user", content: "Read it" }] });
    await running.close();
    running = await startInFrontOf(upstream.url, { data });
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "Error: ENOENT", is_error: true };
    await post({
      thread: { type: "continue", previous_message_id: first.id },
      messages: [{ role: "user", content: [result] }],
    });
    await running.server.drain();
    expect((await running.server.store.sessions({})).map(({ calls, failed }) => [calls, failed])).toEqual([[1, 1]]);
  });

  it("a leaked call stays text, because the provider would reject its result", async () => {
    const leak = '<tool_call>\n{"name":"read","arguments":{"path":"a.txt"}}\n</tool_call>';
    upstream = await startThreads([[{ type: "text", text: leak }]]);
    running = await startInFrontOf(upstream.url);
    expect(await runTools(running.url)).toBe(leak);
    expect(await eventsAfter(running, 1, "leak_left")).toMatchObject([{ reason: "server-state" }]);
  });

  it("a leak is reported in a later turn, whose request declares no tools", async () => {
    const leak = '<tool_call>\n{"name":"read","arguments":{"path":"a.txt"}}\n</tool_call>';
    upstream = await startThreads([[useOf("toolu_1", "a.txt")], [{ type: "text", text: leak }]]);
    running = await startInFrontOf(upstream.url);
    expect(await runTools(running.url)).toBe(leak);
    expect(await eventsAfter(running, 2, "leak_left")).toMatchObject([
      { reason: "server-state", tool_names: ["read"] },
    ]);
  });

  it("no leak is reported where none is", async () => {
    upstream = await startThreads([[useOf("toolu_1", "a.txt")], [{ type: "text", text: "It says <b>hello</b>." }]]);
    running = await startInFrontOf(upstream.url);
    await runTools(running.url);
    expect(await eventsAfter(running, 2, "leak_left")).toEqual([]);
  });
});
