import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { describe, expect, it, vi } from "vitest";
import { eventsAfter } from "../support/recorded-events.ts";
import { startInFrontOf, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { respond, type Turn } from "../support/upstream/turn.ts";

const leakOf = (args: object): string =>
  `<tool_call>\n${JSON.stringify({ name: "read", arguments: args, id: "call_written" })}\n</tool_call>`;
const LEAK = leakOf({ path: "a.txt" });
const DONE = respond("The file says hello.");

async function start(turns: readonly Turn[], options: Parameters<typeof startForTest>[1] = {}): Promise<Both> {
  return await startForTest(inOrder(...turns), options);
}

type Input = OpenAI.Responses.ResponseCreateParams["input"];

/** Sends requests like an application that leaves its history to the provider. */
async function createResponse(
  url: string,
  stream: boolean,
  input: Input,
  more: object = {},
  headers: Record<string, string> = {},
) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0, defaultHeaders: headers });
  const tools = [{ type: "function" as const, name: "read", parameters: { type: "object" }, strict: false }];
  const body = { model: "m", tools, input, ...more };
  const response = stream
    ? await client.responses.stream(body as never).finalResponse()
    : await client.responses.create({ ...body, stream: false } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
  const calls = (response.output as OpenAI.Responses.ResponseOutputItem[]).filter(
    (item): item is OpenAI.Responses.ResponseFunctionToolCall => item.type === "function_call",
  );
  return { id: response.id, text: response.output_text, calls };
}

const outputOf = (call_id: string | undefined): Input => [
  { type: "function_call_output", call_id: call_id ?? "", output: "hello" },
];

describe.each([false, true])("a conversation stored by the provider, stream %s", (stream) => {
  it("gets the repaired call inserted before its output, so that the strict upstream accepts it", async () => {
    const { url, upstream } = await start([respond(`I look. ${LEAK}`), respond(LEAK), DONE]);
    const first = await createResponse(url, stream, "Hi");
    expect(first).toMatchObject({ text: "I look.", calls: [{ name: "read", arguments: '{"path":"a.txt"}' }] });
    const [call] = first.calls;
    const second = await createResponse(url, stream, outputOf(call?.call_id), { previous_response_id: first.id });
    expect(JSON.parse(upstream.requests[1]?.body.toString() ?? "").input).toEqual([
      { type: "function_call", call_id: call?.call_id, name: "read", arguments: '{"path":"a.txt"}' },
      { type: "function_call_output", call_id: call?.call_id, output: "hello" },
    ]);
    expect(second.calls).toHaveLength(1);
    // The call is looked up by id alone, so the id must not be the one that the model wrote.
    expect(call?.call_id).not.toBe("call_written");
    const last = await createResponse(url, stream, outputOf(second.calls[0]?.call_id), {
      previous_response_id: second.id,
    });
    expect(last.text).toBe("The file says hello.");
    expect(upstream.rejections).toEqual([]);
  });

  it("records a repaired call once, with its result", async () => {
    const running = await start([respond(LEAK), DONE]);
    const first = await createResponse(running.url, stream, "Hi");
    await createResponse(running.url, stream, outputOf(first.calls[0]?.call_id), { previous_response_id: first.id });
    expect(await eventsAfter(running, 2, "tool_call_recorded")).toMatchObject([
      { tool_name: "read", tool_call_id: first.calls[0]?.call_id, origin: "recovered", status: "ok" },
    ]);
  });

  it("finds the repaired call in the store after a restart", async () => {
    const data = temporaryFolder();
    const running = await start([respond(LEAK), DONE], { data });
    const first = await createResponse(running.url, stream, "Hi");
    await running.server.close();
    const restarted = await startInFrontOf(running.upstream.url, { data });
    const last = await createResponse(restarted.url, stream, outputOf(first.calls[0]?.call_id), {
      previous_response_id: first.id,
    });
    expect(last.text).toBe("The file says hello.");
    expect(running.upstream.rejections).toEqual([]);
    await restarted.close();
    rmSync(data, { recursive: true });
  });

  it("repairs for clients that send their history anyway", async () => {
    const { url, upstream } = await start([respond(LEAK), DONE]);
    const first = await createResponse(url, stream, "Hi", { store: true });
    const [call] = first.calls;
    const history = [{ role: "user", content: "Hi" }, call, ...(outputOf(call?.call_id) as readonly object[])];
    expect((await createResponse(url, stream, history as Input, { store: true })).text).toBe("The file says hello.");
    expect(JSON.parse(upstream.requests[1]?.body.toString() ?? "").input).toHaveLength(3);
    expect(upstream.rejections).toEqual([]);
  });
});

