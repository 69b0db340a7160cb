import { Buffer } from "node:buffer";
import { once } from "node:events";
import http from "node:http";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createLogger } from "../../src/cli/logger.ts";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";
import { encodeStream, framesOf } from "../support/encode-turn.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { startBoth } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { type ModelTurn, respond, type Turn, withFaults } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>';
const PATHS = { anthropic: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" } as const;
/** A repaired call in any of the three APIs. */
const NATIVE_CALL = /"tool_use"|"tool_calls"|"function_call"/;
const APIS = ["anthropic", "chat", "responses"] as const;

type Both = Awaited<ReturnType<typeof startBoth>>;
let both: Both | undefined;
afterEach(async () => {
  await both?.close();
  both = undefined;
});

async function start(turns: readonly Turn[], options: Parameters<typeof startBoth>[1] = {}): Promise<Both> {
  both = await startBoth(inOrder(...turns), options);
  return both;
}

function bodyOf(api: Api, stream: boolean, more: object = {}): object {
  const schema = { type: "object", properties: {} };
  switch (api) {
    case "anthropic":
      return {
        model: "m",
        max_tokens: 9,
        stream,
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ name: "read", input_schema: schema }],
        ...more,
      };
    case "chat":
      return {
        model: "m",
        stream,
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "read", parameters: schema } }],
        ...more,
      };
    case "responses":
      return {
        model: "m",
        stream,
        store: false,
        input: "Hi",
        tools: [{ type: "function", name: "read", parameters: schema }],
        ...more,
      };
  }
}

