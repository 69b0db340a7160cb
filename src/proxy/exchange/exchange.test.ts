import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { EventFramer } from "../../core/wire/event-framer.ts";
import type { DecodedRequest, DecodedResponse } from "../../core/wire/index.ts";
import { Exchange, type ExchangeStats } from "./exchange.ts";

interface ReadExchange {
  readonly order: string[];
  readonly unreadable: string[];
  request?: DecodedRequest;
  response?: DecodedResponse | undefined;
  stats?: ExchangeStats;
}

const REQUEST = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hello" }] });
const EVENTS = [
  { type: "message_start", message: { id: "msg_1", model: "m" } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hé👀" } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };

interface Sent {
  readonly request?: string | Buffer;
  readonly requestEncoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly response?: readonly (string | Buffer)[];
  /** Passes the response as framed events. */
  readonly asEvents?: boolean;
  /** The parsed body of the response. */
  readonly json?: unknown;
  readonly status?: number;
  readonly ended?: ExchangeEnd;
}

/** Passes one exchange to its owner, as forwarding does. */
async function read(exchange: Sent): Promise<ReadExchange> {
  const result: ReadExchange = { order: [], unreadable: [] };
  const exchanged = new Exchange({
    api: "anthropic",
    requestEncoding: exchange.requestEncoding,
    now: () => 5,
    recorder: {
      recordRequest(request) {
        result.order.push("request");
        result.request = request;
      },
      recordEnd(response, stats) {
        result.order.push("end");
        result.response = response;
        result.stats = stats;
      },
    },
    onUnreadable: (reason) => result.unreadable.push(reason),
  });
  exchanged.requestChunk(Buffer.from(exchange.request ?? REQUEST));
  exchanged.requestEnd();
  if (exchange.headers !== undefined) {
    exchanged.responseHead({
      statusCode: exchange.status ?? 200,
      headers: exchange.headers,
    } as unknown as IncomingMessage);
    const framer = new EventFramer();
    for (const chunk of exchange.response ?? []) {
      if (exchange.asEvents === true) exchanged.responseEvents(framer.push(Buffer.from(chunk)));
      else exchanged.responseChunk(Buffer.from(chunk));
    }
    exchanged.responseChunk(Buffer.from(framer.end()));
    if (exchange.json !== undefined) exchanged.responseJson(exchange.json);
  }
  exchanged.end(exchange.ended ?? "complete");
  for (let tries = 0; !result.order.includes("end") && tries < 800; tries += 1) await wait(5);
  return result;
}

describe("Exchange", () => {
  it("reports the request, then the response with its stats", async () => {
    const result = await read({ headers: STREAM, response: EVENTS });
    expect(result.order).toEqual(["request", "end"]);
    expect(result.request).toMatchObject({ model: "m", streaming: true, firstUserText: "hello" });
    expect(result.response).toMatchObject({ id: "msg_1", text: "hé👀", finished: true });
    expect(result.stats).toEqual({
      ...{ endedAt: 5, ended: "complete", status: 200, firstByteAt: 5 },
      size: Buffer.byteLength(EVENTS.join("")),
    });
    expect(result.unreadable).toEqual([]);
  });

  it("reads a response that arrives byte by byte", async () => {
    const bytes = Array.from(Buffer.from(EVENTS.join("")), (byte) => Buffer.of(byte));
    expect((await read({ headers: STREAM, response: bytes })).response).toMatchObject({ text: "hé👀", finished: true });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("decodes %s in both directions", async (encoding, encode) => {
    const result = await read({
      request: encode(Buffer.from(REQUEST)),
      requestEncoding: encoding,
      headers: { ...STREAM, "content-encoding": encoding },
      response: [encode(Buffer.from(EVENTS.join("")))],
    });
    expect(result.order).toEqual(["request", "end"]);
    expect(result.request?.firstUserText).toBe("hello");
    expect(result.response).toMatchObject({ text: "hé👀", finished: true });
  });

  it("reads framed events with the same result and stats as bytes", async () => {
    const framed = await read({ headers: STREAM, response: EVENTS, asEvents: true });
    const { order, response, stats, unreadable } = await read({ headers: STREAM, response: EVENTS });
    expect({ ...framed, request: undefined }).toEqual({ order, response, stats, unreadable, request: undefined });
    expect(framed.response).toMatchObject({ id: "msg_1", text: "hé👀", finished: true });
  });

  it("reports a truncated response when framed events end in half an event, and counts its bytes", async () => {
    const half = EVENTS.join("").slice(0, -5);
    const result = await read({ headers: STREAM, response: [half], asEvents: true });
    expect(result.stats).toMatchObject({ ended: "truncated", size: Buffer.byteLength(half) });
    expect(result.response).toMatchObject({ text: "hé👀", finished: false });
  });

  it("reads framed events as a JSON body when only the header is that of a stream", async () => {
    const body = `{\n\n"type":"message","id":"msg_2","model":"m","content":[{"type":"text","text":"whole"}],\n\n"stop_reason":"end_turn"}`;
    const result = await read({ headers: STREAM, response: [body], asEvents: true });
    expect(result.response).toMatchObject({ id: "msg_2", text: "whole" });
    expect(result.unreadable).toEqual([]);
  });

  it("does not parse a body that is already parsed", async () => {
    const json = { type: "message", id: "msg_3", content: [{ type: "text", text: "parsed" }] };
    const result = await read({ headers: JSON_TYPE, response: ["{not read"], json });
    expect(result.response).toMatchObject({ id: "msg_3", text: "parsed" });
  });

  it("reports a truncated response when the stream has no final event", async () => {
    const result = await read({ headers: STREAM, response: EVENTS.slice(0, 3) });
    expect(result.stats?.ended).toBe("truncated");
    expect(result.response).toMatchObject({ text: "hé👀", finished: false });
  });

  it.each(["client_gone", "upstream_error", "truncated"] as const)(
    "reports an exchange that ended as %s",
    async (ended) => {
      const result = await read({ headers: STREAM, response: EVENTS.slice(0, 2), ended });
      expect(result.stats?.ended).toBe(ended);
      expect(result.unreadable).toEqual([]);
    },
  );

  it("reports the end of an exchange without a response", async () => {
    const result = await read({ ended: "upstream_error" });
    expect(result.order).toEqual(["request", "end"]);
    expect(result.response).toBeUndefined();
    expect(result.stats).toMatchObject({ status: 0, size: 0, firstByteAt: undefined });
  });

  it("reports an error in a body and inside a stream", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const body = await read({ headers: JSON_TYPE, status: 529, response: [JSON.stringify(error)] });
    expect(body).toMatchObject({ stats: { status: 529 }, response: { error: "overloaded_error: Overloaded" } });
    const inside = await read({ headers: STREAM, response: [`event: error\ndata: ${JSON.stringify(error)}\n\n`] });
    expect(inside.response?.error).toBe("overloaded_error: Overloaded");
  });

  it("reports the exchange without a response when the body is not JSON", async () => {
    const result = await read({
      headers: { "content-type": "text/html" },
      status: 502,
      response: ["<html>bad gateway"],
    });
    expect(result.order).toEqual(["request", "end"]);
    expect(result.response).toBeUndefined();
    expect(result.stats?.status).toBe(502);
  });
});

describe("Exchange with a wrong content type", () => {
  it("reads a stream with the header of a JSON body", async () => {
    const result = await read({ headers: JSON_TYPE, response: EVENTS });
    expect(result.response).toMatchObject({ text: "hé👀", finished: true });
  });

  it("reads a JSON body with the header of a stream", async () => {
    const body = { id: "msg_1", type: "message", model: "m", content: [{ type: "text", text: "hi" }] };
    const result = await read({ headers: STREAM, response: [JSON.stringify(body)] });
    expect(result.response).toMatchObject({ id: "msg_1", text: "hi" });
    expect(result.stats?.ended).toBe("complete");
  });
});

describe("Exchange with unreadable data", () => {
  it.each<[string, Sent, RegExp]>([
    ["a request that is not JSON", { request: "{half" }, /^request: not JSON$/],
    ["a request of another API", { request: "[]" }, /^request: not of this API$/],
    ["a request that is not text", { request: Buffer.from([0xff, 0xfe, 0x00]) }, /^request: not JSON$/],
    ["a request in an unknown encoding", { requestEncoding: "rot13" }, /^request: unknown content-encoding$/],
    ["a request that does not match its encoding", { requestEncoding: "gzip" }, /^request: /],
    [
      "a response in an unknown encoding",
      { headers: { ...STREAM, "content-encoding": "rot13" }, response: EVENTS },
      /^response: unknown/,
    ],
    [
      "a response that does not match its encoding",
      { headers: { ...STREAM, "content-encoding": "gzip" }, response: EVENTS },
      /^response: /,
    ],
    [
      "an event that never ends",
      { headers: STREAM, response: [`data: ${"x".repeat(5 << 20)}`] },
      /^response: Event exceeds the limit/,
    ],
  ])("reports %s once and ends the exchange", async (_what, exchange, reason) => {
    const result = await read({ headers: STREAM, response: EVENTS, ...exchange });
    expect(result.unreadable).toHaveLength(1);
    expect(result.unreadable[0]).toMatch(reason);
    expect(result.order.at(-1)).toBe("end");
  });

  it.each<[string, Sent]>([
    ["a body", { headers: JSON_TYPE, response: Array.from({ length: 33 }, () => Buffer.alloc(1 << 20, "x")) }],
    [
      "a stream",
      { headers: STREAM, response: [...EVENTS, ...Array.from({ length: 33 }, () => `: ${"x".repeat(1 << 20)}\n\n`)] },
    ],
    [
      "a gzipped body",
      { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, response: [gzipSync(Buffer.alloc(33 << 20))] },
    ],
    [
      "a gzipped stream",
      {
        headers: { ...STREAM, "content-encoding": "gzip" },
        response: [gzipSync(`: ${"x".repeat(1 << 20)}\n\n`.repeat(33))],
      },
    ],
  ])("reports the exchange without its response when that is %s above 32 MiB", async (_what, exchange) => {
    const result = await read(exchange);
    expect(result.unreadable).toEqual(["response: too large"]);
    expect(result.order).toEqual(["request", "end"]);
    expect(result.response).toBeUndefined();
    expect(result.stats?.ended).toBe("complete");
  });

  it("reports a malformed body as unreadable only when the response is complete", async () => {
    expect((await read({ headers: JSON_TYPE, response: ['{"half'] })).unreadable).toEqual(["response: not JSON"]);
    expect((await read({ headers: JSON_TYPE, response: ['{"half'], ended: "truncated" })).unreadable).toEqual([]);
  });

  it("reports a request above 32 MiB as unreadable", async () => {
    const huge = JSON.stringify({ messages: [], filler: "x".repeat(33 << 20) });
    expect((await read({ request: huge, headers: STREAM, response: EVENTS })).unreadable).toEqual([
      "request: too large",
    ]);
  });
});
