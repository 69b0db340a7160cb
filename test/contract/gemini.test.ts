import { type Content, type FunctionDeclaration, GoogleGenAI, type Part, Type } from "@google/genai";
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { framesOf } from "../support/encode-turn.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { storedCalls } from "../support/stored-calls.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, respond, type Turn, think } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const READ: FunctionDeclaration = {
  name: "read",
  description: "Reads a file",
  parameters: {
    type: Type.OBJECT,
    properties: { path: { type: Type.STRING }, limit: { type: Type.INTEGER } },
    required: ["path"],
  },
};
const MODEL = "gemini-2.5-pro";

async function start(turns: readonly Turn[], options: Partial<ServerOptions> = {}): Promise<Both> {
  return await startForTest(inOrder(...turns), options);
}

function chatWith(baseUrl: string, model = MODEL) {
  const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl } });
  return client.chats.create({ model, config: { tools: [{ functionDeclarations: [READ] }] } });
}

/** One turn of a chat: its text, its calls, and what the SDK keeps as history. */
async function send(
  chat: ReturnType<typeof chatWith>,
  message: string | Part[],
  stream: boolean,
): Promise<{ readonly text: string; readonly calls: readonly object[]; readonly history: readonly Content[] }> {
  let text = "";
  const calls: object[] = [];
  const take = (parts: readonly Part[] = []): void => {
    for (const part of parts) {
      if (part.thought !== true) text += part.text ?? "";
      if (part.functionCall !== undefined) calls.push(part.functionCall);
    }
  };
  if (stream) {
    for await (const chunk of await chat.sendMessageStream({ message })) take(chunk.candidates?.[0]?.content?.parts);
  } else take((await chat.sendMessage({ message })).candidates?.[0]?.content?.parts);
  return { text, calls, history: chat.getHistory(true) };
}

function resultOf(called: object | undefined, response: Record<string, unknown>): Part[] {
  const { id, name } = called as { id?: string; name: string };
  return [{ functionResponse: { name, response, ...(id !== undefined && { id }) } }];
}

