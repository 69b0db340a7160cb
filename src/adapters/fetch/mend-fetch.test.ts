import { describe, expect, it } from "vitest";
import { type CallReport, type LeakContext, type LeakReport, type MendFetchOptions, mendFetch } from "./index.ts";

const URL_CHAT = "https://provider.test/v1/chat/completions";
const LEAK = '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>';
const BODY = JSON.stringify({
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }],
});
const POST = { method: "POST", body: BODY } as const;
const encoder = new TextEncoder();

function completion(content: string): string {
  return `{"id":"c","big":12345678901234567890,"choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(content)}},"finish_reason":"stop"}]}`;
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function json(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { "content-type": "application/json", ...headers } });
}

function events(body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

/** A stream of chunks that records how it is consumed. */
function pieces(parts: readonly (string | Error)[]) {
  const used = { pulled: 0, cancelled: undefined as unknown };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const part = parts[used.pulled];
        used.pulled += 1;
        if (part === "wait") return new Promise<void>(() => {});
        if (part === undefined) controller.close();
        else if (part instanceof Error) controller.error(part);
        else controller.enqueue(encoder.encode(part));
      },
      cancel(reason) {
        used.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, used };
}

function mendFetchReturning(response: () => Response, options: MendFetchOptions = {}): typeof fetch {
  return mendFetch({ ...options, fetch: async () => response() });
}

const STREAMED = [
  chunk({ role: "assistant" }),
  chunk({ content: "Hi. " }),
  chunk({ content: LEAK }),
  chunk({}, "stop"),
];

describe("mendFetch with a leak in a JSON response", () => {
  it("preserves status, headers and URL, and sets the length and the number of repaired calls", async () => {
    const original = json(completion(LEAK), {
      "content-length": "7",
      "content-encoding": "gzip",
      etag: '"x"',
      "x-request-id": "r1",
    });
    Object.defineProperty(original, "url", { value: URL_CHAT });
    const response = await mendFetchReturning(() => original)(URL_CHAT, POST);
    expect([response.status, response.url, response.clone().url]).toEqual([200, URL_CHAT, URL_CHAT]);
    const text = await response.text();
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "content-length": String(encoder.encode(text).length),
      "x-request-id": "r1",
      "x-toolmend-mended": "1",
    });
    expect(text).toContain('"big":12345678901234567890');
    expect(JSON.parse(text).choices[0]).toMatchObject({
      message: { content: null, tool_calls: [{ function: { name: "read", arguments: '{"path": "a.txt"}' } }] },
      finish_reason: "tool_calls",
    });
  });

  it("repairs the response whatever form the request has", async () => {
    const inits = [POST, { ...POST, body: encoder.encode(BODY) }, { ...POST, body: new Blob([BODY]) }];
    for (const init of inits) {
      const response = await mendFetchReturning(() => json(completion(LEAK)))(
        new URL(`${URL_CHAT}?api-version=1#x`),
        init,
      );
      expect(response.headers.get("x-toolmend-mended")).toBe("1");
    }
    const sent: string[] = [];
    const sending = mendFetch({
      fetch: async (input) => {
        sent.push(await (input as Request).text());
        return json(completion(LEAK));
      },
    });
    const response = await sending(new Request(URL_CHAT, POST));
    expect(response.headers.get("x-toolmend-mended")).toBe("1");
    expect(sent).toEqual([BODY]);
  });

  it("reports the leak with API and model, and ignores exceptions of the listener", async () => {
    const reported: [LeakReport, LeakContext][] = [];
    const onLeak = (leak: LeakReport, context: LeakContext): void => {
      reported.push([leak, context]);
      throw new Error("listener");
    };
    const response = await mendFetchReturning(() => json(completion(LEAK)), { onLeak })(URL_CHAT, POST);
    expect(response.headers.get("x-toolmend-mended")).toBe("1");
    expect(reported).toMatchObject([
      [
        { result: "recovered", format: "hermes-json", names: ["read"] },
        { api: "chat", model: "m" },
      ],
    ]);
  });
});