function post(api: Api, stream: boolean, headers: Record<string, string> = {}, more: object = {}): Promise<Response> {
  return fetch(`${both?.url}${PATHS[api]}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers },
    body: JSON.stringify(bodyOf(api, stream, more)),
  });
}

function headersSent(running: Both): Record<string, string> {
  const raw = running.upstream.requests.at(-1)?.rawHeaders ?? [];
  return Object.fromEntries(
    raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] as string]] : [])),
  );
}

const cut = (text: string, characters = 4): ModelTurn => ({ ...respond(text), chunking: { characters } });

describe("headers", () => {
  it("a repaired JSON response states its length and the number of repaired calls", async () => {
    await start([{ ...respond(LEAK), headers: { etag: '"x"', "content-digest": "sha-256=:x:", "x-other": "y" } }]);
    const response = await post("chat", false);
    const text = await response.text();
    expect(response.headers.get("x-toolmend-mended")).toBe("1");
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(response.headers.get("etag")).toBeNull();
    expect(response.headers.get("content-digest")).toBeNull();
    expect(response.headers.get("x-other")).toBe("y");
  });

  it("an unrepaired response keeps its headers", async () => {
    await start([{ ...respond("Hello."), headers: { etag: '"x"' } }]);
    const response = await post("chat", false);
    expect(response.headers.get("etag")).toBe('"x"');
    expect(response.headers.get("x-toolmend-mended")).toBeNull();
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(await response.text())));
  });

  it("requests ask the upstream not to compress, unless the mode allows no repair", async () => {
    const running = await start([respond("a")]);
    await (await post("chat", true, { "accept-encoding": "gzip, br" })).text();
    expect(headersSent(running)["accept-encoding"]).toBe("identity");
    await both?.close();
    for (const mode of ["off", "observe"] as const) {
      const other = await start([respond("a")], { repair: { mode } });
      await (await post("chat", true, { "accept-encoding": "gzip, br" })).text();
      expect(headersSent(other)["accept-encoding"]).toBe("gzip, br");
      if (mode === "off") await both?.close();
    }
  });

  it.each([
    ["as they arrive", {}],
    ["buffered for the guard", { guard: { mode: "note" } }],
  ] as const)(
    "the encoding is left to the client if the request declares no tools: requests %s",
    async (_how, options) => {
      const running = await start([respond("a"), respond("b"), respond("c")], options);
      const accepted = { "accept-encoding": "gzip, br" };
      await (await post("chat", true, accepted, { tools: undefined })).text();
      expect(headersSent(running)["accept-encoding"]).toBe("gzip, br");
      await (await post("chat", true, accepted)).text();
      expect(headersSent(running)["accept-encoding"]).toBe("identity");
    },
  );

  it("a request that arrives in parts is forwarded whole, and its tools are seen", async () => {
    const running = await start([respond("a"), respond("b")]);
    const body = JSON.stringify(bodyOf("chat", false));
    const head = { "content-type": "application/json", "accept-encoding": "gzip, br", "content-length": body.length };
    for (const parts of [[body.slice(0, 20), body.slice(20)], [...body]]) {
      const sent = http.request(`${running.url}${PATHS.chat}`, { method: "POST", headers: head });
      const response = once(sent, "response");
      for (const part of parts) await new Promise((resolve) => sent.write(part, resolve));
      sent.end();
      const [received] = (await response) as [http.IncomingMessage];
      await received.toArray();
      expect(running.upstream.requests.at(-1)?.body.toString()).toBe(body);
      expect(headersSent(running)["accept-encoding"]).toBe("identity");
    }
  });
});

describe.each(APIS)("repair in the proxy: %s", (api) => {
  it.each([1, 7, 100])(
    "passes a stream without leaks through byte for byte, read in chunks of %i bytes",
    async (writeBytes) => {
      const turn = { ...cut("Use `<tool_call>` so: \n```\n<tool_call>{}\n```\n[a] {b} 👀 done.", 3), writeBytes };
      const running = await start([turn, turn], { repair: { mode: "known" } });
      const proxied = await (await post(api, true)).text();
      const direct = await fetch(`${running.upstream.url}${PATHS[api]}`, {
        method: "POST",
        headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
        body: JSON.stringify(bodyOf(api, true)),
      });
      expect(withoutIds(proxied)).toBe(withoutIds(await direct.text()));
    },
  );

  it.each(["gzip", "br", "zstd", "deflate"] as const)(
    "decodes an upstream that compresses anyway: %s",
    async (encoding) => {
      await start([
        withFaults(cut(`Hi. ${LEAK}`), { kind: "encoded", encoding }),
        withFaults(respond(`Hi. ${LEAK}`), { kind: "encoded", encoding }),
        withFaults(respond("Hi."), { kind: "encoded", encoding }),
      ]);
      const streamed = await post(api, true);
      expect(streamed.headers.get("content-encoding")).toBeNull();
      const text = await streamed.text();
      expect(text).toMatch(NATIVE_CALL);
      expect(text).not.toContain("tool_call>");
      const whole = await post(api, false);
      expect(whole.headers.get("x-toolmend-mended")).toBe("1");
      expect(await whole.json()).toBeDefined();
      const untouched = await post(api, false);
      expect(untouched.headers.get("content-encoding")).toBe(encoding);
      expect(await untouched.json()).toBeDefined();
    },
  );

  it("emits the buffered text when the upstream aborts, then aborts too", async () => {
    const events = framesOf(encodeStream(api, cut(`Hi. ${LEAK}`))).length;
    const turn = withFaults(
      { ...cut(`Hi. ${LEAK}`), delays: { eventMs: 10 } },
      { kind: "reset-mid-event", afterEvents: events - 4 },
    );
    const running = await start([turn]);
    const response = await post(api, true);
    const parts: Buffer[] = [];
    const reading = (async () => {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part));
    })();
    await expect(reading).rejects.toThrow();
    const texts = framesOf(Buffer.concat(parts)).map(({ data }) => deltaOf(api, data as string));
    expect(texts.join("")).toContain("Hi. <tool_call>");
    expect(await eventsAfter(running, 1, "leak_left")).toMatchObject([{ reason: "aborted" }]);
  });

  it("keeps sending keep-alives while it buffers", async () => {
    const turn = { ...cut(`Hi. ${LEAK}`, 8), delays: { eventMs: 40 } };
    await start([turn], { keepAliveMs: 60 });
    const frames = framesOf(await (await post(api, true)).text());
    const signs = frames.filter(({ data }) => isSign(api, data as string));
    expect(signs.length).toBeGreaterThan(api === "chat" ? 1 : 2);
    expect(frames.some(({ data }) => NATIVE_CALL.test(data ?? ""))).toBe(true);
  });

  it("repairs for clients that opt out of recording, and never calls a denied tool", async () => {
    const running = await start([respond(LEAK), respond(LEAK)], { repair: { mode: "known", deny: ["re*"] } });
    expect(await (await post(api, true)).text()).not.toMatch(NATIVE_CALL);
    expect(await eventsAfter(running, 1, "leak_left")).toMatchObject([{ reason: "denied" }]);
    await both?.close();
    const other = await start([respond(LEAK)]);
    expect(await (await post(api, true, { "x-toolmend-record": "off" })).text()).toMatch(NATIVE_CALL);
    await other.server.drain();
    expect(await other.server.store.leaks({})).toEqual([]);
  });
});

it.each([true, false])(
  "a response without thinking of a server that is not Anthropic's is repaired (stream: %s)",
  async (stream) => {
    await start([respond(LEAK)]);
    const response = await post("anthropic", stream, {}, { thinking: { type: "enabled", budget_tokens: 1024 } });
    expect(await response.text()).toMatch(NATIVE_CALL);
  },
);

it("the log contains every leak and nothing else", async () => {
  const warnings: object[] = [];
  const silent = createLogger("silent");
  const logger = Object.assign(Object.create(silent), { warn: (fields: object) => warnings.push(fields) });
  const running = await start([respond(LEAK), respond("Hello."), respond(`${LEAK} and ${LEAK}`)], {
    logger,
    repair: { mode: "observe" },
  });
  for (const api of APIS) await (await post(api, true)).text();
  expect(await eventsAfter(running, 3, "leak_left")).toMatchObject([
    { reason: "observe" },
    { reason: "observe", parsed: 2 },
  ]);
  expect(warnings).toMatchObject([
    { name: "agent:sanitizer", result: "left", reason: "observe", format: "hermes-json", parsed: 1 },
    { name: "agent:sanitizer", result: "left", parsed: 2 },
  ]);
});

it("a JSON response larger than the buffer limit passes through", async () => {
  await start([withFaults(respond(LEAK), { kind: "huge-body", bytes: 17 << 20 })]);
  const response = await post("chat", false);
  expect(response.headers.get("x-toolmend-mended")).toBeNull();
  expect((await response.text()).length).toBeGreaterThan(17 << 20);
}, 60_000);

/** The upstream numbers its ids. */
function withoutIds(text: string): string {
  return text
    .replace(/(msg|chatcmpl|resp)[_-][A-Za-z0-9]+/g, "$1")
    .replace(/"created(_at)?":\d+|"completed_at":\d+/g, "");
}

function deltaOf(api: Api, data: string): string {
  if (data === "[DONE]") return "";
  const event = JSON.parse(data);
  if (api === "chat") return event.choices?.[0]?.delta?.content ?? "";
  return api === "anthropic" ? (event.delta?.text ?? "") : typeof event.delta === "string" ? event.delta : "";
}

function isSign(api: Api, data: string): boolean {
  if (api === "chat") return data.includes('"delta":{},"finish_reason":null');
  return data.includes(api === "anthropic" ? '"ping"' : '"response.in_progress"');
}

describe.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
] as const)("a request compressed with %s", (encoding, compress) => {
  it.each(APIS)("reaches the upstream byte for byte, and the response is repaired: %s", async (api) => {
    const running = await start([respond(LEAK), respond(LEAK)]);
    for (const stream of [false, true]) {
      const body = compress(JSON.stringify(bodyOf(api, stream)));
      const response = await fetch(`${running.url}${PATHS[api]}`, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", "content-encoding": encoding },
          "anthropic-version": "2023-06-01",
        },
        body: new Uint8Array(body),
      });
      expect(await response.text()).toMatch(NATIVE_CALL);
      expect(running.upstream.requests.at(-1)?.body.equals(body)).toBe(true);
      expect(headersSent(running)["content-encoding"]).toBe(encoding);
    }
    expect(await eventsAfter(running, 2, "leak_recovered")).toHaveLength(2);
    expect(await eventsAfter(running, 2, "request_recorded")).toMatchObject([{ tool_count: 1 }, { tool_count: 1 }]);
  });
});

it.each([
  ["malformed", Buffer.from("no gzip at all")],
  ["oversized once decompressed", gzipSync(`{"tools":[],"x":"${"0".repeat(40 << 20)}"}`)],
])("a compressed request that is %s passes through unchanged", async (_what, body) => {
  const running = await start([respond(LEAK)]);
  await fetch(`${running.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: new Uint8Array(body),
  });
  expect(running.upstream.requests.at(-1)?.body.equals(body)).toBe(true);
});
