import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type EndlessResponse, readSlowly, startEndless } from "../support/endless-upstream.ts";
import { CAN_MEASURE, memoryGrowth } from "../support/process-usage.ts";
import { startRawServer, until } from "../support/raw-http.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();
const MB = 1 << 20;
const GB = 1 << 30;
/** Kernel buffers of two connections, which Toolmend does not control. */
const KERNEL = 16 * MB;
const JSON_TYPE = { "content-type": "application/json" };
const SSE = { "content-type": "text/event-stream" };
const GZIP = { "content-encoding": "gzip" };
const REQUEST_BODY = JSON.stringify({
  model: "m",
  max_tokens: 9,
  stream: true,
  messages: [{ role: "user", content: "hi" }],
});

/** Incompressible, so that the size on the wire is the size of the body. */
const NOISE = randomBytes(48 << 10).toString("base64");
const STREAM_START = sse(
  { type: "message_start", message: { id: "msg_1", model: "m" } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
);
const DELTA = sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: NOISE } });
const BODY_START = Buffer.from('{"id":"msg_1","type":"message","content":[{"type":"text","text":"');

const RESPONSES = {
  stream: { headers: SSE, first: STREAM_START, chunk: DELTA },
  "gzipped stream": { headers: { ...SSE, ...GZIP }, first: gzipSync(STREAM_START), chunk: gzipSync(DELTA) },
  body: { headers: JSON_TYPE, first: BODY_START, chunk: Buffer.from(NOISE) },
  "gzipped body": { headers: { ...JSON_TYPE, ...GZIP }, first: gzipSync(BODY_START), chunk: gzipSync(NOISE) },
} satisfies Record<string, Omit<EndlessResponse, "total">>;
const KINDS = Object.keys(RESPONSES) as (keyof typeof RESPONSES)[];

function responseOf(total: number): (request: http.IncomingMessage) => EndlessResponse {
  return ({ headers }) => ({ ...RESPONSES[headers["x-answer"] as keyof typeof RESPONSES], total });
}

describe.skipIf(!CAN_MEASURE)("a client that reads 10 KB a second from 1 GB", () => {
  it("a slow client slows the upstream down without using memory: stream and body, plain and gzipped, concurrently", async () => {
    const upstream = await resources.open(startEndless(responseOf(GB)));
    const server = await resources.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    let read: readonly number[] = [];
    const growth = await memoryGrowth(server.pid, async () => {
      const slow = { body: REQUEST_BODY, bytesPerSecond: 10_000, ms: 2000 };
      read = await Promise.all(
        KINDS.map((kind) =>
          readSlowly(`${server.url}/v1/messages`, { ...slow, headers: { ...JSON_TYPE, "x-answer": kind } }),
        ),
      );
    });
    for (const bytes of read) expect(bytes).toBeGreaterThan(5000);
    expect(upstream.sentBytes).toBeLessThan(KINDS.length * KERNEL);
    expect(growth).toBeLessThan(KINDS.length * 40 * MB);
  });
});

describe.skipIf(!CAN_MEASURE)("a client that reads at full speed", () => {
  it("a fast client gets responses far above the observation limit, and none of them is buffered: stream and body, plain and gzipped", async () => {
    const upstream = await resources.open(startEndless(responseOf(160 * MB)));
    const server = await resources.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    for (const [n, kind] of KINDS.entries()) {
      const growth = await memoryGrowth(server.pid, async () => {
        const headers = { ...JSON_TYPE, "x-answer": kind };
        const request = http.request(`${server.url}/v1/messages`, { method: "POST", agent: false, headers });
        request.end(REQUEST_BODY);
        const [response] = (await once(request, "response")) as [http.IncomingMessage];
        response.resume();
        await once(response, "end");
      });
      expect([kind, growth < 220 * MB]).toEqual([kind, true]);
      await until("it is counted as unobserved", async () =>
        (await (await fetch(`${server.url}/metrics`)).text()).includes(`toolmend_proxy_unobserved_total ${n + 1}\n`),
      );
    }
    expect(upstream.sentBytes).toBeGreaterThan(KINDS.length * 159 * MB);
  });
});

describe.skipIf(!CAN_MEASURE)("an upstream that reads 10 KB a second", () => {
  it("a slow upstream slows down clients that send 100 MB, plain and gzipped, without using memory", async () => {
    const upstream = await resources.open(
      startRawServer((socket) => {
        socket.pause();
        const timer = setInterval(() => socket.read(500), 50);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const server = await resources.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    let sent: readonly number[] = [];
    const growth = await memoryGrowth(server.pid, async () => {
      sent = await Promise.all([
        upload(`${server.url}/v1/messages`, {}, Buffer.from(NOISE), 2000),
        upload(`${server.url}/v1/messages`, GZIP, gzipSync(NOISE), 2000),
      ]);
    });
    for (const bytes of sent) expect(bytes).toBeLessThan(KERNEL);
    expect(growth).toBeLessThan(2 * 40 * MB);
  });
});

/** Sends a body of 100 MB as fast as it is accepted for the given time; returns the number of bytes accepted. */
async function upload(url: string, headers: http.OutgoingHttpHeaders, chunk: Buffer, ms: number): Promise<number> {
  const request = http.request(url, {
    method: "POST",
    agent: false,
    headers: { ...JSON_TYPE, ...headers, "content-length": 100 * MB },
  });
  request.on("error", () => undefined);
  let sent = 0;
  for (const end = Date.now() + ms; Date.now() < end && sent + chunk.length < 100 * MB; ) {
    sent += chunk.length;
    const signal = AbortSignal.timeout(Math.max(1, end - Date.now()));
    if (!request.write(chunk)) await once(request, "drain", { signal }).catch(() => undefined);
  }
  request.destroy();
  return sent;
}

function sse(...events: readonly { readonly type: string; readonly [field: string]: unknown }[]): Buffer {
  return Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