describe.each([true, false])("Google's SDK, stream %s", (stream) => {
  const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

  it("gets a leak as a call, keeps it in its history, and the strict upstream accepts the result", async () => {
    const running = await start([turn(`Let me look. ${LEAK}`), respond("It says hello.")]);
    const chat = chatWith(running.url);
    const first = await send(chat, "Read a.txt", stream);
    expect(first).toMatchObject({ text: "Let me look.", calls: [{ name: "read", args: { path: "a.txt" } }] });
    expect(first.history.flatMap(({ parts = [] }) => parts).some((part) => part.functionCall?.name === "read")).toBe(
      true,
    );
    const last = await send(chat, resultOf(first.calls[0], { output: "hello" }), stream);
    expect(last).toMatchObject({ text: "It says hello.", calls: [] });
    expect(running.upstream.rejections).toEqual([]);
    await eventsAfter(running, 2, "response_recorded");
    expect(await storedCalls(running)).toMatchObject([{ tool_name: "read", status: "ok", model_name: MODEL }]);
    const leaks = (await recordedEvents(running)).filter(({ type }) => type === "leak_recovered");
    expect(leaks).toMatchObject([{ parsed: 1 }]);
  });

  it("makes a call that the provider withheld as malformed", async () => {
    const withheld = {
      candidates: [
        {
          content: {},
          finishReason: "MALFORMED_FUNCTION_CALL",
          finishMessage: 'Malformed function call: print(default_api.read(path="a.txt"))',
          index: 0,
        },
      ],
      modelVersion: MODEL,
    };
    const text = JSON.stringify(withheld);
    const running = await start([
      {
        kind: "raw",
        contentType: stream ? "text/event-stream" : "application/json",
        body: stream ? `data: ${text}\n\n` : text,
      },
      respond("done"),
    ]);
    const chat = chatWith(running.url);
    const first = await send(chat, "Read a.txt", stream);
    expect(first.calls).toMatchObject([{ name: "read", args: { path: "a.txt" } }]);
    await send(chat, resultOf(first.calls[0], { output: "hello" }), stream);
    expect(running.upstream.rejections).toEqual([]);
  });

  it.each([
    "Malformed function call: print(default_api.read(path=name))",
    'Malformed function call: print(default_api.read(path="a")); print(default_api.read(path="b"))',
    'Malformed function call: print(default_api.erase(path="a"))',
    'Malformed function call: print(default_api.read(path="a',
    "",
  ])("leaves what is not one complete call of a declared tool, and counts it: %s", async (finishMessage) => {
    const body = { candidates: [{ content: {}, finishReason: "MALFORMED_FUNCTION_CALL", finishMessage, index: 0 }] };
    const text = stream ? `data: ${JSON.stringify(body)}\n\n` : JSON.stringify(body);
    const running = await start([
      { kind: "raw", contentType: stream ? "text/event-stream" : "application/json", body: text },
    ]);
    const response = await post(running.url, stream);
    expect(await response.text()).toBe(text);
    expect(await eventsAfter(running, 1, "leak_left")).toHaveLength(1);
  });

  it("signs the first repaired call for models that require it", async () => {
    const model = "gemini-3-pro-preview";
    const running = await start([turn(LEAK), respond("done")]);
    const chat = chatWith(running.url, model);
    const first = await send(chat, "Read a.txt", stream);
    await send(chat, resultOf(first.calls[0], { output: "hello" }), stream);
    expect(running.upstream.rejections).toEqual([]);
  });

  it("gets a native call that fits its schema after repair", async () => {
    const running = await start([respond(call("read", { path: "a.txt", limit: "3" }))]);
    const { calls } = await send(chatWith(running.url), "Read a.txt", stream);
    expect(calls).toMatchObject([{ name: "read", args: { path: "a.txt", limit: 3 } }]);
  });

  it("records each call once, with the flag of its result, whether or not calls have ids", async () => {
    const running = await start([
      respond(call("read", { path: "a" }, ""), call("read", { path: "b" }, "")),
      respond(call("read", { path: "c" }, "given")),
      respond("done"),
    ]);
    const chat = chatWith(running.url);
    await send(chat, "Read", stream);
    const results = [
      { functionResponse: { name: "read", response: { error: "ENOENT: no such file" } } },
      { functionResponse: { name: "read", response: { output: "text" } } },
    ];
    const second = await send(chat, results, stream);
    await send(chat, resultOf(second.calls[0], { anything: 1 }), stream);
    expect(running.upstream.rejections).toEqual([]);
    await eventsAfter(running, 3, "response_recorded");
    const calls = await storedCalls(running);
    expect(calls).toMatchObject([
      { tool_call_id: "functions.read:0", status: "failed", category: "not_found" },
      { tool_call_id: "functions.read:1", status: "ok" },
      { tool_call_id: "given", tool_name: "read" },
    ]);
    expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(1);
  });
});

const BODY = {
  contents: [{ role: "user", parts: [{ text: "Read a.txt" }] }],
  tools: [{ functionDeclarations: [READ] }],
};