const long = leakOf({ path: "a.txt", words: `${"some words ".repeat(60)}thelastword` });
const secret = leakOf({ path: "a.txt", api_key: "sk-live-0123456789abcdef" });

/** All bytes below a folder, as text. */
function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("a leak whose record does not store its arguments completely", () => {
  const continued = (url: string, first: Awaited<ReturnType<typeof createResponse>>) =>
    createResponse(url, false, outputOf(first.calls[0]?.call_id), { previous_response_id: first.id });

  it("the leak is repaired, and put back whole after a restart, without its text on the disk", async () => {
    const data = temporaryFolder();
    const running = await start([respond(long), DONE], { data });
    const first = await createResponse(running.url, false, "Hi");
    expect(first.calls).toHaveLength(1);
    await running.server.close();
    // The record of the leak has its first 500 characters.
    expect(bytesIn(data).includes("thelastword")).toBe(false);
    expect(statSync(join(data, "state.key")).mode & 0o777).toBe(0o600);
    const restarted = await startInFrontOf(running.upstream.url, { data });
    expect((await continued(restarted.url, first)).text).toBe("The file says hello.");
    expect(running.upstream.rejections).toEqual([]);
    const [inserted] = JSON.parse(running.upstream.requests[1]?.body.toString() ?? "").input;
    expect(inserted).toEqual({
      ...{ type: "function_call", call_id: first.calls[0]?.call_id, name: "read" },
      arguments: first.calls[0]?.arguments,
    });
    await restarted.server.drain();
    // Used: the provider has the call now.
    await vi.waitFor(async () => expect(await restarted.server.store.sealedCalls(0, 10)).toEqual([]));
    await restarted.close();
    rmSync(data, { recursive: true });
  });

  it("the leak is removed with its session, and after a day", async () => {
    let time = Date.now();
    const running = await start([respond(long), respond(long)], { now: () => time, sweepMs: 20 });
    const sealed = () => running.server.store.sealedCalls(0, 10);
    await createResponse(running.url, false, "Hi", {}, { "x-toolmend-session": "s1" });
    await running.server.drain();
    expect(await sealed()).toHaveLength(1);
    await fetch(`${running.url}/api/sessions/s1`, { method: "DELETE" });
    expect(await sealed()).toEqual([]);
    await createResponse(running.url, false, "Hi", {}, { "x-toolmend-session": "s2" });
    await running.server.drain();
    expect(await sealed()).toHaveLength(1);
    time += 25 * 3_600_000;
    await vi.waitFor(async () => expect(await sealed()).toEqual([]));
  });

  it.each([
    ["a secret", secret, {}],
    ["a text while capture is none", long, { capture: "none" }],
  ] as const)("a leak is kept in memory only if its arguments contain %s", async (_what, leak, options) => {
    const running = await start([respond(leak), DONE], options);
    const first = await createResponse(running.url, false, "Hi");
    expect(first.calls).toHaveLength(1);
    await running.server.drain();
    expect(await running.server.store.sealedCalls(0, 10)).toEqual([]);
    expect((await continued(running.url, first)).text).toBe("The file says hello.");
    expect(running.upstream.rejections).toEqual([]);
  });

  it("a leak stays text when the provider works in the background", async () => {
    const running = await start([respond(LEAK)]);
    expect(await createResponse(running.url, false, "Hi", { background: true })).toMatchObject({
      text: LEAK,
      calls: [],
    });
    expect(await eventsAfter(running, 1, "leak_left")).toMatchObject([{ reason: "server-state" }]);
  });

  it("a leak stays text when the client opts out of recording", async () => {
    const running = await start([respond(LEAK)]);
    const turn = await createResponse(running.url, false, "Hi", {}, { "x-toolmend-record": "off" });
    expect(turn).toMatchObject({ text: LEAK, calls: [] });
  });
});

it("requests are not buffered while no repaired call is pending", async () => {
  const { url, upstream } = await start([DONE]);
  const body = '{ "model":"m", "input": [ {"role":"user","content":"Hi"} ] }';
  await fetch(`${url}/v1/responses`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(upstream.requests[0]?.body.toString()).toBe(body);
});
