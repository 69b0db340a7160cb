import { rmSync } from "node:fs";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { Summary } from "../../src/store/port.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { getJson, type Running, startBoth, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { inOrder, type Script } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, respond, withFaults } from "../support/upstream/turn.ts";

// The official SDK through the real proxy: each call and each result is recorded once.

type Item = OpenAI.Responses.ResponseInputItem;

let running: (Running & { readonly upstream: Upstream }) | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(
  script: Script,
): Promise<{ readonly both: Running & { readonly upstream: Upstream }; readonly client: OpenAI }> {
  const both = await startBoth(script);
  running = both;
  return { both, client: new OpenAI({ baseURL: `${both.server.url}/v1`, apiKey: "test", maxRetries: 0 }) };
}

const tools: OpenAI.Responses.Tool[] = [
  { type: "function", name: "read_file", parameters: { type: "object" }, strict: false },
  { type: "custom", name: "exec" },
];
const base = { model: "gpt-scripted-1", tools };
const first: Item = { role: "user", content: "What is in a.txt?" };
const LOOK = respond("Let me look.", call("read_file", { path: "a.txt" }), {
  ...call("exec", "text(1)"),
  custom: true,
});
const SECOND_CALL = respond(call("read_file", { path: "b.txt" }));
const DONE = respond("It says hello.");

function outputs(response: OpenAI.Responses.Response): Item[] {
  return response.output.flatMap((item): Item[] => {
    if (item.type === "function_call") {
      return [
        { type: "function_call_output", call_id: item.call_id, output: "Error: ENOENT: no such file or directory" },
      ];
    }
    if (item.type !== "custom_tool_call") return [];
    const output = [{ type: "input_text" as const, text: '{"status":"success","value":1}' }];
    return [{ type: "custom_tool_call_output", call_id: item.call_id, output }];
  });
}

const items = (response: OpenAI.Responses.Response): Item[] => response.output as Item[];

describe.each([false, true])("openai responses, streamed: %s", (stream) => {
  const createResponse = (
    client: OpenAI,
    body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  ): Promise<OpenAI.Responses.Response> =>
    stream
      ? client.responses.stream({ ...body, stream: true } as never).finalResponse()
      : client.responses.create(body);

  it("records calls and results once and in one session when every request has the whole history", async () => {
    const { both, client } = await start(inOrder(LOOK, SECOND_CALL, DONE));
    const look = await createResponse(client, { ...base, input: [first], store: false });
    const history = [first, ...items(look), ...outputs(look)];
    const second = await createResponse(client, { ...base, input: history, store: false });
    await createResponse(client, { ...base, input: [...history, ...items(second), ...outputs(second)], store: false });
    const calls = await eventsAfter(both, 3, "tool_call_recorded");
    expect(calls.map(({ tool_name, status }) => [tool_name, status])).toEqual([
      ["read_file", "failed"],
      ["exec", "ok"],
      ["read_file", "failed"],
    ]);
    expect(new Set((await recordedEvents(both)).map(({ session_id }) => session_id)).size).toBe(1);
    expect(await getJson<Summary>(`${both.server.url}/api/summary`)).toMatchObject({
      calls: 3,
      failed: 2,
      pending: 0,
      sessions: 1,
      requests: 3,
    });
    expect(both.upstream.rejections).toEqual([]);
  });

  it("records the same with previous_response_id and only new items", async () => {
    const { both, client } = await start(inOrder(LOOK, SECOND_CALL, DONE));
    const look = await createResponse(client, { ...base, input: "What is in a.txt?" });
    const second = await createResponse(client, { ...base, input: outputs(look), previous_response_id: look.id });
    await createResponse(client, { ...base, input: outputs(second), previous_response_id: second.id });
    const calls = await eventsAfter(both, 3, "tool_call_recorded");
    expect(calls.map(({ tool_name, status }) => [tool_name, status])).toEqual([
      ["read_file", "failed"],
      ["exec", "ok"],
      ["read_file", "failed"],
    ]);
    expect(await getJson<Summary>(`${both.server.url}/api/summary`)).toMatchObject({
      calls: 3,
      pending: 0,
      sessions: 1,
      requests: 3,
    });
    expect(both.upstream.rejections).toEqual([]);
  });

  it("records every call separately when the server reuses ids with previous_response_id", async () => {
    const turn = (name: string) => respond(call(name, { path: "x" }, "call_0"));
    const { both, client } = await start(inOrder(turn("read_file"), turn("read_file"), turn("list"), DONE));
    let last = await createResponse(client, { ...base, input: "go" });
    for (const output of ["one", "two", "three"]) {
      const item = { type: "function_call_output" as const, call_id: "call_0", output };
      last = await createResponse(client, { ...base, input: [item], previous_response_id: last.id });
    }
    const calls = await eventsAfter(both, 4, "tool_call_recorded");
    expect(calls.map(({ tool_name, occurrence }) => [tool_name, occurrence])).toEqual([
      ["read_file", 0],
      ["read_file", 1],
      ["list", 2],
    ]);
    expect(await getJson<Summary>(`${both.server.url}/api/summary`)).toMatchObject({
      calls: 3,
      pending: 0,
      sessions: 1,
    });
  });

  it("uses the conversation's id as the session when the provider stores the conversation", async () => {
    const { both, client } = await start(inOrder(LOOK, DONE));
    const look = await createResponse(client, { ...base, input: "go", conversation: "conv_1" });
    await createResponse(client, { ...base, input: outputs(look), conversation: { id: "conv_1" } });
    const calls = await eventsAfter(both, 2, "tool_call_recorded");
    expect(calls.map(({ session_id, tool_name, status }) => [session_id, tool_name, status])).toEqual([
      ["conv_1", "read_file", "failed"],
      ["conv_1", "exec", "ok"],
    ]);
  });
});

