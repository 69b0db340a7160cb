import { Buffer } from "node:buffer";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import type { Encoding, Fault } from "./faults.ts";
import { inOrder, type Script } from "./script.ts";
import { type ReceivedRequest, startUpstream, type Upstream, type UpstreamOptions } from "./start-upstream.ts";
import { call, refuse, respond, type Turn, withFaults } from "./turn.ts";

let upstream: Upstream;

afterEach(() => upstream.close());

async function start(script: Script | Turn, options: Partial<UpstreamOptions> = {}): Promise<void> {
  upstream = await startUpstream({ script: typeof script === "function" ? script : () => script, ...options });
}

/** The only request so far. */
function arrived(): ReceivedRequest {
  const [request, ...others] = upstream.requests;
  if (request === undefined || others.length > 0) throw new Error(`${upstream.requests.length} requests, expected one`);
  return request;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Set when the body did not end correctly. */
  readonly error?: string;
  /** The connection was reset (RST), not only closed. */
  readonly reset: boolean;
}

interface RequestOptions {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: { readonly [name: string]: string };
}

/** Raw bytes: no decoding, no redirects, no retries. */
function sendRequest(path: string, { method = "POST", body, headers = {} }: RequestOptions = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    let reset = false;
    let gotResponse = false;
    const outgoing = httpRequest(`${upstream.url}${path}`, { method, headers, agent: false }, (response) => {
      gotResponse = true;
      const chunks: Buffer[] = [];
      const done = (error?: Error & { code?: string }) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          reset,
          ...(error === undefined ? {} : { error: error.code ?? error.message }),
        });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done());
      response.on("error", done);
    });
    outgoing.on("error", (error) => {
      // Node reports a reset here and on the response, a plain close only on the response.
      reset = gotResponse;
      if (!gotResponse) reject(error);
    });
    outgoing.end(body);
  });
}

const MESSAGE: JsonObject = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };

function post(stream: boolean): Promise<Received> {
  return sendRequest("/v1/messages?beta=true", { body: JSON.stringify({ ...MESSAGE, stream }) });
}

function json({ body }: Received): JsonObject {
  return JSON.parse(body.toString());
}

const HELLO = respond("Hello, wörld 👀.");

