import { type Message, Ollama, type Tool } from "ollama";
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { storedCalls } from "../support/stored-calls.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, respond, type Turn, think, withFaults } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const READ: Tool = {
  type: "function",
  function: {
    name: "read",
    description: "Reads a file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer" } },
      required: ["path"],
    },
  },
};
const MODEL = "qwen3:8b";

async function start(turns: readonly Turn[], options: Partial<ServerOptions> = {}): Promise<Both> {
  return await startForTest(inOrder(...turns), options);
}

/** One turn with the official library: the message as a program would keep it. */
async function send(host: string, messages: readonly Message[], stream: boolean): Promise<Message> {
  const client = new Ollama({ host });
  const request = { model: MODEL, messages: [...messages], tools: [READ] };
  if (!stream) return (await client.chat({ ...request, stream: false })).message;
  const message: Message = { role: "assistant", content: "" };
  for await (const part of await client.chat({ ...request, stream: true })) {
    message.content += part.message.content;
    if (part.message.tool_calls !== undefined)
      message.tool_calls = [...(message.tool_calls ?? []), ...part.message.tool_calls];
  }
  return message;
}

const USER: Message = { role: "user", content: "Read a.txt" };
const result = (content: string): Message => ({ role: "tool", tool_name: "read", content });

describe.each([true, false])("Ollama's library, stream %s", (stream) => {
  const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

  it.each(["/ollama", ""])("gets a leak as a call, and the strict upstream accepts its result: %s", async (path) => {
    const running = await start([turn(`Let me look. ${LEAK}`), respond("It says hello.")]);
    const host = running.url + path;
    const first = await send(host, [USER], stream);
    expect(first).toMatchObject({
      content: "Let me look.",
      tool_calls: [{ function: { name: "read", arguments: { path: "a.txt" } } }],
    });
    const last = await send(host, [USER, first, result("hello")], stream);
    expect(last.content).toBe("It says hello.");
    expect(running.upstream.rejections).toEqual([]);
    await eventsAfter(running, 2, "response_recorded");
    expect(await storedCalls(running)).toMatchObject([
      { tool_call_id: "functions.read:0", tool_name: "read", status: "ok", model_name: MODEL },
    ]);
    const events = await recordedEvents(running);
    expect(events.filter(({ type }) => type === "leak_recovered")).toMatchObject([
      { parsed: 1, tool_call_ids: ["functions.read:0"] },
    ]);
    expect(events.filter(({ type }) => type === "tool_call_requested")).toMatchObject([{ origin: "recovered" }]);
  });

  it("makes several leaked calls in one line, with other arguments as they are", async () => {
    const running = await start([turn(`${LEAK}\n${LEAK.replace("a.txt", "b.txt")}`)]);
    const { content, tool_calls } = await send(running.url, [USER], stream);
    expect(content.trim()).toBe("");
    expect(tool_calls?.map(({ function: { arguments: args } }) => args)).toEqual([
      { path: "a.txt" },
      { path: "b.txt" },
    ]);
  });

  it("gets a native call that fits its schema after repair", async () => {
    const running = await start([respond(call("read", { path: "a.txt", limit: "3" }, ""))]);
    const { tool_calls } = await send(running.url, [USER], stream);
    expect(tool_calls).toMatchObject([{ function: { name: "read", arguments: { path: "a.txt", limit: 3 } } }]);
    expect(await eventsAfter(running, 1, "call_repaired")).toMatchObject([{ tool_call_id: "functions.read:0" }]);
  });

  it("records each call once, also where the library replaces the ids of the server", async () => {
    const running = await start([
      respond(call("read", { path: "a" }, "call_server01")),
      respond(call("read", { path: "b" }, "")),
      respond("done"),
    ]);
    const own = (path: string, id: string): Message => {
      // The types of the library have no id, but others send one.
      const called = { id, function: { name: "read", arguments: { path } } };
      return { role: "assistant", content: "", tool_calls: [called] };
    };
    await send(running.url, [USER], stream);
    const history = [USER, own("a", "b2f0c6f4"), result("Error: ENOENT: no such file or directory, open 'a'")];
    await send(running.url, history, stream);
    await send(running.url, [...history, own("b", "9d1e7a33"), result("text")], stream);
    await eventsAfter(running, 3, "response_recorded");
    const calls = await storedCalls(running);
    expect(calls).toMatchObject([
      { tool_call_id: "functions.read:0", status: "failed", category: "not_found" },
      { tool_call_id: "functions.read:1", status: "ok" },
    ]);
    expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(1);
  });
});

const BODY = { model: MODEL, messages: [USER], tools: [READ] };

function post(url: string, body: object = BODY): Promise<Response> {
  return fetch(`${url}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const withoutTime = (text: string): string => text.replaceAll(/"created_at":"[^"]*"/g, "");

it.each([1, 3, 1000])(
  "lines that need no repair are forwarded byte for byte, written %i bytes at a time",
  async (writeBytes) => {
    const turn = { ...respond(think("hm"), "No <tool_call> é here.", call("read", { path: "a" }, "x")), writeBytes };
    const running = await start([turn, turn]);
    const direct = await (await post(running.upstream.url)).text();
    expect(withoutTime(await (await post(running.url)).text())).toBe(withoutTime(direct));
  },
);

it.each([1, 5, 64])("a stream is repaired the same however it is cut: %i bytes", async (writeBytes) => {
  const running = await start([{ ...respond(`Look: ${LEAK}`), chunking: { characters: 3 }, writeBytes }]);
  const lines = (await (await post(running.url)).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message.content).join("")).toBe("Look:");
  expect(lines.at(-2).message.tool_calls).toMatchObject([{ function: { name: "read", arguments: { path: "a.txt" } } }]);
  expect(lines.at(-1)).toMatchObject({ done: true, done_reason: "stop" });
});

it("a leak in a stream that ends with an error is left", async () => {
  const running = await start([
    withFaults(respond(LEAK), { kind: "error-event", afterEvents: 5, message: "out of memory" }),
  ]);
  const text = await (await post(running.url)).text();
  expect(text).toContain("tool_call");
  expect(text.trimEnd().endsWith('{"error":"out of memory"}')).toBe(true);
});

it("structured output is not mistaken for a call", async () => {
  const json = '{"name": "read", "arguments": {"path": "a.txt"}}';
  const running = await start([respond(json)]);
  const response = await post(running.url, { ...BODY, stream: false, format: "json" });
  expect(await response.json()).toMatchObject({ message: { content: json } });
});

it("a note of the guard is added to the text of a result", async () => {
  const running = await start([respond("ok")], { guard: { mode: "note" } } as Partial<ServerOptions>);
  const steps = Array.from({ length: 5 }, () => [
    { role: "assistant", content: "", tool_calls: [{ function: { name: "read", arguments: { path: "a" } } }] },
    result("same"),
  ]).flat();
  await (await post(running.url, { ...BODY, messages: [USER, ...steps] })).text();
  expect(running.upstream.requests[0]?.body.toString("utf8")).toContain('"same\\n\\n[toolmend] ');
});