describe("a chain of responses", () => {
  const turn = (name: string) => respond(call(name, { path: "x" }, "call_0"));

  it.each([
    [
      "by previous_response_id",
      LOOK,
      SECOND_CALL,
      {},
      (id: string) => ({ previous_response_id: id }),
      ["read_file", "exec", "read_file"],
    ],
    [
      "by a conversation",
      LOOK,
      SECOND_CALL,
      { conversation: "conv_1" },
      () => ({ conversation: "conv_1" }),
      ["read_file", "exec", "read_file"],
    ],
    [
      "with reused ids",
      turn("read_file"),
      turn("list"),
      {},
      (id: string) => ({ previous_response_id: id }),
      ["read_file", "list"],
    ],
  ])(
    "continues after a restart of the proxy, %s: one session, every call once, none pending",
    async (_how, one, two, begin, on, names) => {
      const data = temporaryFolder();
      const upstream = await startUpstream({ script: inOrder(one, two, DONE) });
      const clientOf = ({ server }: Running) =>
        new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "test", maxRetries: 0 });
      const before = await startInFrontOf(upstream.url, { data });
      const look = await clientOf(before).responses.create({ ...base, input: "go", ...begin });
      await before.close();
      const after = await startInFrontOf(upstream.url, { data });
      try {
        const second = await clientOf(after).responses.create({ ...base, input: outputs(look), ...on(look.id) });
        await clientOf(after).responses.create({ ...base, input: outputs(second), ...on(second.id) });
        const calls = await eventsAfter(after, 3, "tool_call_recorded");
        expect(calls.map(({ tool_name }) => tool_name)).toEqual(names);
        expect(await getJson<Summary>(`${after.server.url}/api/summary`)).toMatchObject({
          calls: names.length,
          pending: 0,
          discarded: 0,
          sessions: 1,
          requests: 3,
        });
      } finally {
        await upstream.close();
        await after.close();
        rmSync(data, { recursive: true, force: true });
      }
    },
  );

  it("another API key cannot continue it", async () => {
    const { both, client } = await start(inOrder(SECOND_CALL, DONE));
    const look = await client.responses.create({ ...base, input: "go" });
    const other = new OpenAI({ baseURL: `${both.server.url}/v1`, apiKey: "other", maxRetries: 0 });
    await other.responses.create({ ...base, input: outputs(look), previous_response_id: look.id });
    const responses = await eventsAfter(both, 2, "response_recorded");
    expect(new Set(responses.map(({ session_id }) => session_id)).size).toBe(2);
  });
});

describe("a recorded response", () => {
  it("contains tokens and status, and a cut-off one is truncated with its partial calls", async () => {
    const { both, client } = await start(
      inOrder(
        { ...LOOK, usage: { inputTokens: 70, outputTokens: 5, cachedInputTokens: 30 } },
        withFaults(SECOND_CALL, { kind: "truncate", afterEvents: 4 }),
        { ...respond("So"), stopReason: "length" },
      ),
    );
    await client.responses.create({ ...base, input: "one" });
    for await (const _event of await client.responses.create({ ...base, input: "two", stream: true }));
    await client.responses.create({ ...base, input: "three" });
    const responses = await eventsAfter(both, 3, "response_recorded");
    expect(responses).toMatchObject([
      { ended: "complete", stop_reason: "completed", input_tokens: 70, output_tokens: 5, cache_read_tokens: 30 },
      { ended: "truncated", tool_call_ids: [expect.stringMatching(/^call_/)] },
      { ended: "complete", stop_reason: "max_output_tokens", tool_call_ids: [] },
    ]);
  });
});