describe("mendFetch without anything to repair", () => {
  it.each([
    ["has no leak", () => json(completion("Hello."), { etag: '"x"' })],
    ["is not JSON", () => json(`not ${LEAK}`, { etag: '"x"' })],
    [
      "is not valid UTF-8",
      () =>
        new Response(new Uint8Array([123, 255, 125]), { headers: { "content-type": "application/json", etag: '"x"' } }),
    ],
  ])("preserves bytes and headers when the response %s", async (_, original) => {
    const response = await mendFetchReturning(original)(URL_CHAT, POST);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(await original().arrayBuffer()));
    expect(response.headers.get("etag")).toBe('"x"');
  });

  it.each([
    ["another path", "https://provider.test/v1/embeddings", POST],
    ["another method", URL_CHAT, {}],
    ["a request without tools", URL_CHAT, { method: "POST", body: '{"model":"m"}' }],
    ["a request that is not JSON", URL_CHAT, { method: "POST", body: "tools" }],
    ["a form", URL_CHAT, { method: "POST", body: new FormData() }],
  ])("returns the original response for %s", async (_, url, init) => {
    const original = json(completion(LEAK));
    expect(await mendFetchReturning(() => original)(url, init)).toBe(original);
  });

  it("returns the original response for an error or an unknown content type", async () => {
    for (const original of [
      new Response(completion(LEAK), { status: 500, headers: { "content-type": "application/json" } }),
      new Response(LEAK, { headers: { "content-type": "text/plain" } }),
      new Response(null, { status: 204 }),
    ])
      expect(await mendFetchReturning(() => original)(URL_CHAT, POST)).toBe(original);
  });

  it("passes a body over the size limit through, and reads it only on demand", async () => {
    const part = "x".repeat(1 << 20);
    const { body, used } = pieces([completion(LEAK), ...Array.from({ length: 40 }, () => part)]);
    const response = await mendFetchReturning(
      () => new Response(body, { headers: { "content-type": "application/json" } }),
    )(URL_CHAT, POST);
    expect(used.pulled).toBe(17);
    expect((await response.arrayBuffer()).byteLength).toBe(completion(LEAK).length + (40 << 20));
  });

  it("fails where the upstream body fails", async () => {
    const { body } = pieces(['{"choices":', new Error("reset")]);
    const response = await mendFetchReturning(
      () => new Response(body, { headers: { "content-type": "application/json" } }),
    )(URL_CHAT, POST);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"choices":');
    await expect(reader?.read()).rejects.toThrow("reset");
  });
});

describe("mendFetch with a stream", () => {
  it("repairs the leak however the stream is chunked", async () => {
    const whole = STREAMED.join("");
    for (const size of [1, 7, 1000]) {
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.slice(at * size, (at + 1) * size),
      );
      const text = await (await mendFetchReturning(() => events(pieces(parts).body))(URL_CHAT, POST)).text();
      expect(text).toContain('"finish_reason":"tool_calls"');
      expect(text).not.toContain("tool_call>");
    }
  });

  it("pulls from upstream on demand and emits text immediately", async () => {
    const { body, used } = pieces([chunk({ role: "assistant", content: "One two" }), ...STREAMED]);
    const response = await mendFetchReturning(() => events(body))(URL_CHAT, POST);
    expect(used.pulled).toBe(0);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("One two");
    expect(used.pulled).toBe(1);
  });

  it("cancels the upstream body and reports the interrupted leak", async () => {
    const reported: LeakReport[] = [];
    const { body, used } = pieces([...STREAMED.slice(0, 3), "wait"]);
    const response = await mendFetchReturning(() => events(body), { onLeak: (leak) => reported.push(leak) })(
      URL_CHAT,
      POST,
    );
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const reading = reader.read();
    while (used.pulled < 4) await new Promise((resolve) => setTimeout(resolve));
    await reader.cancel("enough");
    expect((await reading).done).toBe(true);
    expect(used.cancelled).toBe("enough");
    expect(reported).toMatchObject([{ result: "left", reason: "aborted" }]);
  });

  it("emits the buffered events of an aborted stream, then the failure", async () => {
    const reported: LeakReport[] = [];
    const { body } = pieces([...STREAMED.slice(0, 3), "data: {half", new Error("reset")]);
    const response = await mendFetchReturning(() => events(body), { onLeak: (leak) => reported.push(leak) })(
      URL_CHAT,
      POST,
    );
    let text = "";
    const reading = (async () => {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
        text += new TextDecoder().decode(part);
    })();
    await expect(reading).rejects.toThrow("reset");
    expect(text).toBe(`${STREAMED.slice(0, 3).join("")}data: {half`);
    expect(reported).toMatchObject([{ result: "left", reason: "aborted" }]);
  });

  it("passes the stream through from an event over the size limit on", async () => {
    const huge = `data: ${"x".repeat(5 << 20)}`;
    const { body } = pieces([...STREAMED.slice(0, 3), huge, "\n\n", STREAMED[3] as string]);
    const text = await (await mendFetchReturning(() => events(body))(URL_CHAT, POST)).text();
    expect(text).toBe([...STREAMED.slice(0, 3), huge, "\n\n", STREAMED[3]].join(""));
  });
});

