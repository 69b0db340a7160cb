import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type EndlessAnswer, readSlowly, startEndless } from "../support/endless.ts";
import { keepForTest } from "../support/keep.ts";
import { CAN_MEASURE, memoryGrowth } from "../support/process-figures.ts";
import { startRawServer } from "../support/raw-http.ts";

const kept = keepForTest();
const MB = 1 << 20;
const GB = 1 << 30;
/** What the kernel may hold on two connections, which is not ours to bound. */
const KERNEL = 16 * MB;
const JSON_TYPE = { "content-type": "application/json" };
const SSE = { "content-type": "text/event-stream" };
const GZIP = { "content-encoding": "gzip" };
const ASKED = JSON.stringify({ model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: "hi" }] });

/** Cannot be compressed to nothing, so that bytes on the wire are bytes. */
const NOISE = randomBytes(48 << 10).toString("base64");
const STREAM_START = sse(
  { type: "message_start", message: { id: "msg_1", model: "m" } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
);
const DELTA = sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: NOISE } });
const BODY_START = Buffer.from('{"id":"msg_1","type":"message","content":[{"type":"text","text":"');

const ANSWERS = {
  stream: { headers: SSE, first: STREAM_START, chunk: DELTA },
  "gzipped stream": { headers: { ...SSE, ...GZIP }, first: gzipSync(STREAM_START), chunk: gzipSync(DELTA) },
  body: { headers: JSON_TYPE, first: BODY_START, chunk: Buffer.from(NOISE) },
  "gzipped body": { headers: { ...JSON_TYPE, ...GZIP }, first: gzipSync(BODY_START), chunk: gzipSync(NOISE) },
} satisfies Record<string, Omit<EndlessAnswer, "total">>;
const KINDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

function answerOf(total: number): (request: http.IncomingMessage) => EndlessAnswer {
  return ({ headers }) => ({ ...ANSWERS[headers["x-answer"] as keyof typeof ANSWERS], total });
}

describe.skipIf(!CAN_MEASURE)("a client that reads 10 KB a second from 1 GB", () => {
  it("slows the upstream down and costs no memory: stream and body, plain and gzipped, all at once", async () => {
    const upstream = await kept.open(startEndless(answerOf(GB)));
    const server = await kept.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    let read: readonly number[] = [];
    const growth = await memoryGrowth(server.pid, async () => {
      const slow = { body: ASKED, bytesPerSecond: 10_000, ms: 3000 };
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

describe.skipIf(!CAN_MEASURE)("a client that reads as fast as it can", () => {
  it.each(KINDS)("gets a %s far beyond what is observed, and nothing of it is held", async (kind) => {
    const upstream = await kept.open(startEndless(answerOf(GB / 4)));
    const server = await kept.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    const growth = await memoryGrowth(server.pid, async () => {
      const headers = { ...JSON_TYPE, "x-answer": kind };
      const request = http.request(`${server.url}/v1/messages`, { method: "POST", agent: false, headers });
      request.end(ASKED);
      const [response] = (await once(request, "response")) as [http.IncomingMessage];
      response.resume();
      await once(response, "end");
    });
    expect(upstream.sentBytes).toBeGreaterThan(GB / 4 - MB);
    expect(growth).toBeLessThan(200 * MB);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain("toolmend_proxy_unobserved_total 1\n");
  });
});

describe.skipIf(!CAN_MEASURE)("an upstream that reads 10 KB a second", () => {
  it.each([
    ["100 MB", {}],
    ["100 MB of gzip", GZIP],
  ])("slows a client down that sends %s, and costs no memory", async (_what, headers) => {
    const upstream = await kept.open(
      startRawServer((socket) => {
        socket.pause();
        const timer = setInterval(() => socket.read(500), 50);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const server = await kept.spawn(upstream.url);
    await fetch(`${server.url}/metrics`);
    const chunk = "content-encoding" in headers ? gzipSync(NOISE) : Buffer.from(NOISE);
    const request = http.request(`${server.url}/v1/messages`, {
      method: "POST",
      agent: false,
      headers: { ...JSON_TYPE, ...headers, "content-length": 100 * MB },
    });
    request.on("error", () => undefined);
    let sent = 0;
    const growth = await memoryGrowth(server.pid, async () => {
      const end = Date.now() + 2000;
      while (Date.now() < end && sent + chunk.length < 100 * MB) {
        sent += chunk.length;
        if (!request.write(chunk)) await Promise.race([once(request, "drain"), sleep(end - Date.now())]);
      }
    });
    request.destroy();
    expect(sent).toBeLessThan(KERNEL);
    expect(growth).toBeLessThan(60 * MB);
  });
});

function sse(...events: readonly { readonly type: string; readonly [field: string]: unknown }[]): Buffer {
  return Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