function post(
  url: string,
  stream: boolean,
  query = "?alt=sse",
  body: object = BODY,
  headers: object = {},
): Promise<Response> {
  const method = stream ? `streamGenerateContent${query}` : "generateContent";
  return fetch(`${url}/v1beta/models/${MODEL}:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": "k", ...headers },
    body: JSON.stringify(body),
  });
}

it.each([1, 7, 64, 4096])(
  "a stream that comes as one JSON array, cut every %i bytes, is repaired",
  async (writeBytes) => {
    const leak = { ...respond(`Let me look. ${LEAK}`), chunking: { characters: 5 }, writeBytes };
    const running = await start([leak]);
    const chunks = (await (await post(running.url, true, "")).json()) as { candidates: { content: Content }[] }[];
    const parts = chunks.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts ?? []));
    expect(parts.map(({ text = "" }) => text).join("")).toBe("Let me look.");
    expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toMatchObject([{ name: "read" }]);
  },
);

it.each(["?alt=sse", ""])(
  "a response that needs no repair is forwarded byte for byte, thoughts and signatures included: %s",
  async (query) => {
    const turn = { ...respond(think("hm"), "No <tool_call> here.", call("read", { path: "a" })), writeBytes: 3 };
    const running = await start([turn, turn], { repair: { mode: "known" } });
    const direct = await (await post(running.upstream.url, true, query)).text();
    const through = await (await post(running.url, true, query)).text();
    const withoutId = (text: string): string => text.replaceAll(/"(?:responseId|id)":\s?"[^"]*"/g, "");
    expect(withoutId(through)).toBe(withoutId(direct));
  },
);

it.each(["", '"c2lnbmVk"'])(
  "a repaired call is put into a chunk without an empty text, signature %s",
  async (signature) => {
    const last = signature === "" ? '{"text":""}' : `{"text":"","thoughtSignature":${signature}}`;
    const chunk = (part: string, more = ""): string =>
      `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${more},"index":0}],"modelVersion":"m"}\n\n`;
    const body = chunk(JSON.stringify({ text: `Look: ${LEAK}` })) + chunk(last, ',"finishReason":"STOP"');
    const running = await start([{ kind: "raw", contentType: "text/event-stream", body }]);
    const text = await (await post(running.url, true)).text();
    const chunks = framesOf(text).map(({ data }) => JSON.parse(data ?? "") as { candidates: { content: Content }[] });
    const withCall = chunks.flatMap(({ candidates }) =>
      candidates.filter(({ content }) => content.parts?.some((part) => part.functionCall !== undefined)),
    );
    expect(withCall).toMatchObject([{ content: { parts: [{ functionCall: { name: "read" } }] } }]);
    expect(text.includes(last)).toBe(signature !== "");
    expect(text.trimEnd()).toContain('"finishReason":"STOP"');
  },
);

it("a call without id is not recorded before the request that shows the id of the client", async () => {
  const running = await start([respond(call("read", { path: "a" }, "")), respond("done")]);
  const agent = { "user-agent": "GeminiCLI-tui/0.61.0/gemini-2.5-pro (linux; x64; terminal)" };
  await (await post(running.url, true, "?alt=sse", BODY, agent)).text();
  const id = "read_1763438400000_0";
  const history = [
    ...BODY.contents,
    { role: "model", parts: [{ functionCall: { id, name: "read", args: { path: "a" } } }] },
    { role: "user", parts: [{ functionResponse: { id, name: "read", response: { output: "text" } } }] },
  ];
  await (await post(running.url, true, "?alt=sse", { ...BODY, contents: history }, agent)).text();
  await eventsAfter(running, 2, "response_recorded");
  const calls = await storedCalls(running);
  expect(calls).toMatchObject([{ tool_call_id: id, status: "ok" }]);
  const sessions = new Set((await recordedEvents(running)).map(({ session_id }) => session_id));
  expect(sessions.size).toBe(1);
});

it.each(["/v1beta", "/gemini/v1beta", "/v1"])("Google's SDK reaches the server of the API at %s", async (prefix) => {
  const running = await start([respond("hello")]);
  const response = await fetch(`${running.url}${prefix}/models/${MODEL}:generateContent?key=sk-query-secret`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(BODY),
  });
  expect(await response.json()).toMatchObject({ candidates: [{ content: { parts: [{ text: "hello" }] } }] });
  expect(JSON.stringify(await recordedEvents(running))).not.toContain("sk-query-secret");
});

it("a note of the guard is added to the text of a result", async () => {
  const running = await start([respond("ok")], { guard: { mode: "note" } } as Partial<ServerOptions>);
  const steps = Array.from({ length: 5 }, () => [
    { role: "model", parts: [{ functionCall: { name: "read", args: { path: "a" } } }] },
    { role: "user", parts: [{ functionResponse: { name: "read", response: { output: "same" } } }] },
  ]).flat();
  await (await post(running.url, true, "?alt=sse", { ...BODY, contents: [...BODY.contents, ...steps] })).text();
  const sent = running.upstream.requests[0]?.body.toString("utf8") ?? "";
  expect(sent).toContain('"output":"same\\n\\n[toolmend] ');
});