it("mendFetch rejects with the error of the underlying fetch", async () => {
  const failing = mendFetch({ fetch: () => Promise.reject(new TypeError("no network")) });
  await expect(failing(URL_CHAT, POST)).rejects.toThrow("no network");
});

it("mendFetch leaves an echo of a numbered result as text, but repairs a command that a result contains as plain text", async () => {
  const leak = '<tool_call>\n{"name": "bash", "arguments": {"command": "npm run build"}}\n</tool_call>';
  const tools = [{ type: "function", function: { name: "bash", parameters: { type: "object" } } }];
  const run = async (content: string, strictCommands = false): Promise<readonly (string | undefined)[]> => {
    const reasons: (string | undefined)[] = [];
    const fetch = mendFetchReturning(() => json(completion(leak)), {
      strictCommands,
      onLeak: (report) => void reasons.push(report.reason),
    });
    const messages = [{ role: "tool", tool_call_id: "call_1", content }];
    await fetch(URL_CHAT, { method: "POST", body: JSON.stringify({ model: "m", messages, tools }) });
    return reasons;
  };
  expect(await run(leak.replace(/^/gm, "     1→"))).toEqual(["echo"]);
  expect(await run("Build it with `npm run build`.")).toEqual([undefined]);
  expect(await run("Build it with `npm run build`.", true)).toEqual(["echo"]);
});

describe("mendFetch with native calls", () => {
  const parameters = { type: "object", properties: { path: { type: "string" }, lines: { type: "integer" } } };
  const post = {
    method: "POST",
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ type: "function", function: { name: "read", parameters } }],
    }),
  } as const;
  const toolCall = (args: string) => ({ id: "call_1", type: "function", function: { name: "read", arguments: args } });
  const broken = '{"path": "a", "lines": "5"}';
  const stream = [
    chunk({ role: "assistant" }),
    chunk({ tool_calls: [{ index: 0, ...toolCall("") }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: broken } }] }),
    chunk({}, "tool_calls"),
    "data: [DONE]\n\n",
  ];
  const body = (args: string): string =>
    JSON.stringify({
      choices: [
        { index: 0, message: { role: "assistant", tool_calls: [toolCall(args)] }, finish_reason: "tool_calls" },
      ],
    });

  it("repairs arguments in bodies and streams, and reports them", async () => {
    const reported: CallReport[] = [];
    const options: MendFetchOptions = { onCall: (call) => reported.push(call) };
    const response = await mendFetchReturning(() => json(body(broken)), options)(URL_CHAT, post);
    expect(await response.text()).toBe(body('{"path": "a", "lines": 5}'));
    expect(response.headers.get("x-toolmend-mended")).toBe("1");
    const streamed = await mendFetchReturning(() => events(pieces(stream).body), options)(URL_CHAT, post);
    expect(await streamed.text()).toContain(JSON.stringify('{"path": "a", "lines": 5}'));
    expect(reported).toMatchObject(
      Array(2).fill({ result: "repaired", tool_call_id: "call_1", repairs: [{ class: "number-as-text" }] }),
    );
  });

  it("leaves them when calls or everything is off, and only reports them when calls are observed", async () => {
    const reported: CallReport[] = [];
    for (const options of [{ calls: "off" }, { mode: "off" }, { calls: "observe" }] as const) {
      const send = (response: () => Response) =>
        mendFetchReturning(response, { ...options, onCall: (call) => reported.push(call) })(URL_CHAT, post);
      expect(await (await send(() => json(body(broken)))).text()).toBe(body(broken));
      expect(await (await send(() => events(pieces(stream).body))).text()).toBe(stream.join(""));
    }
    expect(reported).toMatchObject(Array(2).fill({ result: "left", reason: "observe" }));
    const only = await mendFetchReturning(() => json(body(broken)), { mode: "off", calls: "on" })(URL_CHAT, post);
    expect(await only.text()).toBe(body('{"path": "a", "lines": 5}'));
  });

  it("does not buffer a stream that is labeled as JSON", async () => {
    const { body: open } = pieces([chunk({ role: "assistant", content: "Hi." }), "wait"]);
    const labeled = new Response(open, { headers: { "content-type": "application/json" } });
    const response = await mendFetchReturning(() => labeled)(URL_CHAT, post);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain("Hi.");
    await reader.cancel();
  });
});
