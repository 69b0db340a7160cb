import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/store/port.ts";
import { send, startRawServer, until } from "../support/raw-http.ts";
import { getJson, type Running, startBoth, startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { call, refuse, respond, say, withFaults } from "../support/upstream/turn.ts";

const { open: keep } = closeAfterEach();

const JSON_TYPE = { "content-type": "application/json" };
const MESSAGES = { model: "m", max_tokens: 64, messages: [{ role: "user", content: "hello" }] };
const CHAT = { model: "m", messages: [{ role: "user", content: "hello" }] };

async function events({ server }: Running): Promise<readonly Record<string, unknown>[]> {
  await server.drain();
  const lines = await server.store.events(0, 1000);
  return lines.map(({ line }) => JSON.parse(line) as Record<string, unknown>);
}

/** Recording runs after the traffic: waits for an event with these fields. */
async function recorded(running: Running, fields: Record<string, unknown>): Promise<void> {
  await until(`an event with ${JSON.stringify(fields)}`, async () =>
    (await events(running)).some((event) => Object.entries(fields).every(([name, value]) => event[name] === value)),
  );
}

describe("forwarded bytes", () => {
  it("the request reaches the upstream byte for byte, including odd spacing, key order and big numbers (L15)", async () => {
    const both = await keep(startBoth(() => respond(say("hi"))));
    const body =
      '{ "messages" : [ {"role":"user", "content":"é\\u00e9 12345678901234567890"} ],\n "max_tokens":1.0, "model":"m" }';
    await send(`${both.server.url}/v1/messages?beta=true`, { headers: { ...JSON_TYPE, "X-Custom-Case": "Yes" } }, body);
    const [received] = both.upstream.requests;
    expect(received?.body.toString()).toBe(body);
    expect(received?.url).toBe("/v1/messages?beta=true");
    expect(received?.rawHeaders).toContain("X-Custom-Case");
  });

  it("a stream arrives with its comments, retry lines and line ends (L17)", async () => {
    const stream =
      ': ping\r\nretry: 3000\r\n\r\nevent: message_start\r\ndata: {"type":"message_start"}\r\n\r\ndata: x\n\n';
    const both = await keep(startBoth(() => ({ kind: "raw", contentType: "text/event-stream", body: stream })));
    const got = await send(
      `${both.server.url}/v1/messages`,
      { headers: JSON_TYPE },
      JSON.stringify({ ...MESSAGES, stream: true }),
    );
    expect(got.body.toString()).toBe(stream);
  });

  it("bytes and headers equal those of the upstream itself, for both APIs, whole and streamed", async () => {
    const both = await keep(
      startBoth(
        () => respond(say("some words"), call("get_weather", { city: "Oslo" })),
        {},
        { ids: fixedIds(), now: () => 1_700_000_000_000 },
      ),
    );
    for (const [path, body] of [
      ["/v1/messages", MESSAGES],
      ["/v1/chat/completions", CHAT],
    ] as const) {
      for (const stream of [false, true]) {
        const text = JSON.stringify({ ...body, stream });
        const direct = await send(`${both.upstream.url}${path}`, { headers: JSON_TYPE }, text);
        const through = await send(`${both.server.url}${path}`, { headers: JSON_TYPE }, text);
        expect(through.body.equals(direct.body)).toBe(true);
        expect(endToEnd(through.headers)).toEqual(endToEnd(direct.headers));
      }
    }
  });

  it("a provider's error keeps its status, headers and body, and is recorded (L14)", async () => {
    const both = await keep(startBoth(() => refuse(529, { retryAfter: 7 })));
    const direct = await send(`${both.upstream.url}/v1/messages`, { headers: JSON_TYPE }, JSON.stringify(MESSAGES));
    const got = await send(
      `${both.server.url}/v1/messages`,
      { headers: JSON_TYPE },
      JSON.stringify({ ...MESSAGES, stream: true }),
    );
    expect(got.status).toBe(529);
    expect(got.headers["retry-after"]).toBe("7");
    expect(JSON.parse(got.body.toString())).toMatchObject({
      error: (JSON.parse(direct.body.toString()) as { error: unknown }).error,
    });
    await recorded(both, { type: "response_recorded", http_status: 529, ended: "complete" });
  });

  it("malformed JSON, invalid UTF-8 and unknown paths under /v1 are left to the upstream", async () => {
    const bodies: string[] = [];
    const raw = await keep(
      startRawServer((socket) =>
        socket.on("data", (data) => {
          bodies.push(data.toString("latin1"));
          socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno");
        }),
      ),
    );
    const { server } = await keep(startInFrontOf(raw.url));
    for (const [path, body] of [
      ["/v1/messages", '{"messages": ['],
      ["/v1/chat/completions", Buffer.from([0x7b, 0xff, 0xfe])],
      ["/v1/embeddings", "{}"],
    ] as const) {
      const got = await send(`${server.url}${path}`, { headers: JSON_TYPE }, body);
      expect([got.status, got.body.toString()]).toEqual([400, "no"]);
    }
    expect(bodies[1]).toContain("{\u00ff\u00fe");
    expect((await getJson<Summary>(`${server.url}/api/summary`)).calls).toBe(0);
  });

  it("a body far above the observation limit passes through whole and is counted as unobserved", async () => {
    const both = await keep(startBoth(() => respond(say("hi"))));
    const body = Buffer.concat([
      Buffer.from('{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"'),
      Buffer.alloc(40 << 20, "a"),
      Buffer.from('"}]}'),
    ]);
    const got = await send(`${both.server.url}/v1/messages`, { headers: JSON_TYPE }, body);
    expect(got.status).toBe(200);
    expect(both.upstream.requests[0]?.body.length).toBe(body.length);
    await until("the exchange is counted as unobserved", async () =>
      (await (await fetch(`${both.server.url}/metrics`)).text()).includes("toolmend_proxy_unobserved_total 1"),
    );
  });

  it("a compressed stream passes through compressed and without delay, and is still observed (L16)", async () => {
    const both = await keep(
      startBoth(() => withFaults(respond(call("Bash", { command: "ls" })), { kind: "encoded", encoding: "gzip" })),
    );
    const got = await send(
      `${both.server.url}/v1/messages`,
      { headers: { ...JSON_TYPE, "accept-encoding": "gzip" } },
      JSON.stringify({ ...MESSAGES, stream: true }),
    );
    expect(got.headers["content-encoding"]).toBe("gzip");
    await recorded(both, { type: "tool_call_requested", tool_name: "Bash" });
  });

  it("a compressed request is observed from a decoded copy and forwarded unchanged", async () => {
    const both = await keep(startBoth(() => respond(say("hi"))));
    const body = gzipSync(JSON.stringify(MESSAGES));
    await send(`${both.server.url}/v1/messages`, { headers: { ...JSON_TYPE, "content-encoding": "gzip" } }, body);
    expect(both.upstream.requests[0]?.body.equals(body)).toBe(true);
    await recorded(both, { type: "request_recorded", message_count: 1 });
  });
});

describe("when the upstream fails", () => {
  it.each([
    ["/v1/messages", { type: "error", error: { type: "api_error" } }],
    ["/v1/chat/completions", { error: { type: "server_error", param: null, code: null } }],
  ])("a refused connection is a 502 in the error shape of %s that says what to do", async (path, shape) => {
    const { server } = await keep(startInFrontOf("http://127.0.0.1:1"));
    const got = await send(`${server.url}${path}`, { headers: JSON_TYPE }, JSON.stringify(MESSAGES));
    expect(got.status).toBe(502);
    expect(JSON.parse(got.body.toString())).toMatchObject(shape);
    expect(got.body.toString()).toContain("127.0.0.1:1): connection refused. Is it running?");
  });

  it("an error event inside a stream that began with 200 passes through, and the response does not count as complete (L13)", async () => {
    const both = await keep(
      startBoth(() => withFaults(respond(say("one two three")), { kind: "error-event", afterEvents: 2 })),
    );
    const got = await send(
      `${both.server.url}/v1/messages`,
      { headers: JSON_TYPE },
      JSON.stringify({ ...MESSAGES, stream: true }),
    );
    expect(got.status).toBe(200);
    expect(got.body.toString()).toContain("event: error");
    await recorded(both, { type: "response_recorded", ended: "truncated" });
  });

  it("a stream that is reset in the middle is aborted for the client too and recorded as truncated", async () => {
    const both = await keep(
      startBoth(() => withFaults(respond(say("one two three four five")), { kind: "reset-mid-event", afterEvents: 3 })),
    );
    const got = await send(
      `${both.server.url}/v1/messages`,
      { headers: JSON_TYPE },
      JSON.stringify({ ...MESSAGES, stream: true }),
    );
    expect(got.aborted).toBe(true);
    expect(got.body.toString()).toContain("message_start");
    await recorded(both, { type: "response_recorded", ended: "truncated" });
  });

  it("a client that disconnects mid-stream aborts the upstream request and leaves a record (L12)", async () => {
    const both = await keep(
      startBoth(() => withFaults(respond(say("one two three four")), { kind: "stall", afterEvents: 3 })),
    );
    const controller = new AbortController();
    const response = await fetch(`${both.server.url}/v1/messages`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ ...MESSAGES, stream: true }),
      signal: controller.signal,
    });
    await response.body?.getReader().read();
    controller.abort();
    expect(await both.upstream.requests[0]?.ended).toBe("client-gone");
    await recorded(both, { type: "response_recorded", ended: "client_gone" });
  });

  it("the first bytes of a stream do not wait for the rest", async () => {
    const both = await keep(
      startBoth(() => withFaults(respond(say("one two three four")), { kind: "stall", afterEvents: 1 })),
    );
    const response = await fetch(`${both.server.url}/v1/messages`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ ...MESSAGES, stream: true }),
    });
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain("message_start");
  });

  it("the headers of a provider that is slow to send its first byte are forwarded immediately", async () => {
    const raw = await keep(
      startRawServer((socket) =>
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
        }),
      ),
    );
    const { server } = await keep(startInFrontOf(raw.url));
    const response = await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ ...MESSAGES, stream: true }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    await response.body?.cancel();
  });

  it("a WebSocket upgrade gets a 426, so that clients fall back to HTTP immediately", async () => {
    const { server } = await keep(startInFrontOf("http://127.0.0.1:1"));
    const got = await send(`${server.url}/v1/responses`, {
      method: "GET",
      headers: { connection: "Upgrade", upgrade: "websocket" },
    });
    expect([got.status, got.headers["content-length"]]).toEqual([426, "0"]);
  });

  it("an upstream socket that was closed while idle does not affect the client", async () => {
    let connections = 0;
    const raw = await keep(
      startRawServer((socket) => {
        connections += 1;
        let served = 0;
        socket.on("data", () => {
          served += 1;
          // The first response keeps the connection open; the second request on it finds the server gone.
          if (connections === 1 && served === 2) socket.resetAndDestroy();
          else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        });
      }),
    );
    const { server } = await keep(startInFrontOf(raw.url));
    for (const _ of [1, 2]) {
      const got = await send(`${server.url}/v1/messages`, { headers: JSON_TYPE }, JSON.stringify(MESSAGES));
      expect([got.status, got.body.toString()]).toEqual([200, "ok"]);
    }
    expect(connections).toBe(2);
  });
});

describe("a request that opts out of recording", () => {
  it("x-toolmend-record: off leaves no trace, and the header does not reach the upstream", async () => {
    const both = await keep(startBoth(() => respond(call("Bash", { command: "ls" }))));
    await send(
      `${both.server.url}/v1/messages`,
      { headers: { ...JSON_TYPE, "x-toolmend-record": "off" } },
      JSON.stringify(MESSAGES),
    );
    await send(`${both.server.url}/v1/messages`, { headers: JSON_TYPE }, JSON.stringify(MESSAGES));
    await recorded(both, { type: "tool_call_requested" });
    expect((await events(both)).filter(({ type }) => type === "request_recorded")).toHaveLength(1);
    expect(both.upstream.requests[0]?.rawHeaders.join()).not.toContain("x-toolmend");
  });
});

function endToEnd(headers: Readonly<Record<string, unknown>>): object {
  const { connection: _c, "keep-alive": _k, date: _d, "transfer-encoding": _t, ...rest } = headers;
  return Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.includes("request-id") && !name.endsWith("-ms")),
  );
}

/** The same ids for every response, so that two responses can be compared byte for byte. */
function fixedIds(): (kind: string) => string {
  return (kind) => `${kind}_fixed0000000000`;
}