describe("routes", () => {
  it("responds to HEAD / without a body", async () => {
    await start(HELLO);
    const { status, body } = await sendRequest("/", { method: "HEAD" });
    expect([status, body.length]).toEqual([200, 0]);
  });

  it("responds with 404, 405 and 400 in the provider's shape", async () => {
    await start(HELLO);
    const lost = await sendRequest("/v1/embeddings", { body: "{}" });
    expect([lost.status, json(lost)]).toMatchObject([404, { error: { code: "not_found", param: null } }]);
    const wrong = await sendRequest("/v1/messages", { method: "GET" });
    expect([wrong.status, json(wrong).type]).toEqual([405, "error"]);
    for (const body of ["{", "[]", Buffer.from([0xff, 0xfe])]) {
      const bad = await sendRequest("/v1/chat/completions", { body });
      expect([bad.status, json(bad)]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
    }
  });

  it.each([
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["br", zlib.brotliCompressSync],
    ["zstd", zlib.zstdCompressSync],
  ] as const)("reads a request compressed with %s and keeps its bytes", async (encoding, compress) => {
    await start(HELLO);
    const body = compress(Buffer.from(JSON.stringify(MESSAGE)));
    const { status } = await sendRequest("/v1/messages", { body, headers: { "content-encoding": encoding } });
    expect(status).toBe(200);
    expect(arrived().body.equals(body)).toBe(true);
  });

  it("stores received requests unchanged", async () => {
    await start(HELLO, { now: () => 42 });
    await sendRequest("/v1/messages?beta=true", { body: JSON.stringify(MESSAGE), headers: { "X-Odd-CASE": "1" } });
    const received = arrived();
    expect(received).toMatchObject({ method: "POST", url: "/v1/messages?beta=true", at: 42 });
    expect(received.rawHeaders).toContain("X-Odd-CASE");
    expect(await received.ended).toBe("answered");
  });

  it("keeps only the configured number of requests", async () => {
    await start(HELLO, { keepRequests: 1 });
    await post(false);
    await sendRequest("/", { method: "HEAD" });
    expect(upstream.requests.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  it("lists models in the shape of the client's provider", async () => {
    await start(HELLO, { models: ["a", "b"] });
    expect(json(await sendRequest("/v1/models", { method: "GET" }))).toMatchObject({
      object: "list",
      data: [{ id: "a" }, {}],
    });
    const headers = { "anthropic-version": "2023-06-01" };
    expect(json(await sendRequest("/v1/models", { method: "GET", headers }))).toMatchObject({
      last_id: "b",
      has_more: false,
    });
  });
});

describe("the script", () => {
  it("the script runs only for requests that pass the rules, with their index", async () => {
    const indexes: number[] = [];
    await start(({ nth, model, stream }) => {
      expect([model, stream]).toEqual(["m", false]);
      indexes.push(nth);
      return HELLO;
    });
    await post(false);
    await sendRequest("/v1/messages", { body: JSON.stringify({ ...MESSAGE, messages: [] }) });
    await post(false);
    expect(indexes).toEqual([0, 1]);
    expect(upstream.rejections).toMatchObject([{ rule: "messages-required" }]);
  });

  it("the script becomes a 500 with an explanation when it throws or has no more turns", async () => {
    await start(inOrder(HELLO));
    await post(false);
    const { status, body } = await post(false);
    expect([status, body.toString()]).toEqual([500, expect.stringContaining("no turn for request 1")]);
  });

  it("the script sets ids, and gets the same ones in every run", async () => {
    const runs: string[] = [];
    for (const _ of [1, 2]) {
      await start(respond(call("a", {}, "call_0"), call("b")));
      runs.push((await post(false)).body.toString());
      await upstream.close();
    }
    await start(HELLO);
    expect(runs[0]).toContain('"id":"call_0"');
    expect(runs[0]).toBe(runs[1]);
  });

  it("the script sends captured bytes", async () => {
    const body = Buffer.from("event: odd\r\ndata: \xff\r\n\r\n", "latin1");
    await start({ kind: "raw", contentType: "text/event-stream", body, writeBytes: 3 });
    const received = await post(true);
    expect(received.body.equals(body)).toBe(true);
    expect(received.headers["content-type"]).toBe("text/event-stream");
  });
});

describe("errors", () => {
  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [529, "overloaded_error"],
  ])("an error with status %i has Anthropic's shape", async (status, type) => {
    await start(refuse(status, { retryAfter: 3 }));
    const received = await post(true);
    expect(received).toMatchObject({ status, headers: { "retry-after": "3", "content-type": "application/json" } });
    expect(json(received)).toMatchObject({
      type: "error",
      error: { type },
      request_id: received.headers["request-id"],
    });
  });

  it("errors accept a custom body", async () => {
    await start(refuse(502, { body: "<html>Bad gateway</html>", headers: { "content-type": "text/html" } }));
    const received = await post(false);
    expect([received.body.toString(), received.headers["content-type"]]).toEqual([
      "<html>Bad gateway</html>",
      "text/html",
    ]);
  });
});

describe("concurrency", () => {
  it("serves five hundred concurrent streams, each with its own content", async () => {
    await start(({ nth }) => ({ ...respond(`I am ${nth}.`), delays: { eventMs: 1 } }));
    const all = await Promise.all(Array.from({ length: 500 }, () => post(true)));
    const texts = all.map(({ body }) => /I am \d+/.exec(body.toString())?.[0]);
    expect(new Set(texts).size).toBe(500);
    const ids = all.map(({ body }) => /"id":"(msg_\w+)"/.exec(body.toString())?.[1]);
    expect(new Set(ids).size).toBe(500);
  });
});

describe("flavors", () => {
  it("a flavor behaves like Mistral", async () => {
    await start(respond(call("read")), { flavor: "mistral" });
    const user = { role: "user", content: "hi" };
    const first = await sendRequest("/v1/chat/completions", { body: JSON.stringify({ model: "m", messages: [user] }) });
    expect(first.body.toString()).toMatch(/"id":"[a-zA-Z0-9]{9}","type":"function"/);
    const calls = [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }];
    const messages = [
      user,
      { role: "assistant", tool_calls: calls },
      { role: "tool", tool_call_id: "call_1", content: "" },
    ];
    const second = await sendRequest("/v1/chat/completions", { body: JSON.stringify({ model: "m", messages }) });
    expect([second.status, json(second)]).toMatchObject([400, { object: "error", code: "3280" }]);
  });
});

describe("faults", () => {
  const startWithFault = (fault: Fault) => start(withFaults(HELLO, fault));

  it("resets before the headers", async () => {
    await startWithFault({ kind: "reset-before-headers" });
    await expect(post(true)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await arrived().ended).toBe("aborted");
  });

  it.each([true, false])("resets in the middle (stream: %s)", async (stream) => {
    await startWithFault({ kind: "reset-mid-event", afterEvents: stream ? 2 : 0 });
    const { status, body, reset } = await post(stream);
    expect([status, reset]).toEqual([200, true]);
    expect(body.toString()).not.toMatch(/[}\n]$/);
  });

  it.each([true, false])("ends early without an HTTP error (stream: %s)", async (stream) => {
    await startWithFault({ kind: "half-frame", ending: "clean" });
    const { body, error } = await post(stream);
    expect(error).toBeUndefined();
    expect(body.toString()).toMatch(stream ? /event: message_stop\n[^}]*$/ : /^\{[^}]*.*[^}]$/);
  });

  it.each([true, false])("disconnects before the end (stream: %s)", async (stream) => {
    await startWithFault({ kind: "half-frame", ending: "abrupt" });
    expect(await post(stream)).toMatchObject({ status: 200, error: "ECONNRESET", reset: false });
  });

  it("stalls before the headers until the client disconnects", async () => {
    await startWithFault({ kind: "stall" });
    const leave = new AbortController();
    const body = JSON.stringify(MESSAGE);
    const pending = fetch(`${upstream.url}/v1/messages`, { method: "POST", body, signal: leave.signal });
    await expect.poll(() => upstream.requests.length).toBe(1);
    leave.abort();
    await expect(pending).rejects.toThrow("aborted");
    expect(await arrived().ended).toBe("client-gone");
  });

  it("stalls in the middle for a time, then continues", async () => {
    await startWithFault({ kind: "stall", afterEvents: 3, ms: 40 });
    const before = performance.now();
    const { body } = await post(true);
    expect(performance.now() - before).toBeGreaterThanOrEqual(38);
    expect(body.toString()).toMatch(/"message_stop"}\n\n$/);
  });

  it("closes in the middle of a stall", async () => {
    await startWithFault({ kind: "stall", afterEvents: 1 });
    const pending = post(true);
    await expect.poll(() => upstream.requests[0]?.sentBytes ?? 0).toBeGreaterThan(0);
    await upstream.close();
    expect(await pending).toMatchObject({ status: 200, error: "ECONNRESET" });
    expect(await arrived().ended).toBe("aborted");
  });

  it("sends headers immediately and the first byte late", async () => {
    await startWithFault({ kind: "slow-first-byte", ms: 60 });
    const before = performance.now();
    const response = await fetch(`${upstream.url}/v1/messages`, { method: "POST", body: JSON.stringify(MESSAGE) });
    const headers = performance.now() - before;
    await response.text();
    const whole = performance.now() - before;
    expect(whole).toBeGreaterThanOrEqual(58);
    expect(headers).toBeLessThan(whole);
  });

  it("sends a wrong content type", async () => {
    await startWithFault({ kind: "content-type", contentType: "text/plain" });
    const { headers, body } = await post(true);
    expect([headers["content-type"], body.toString().startsWith("event: message_start")]).toEqual(["text/plain", true]);
  });

  const decoders: { readonly [encoding in Encoding]: (bytes: Buffer) => Buffer } = {
    gzip: zlib.gunzipSync,
    deflate: zlib.inflateSync,
    br: zlib.brotliDecompressSync,
    zstd: zlib.zstdDecompressSync,
  };
  it.each(Object.entries(decoders))("compresses with %s, requested or not", async (encoding, decode) => {
    await startWithFault({ kind: "encoded", encoding: encoding as Encoding });
    for (const stream of [true, false]) {
      const { headers, body } = await post(stream);
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers["content-length"]).toBeUndefined();
      expect(decode(body).toString()).toContain(stream ? "message_stop" : "Hello, wörld 👀.");
    }
  });

  it("flushes a compressed stream event by event", async () => {
    await start(withFaults(HELLO, { kind: "encoded", encoding: "gzip" }, { kind: "stall", afterEvents: 3 }));
    const response = await fetch(`${upstream.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ ...MESSAGE, stream: true }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("ping")) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(await arrived().ended).toBe("client-gone");
  });

  it("splits writes inside characters without corrupting them", async () => {
    await start(HELLO);
    const whole = await post(true);
    await upstream.close();
    await start({ ...HELLO, writeBytes: 1 });
    expect((await post(true)).body.toString()).toBe(whole.body.toString());
  });

  it("streams ten thousand events", async () => {
    await startWithFault({ kind: "many-events", events: 10_000 });
    const { body } = await post(true);
    expect(body.toString().match(/"text_delta","text":"tick "/g)).toHaveLength(10_000);
  });

  it.each(["/v1/messages", "/v1/chat/completions", "/v1/responses"])("sends a huge body on %s", async (path) => {
    await startWithFault({ kind: "huge-body", bytes: 3_000_000 });
    const body = { ...MESSAGE, input: "hi" };
    const whole = await sendRequest(path, { body: JSON.stringify(body) });
    expect(whole.body.length).toBeGreaterThan(3_000_000);
    expect(JSON.stringify(json(whole)).length).toBe(whole.body.length - Buffer.from("ö👀").length + "ö👀".length);
    const stream = await sendRequest(path, { body: JSON.stringify({ ...body, stream: true }) });
    expect(stream.body.length).toBeGreaterThan(3_000_000);
    expect(stream.body.includes("filler:")).toBe(false);
  });

  it("waits for a slow reader instead of buffering the body in memory", async () => {
    await startWithFault({ kind: "huge-body", bytes: 1_000_000_000 });
    const leave = new AbortController();
    const response = await fetch(`${upstream.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(MESSAGE),
      signal: leave.signal,
    });
    await expect.poll(() => upstream.requests[0]?.sentBytes ?? 0).toBeGreaterThan(0);
    // The client does not read: only what the sockets buffer is written, not the whole body.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(arrived().sentBytes).toBeLessThan(50_000_000);
    expect(response.status).toBe(200);
    leave.abort();
    expect(await arrived().ended).toBe("client-gone");
  });
});
