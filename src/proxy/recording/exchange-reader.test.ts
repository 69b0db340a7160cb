import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { EventFramer } from "../../core/wire/event-framer.ts";
import type { DecodedRequest, DecodedResponse } from "../../core/wire/index.ts";
import { ExchangeReader, type ExchangeStats } from "./exchange-reader.ts";

interface Heard {
  readonly order: string[];
  readonly unreadable: string[];
  request?: DecodedRequest;
  answer?: DecodedResponse | undefined;
  figures?: ExchangeStats;
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

interface Exchange {
  readonly request?: string | Buffer;
  readonly requestEncoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: readonly (string | Buffer)[];
  /** The answer is told as events. */
  readonly cut?: boolean;
  /** What the answer says, as somebody has parsed it. */
  readonly json?: unknown;
  readonly status?: number;
  readonly ended?: ExchangeEnd;
}

/** One exchange, told to a reader as the forwarding tells it. */
async function read(exchange: Exchange): Promise<Heard> {
  const heard: Heard = { order: [], unreadable: [] };
  const reader = new ExchangeReader({
    api: "anthropic",
    requestEncoding: exchange.requestEncoding,
    now: () => 5,
    listener: {
      onRequest(request) {
        heard.order.push("request");
        heard.request = request;
      },
      onEnd(answer, figures) {
        heard.order.push("end");
        heard.answer = answer;
        heard.figures = figures;
      },
      onUnreadable: (reason) => heard.unreadable.push(reason),
    },
  });
  reader.requestChunk(Buffer.from(exchange.request ?? REQUEST));
  reader.requestEnd();
  if (exchange.headers !== undefined) {
    reader.responseHead({
      statusCode: exchange.status ?? 200,
      headers: exchange.headers,
    } as unknown as IncomingMessage);
    const framer = new EventFramer();
    for (const chunk of exchange.answer ?? []) {
      if (exchange.cut === true) reader.responseEvents(framer.push(Buffer.from(chunk)));
      else reader.responseChunk(Buffer.from(chunk));
    }
    reader.responseChunk(Buffer.from(framer.end()));
    if (exchange.json !== undefined) reader.responseJson(exchange.json);
  }
  reader.end(exchange.ended ?? "complete");
  for (let tries = 0; !heard.order.includes("end") && tries < 800; tries += 1) await wait(5);
  return heard;
}

describe("an exchange", () => {
  it("is told as its request and then its answer, with its figures", async () => {
    const heard = await read({ headers: STREAM, answer: EVENTS });
    expect(heard.order).toEqual(["request", "end"]);
    expect(heard.request).toMatchObject({ model: "m", streaming: true, firstUserText: "hello" });
    expect(heard.answer).toMatchObject({ id: "msg_1", text: "hé👀", finished: true });
    expect(heard.figures).toEqual({
      ...{ endedAt: 5, ended: "complete", status: 200, firstByteAt: 5 },
      size: Buffer.byteLength(EVENTS.join("")),
    });
    expect(heard.unreadable).toEqual([]);
  });

  it("is the same in single bytes", async () => {
    const bytes = Array.from(Buffer.from(EVENTS.join("")), (byte) => Buffer.of(byte));
    expect((await read({ headers: STREAM, answer: bytes })).answer).toMatchObject({ text: "hé👀", finished: true });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("is read through %s in both directions", async (encoding, encode) => {
    const heard = await read({
      request: encode(Buffer.from(REQUEST)),
      requestEncoding: encoding,
      headers: { ...STREAM, "content-encoding": encoding },
      answer: [encode(Buffer.from(EVENTS.join("")))],
    });
    expect(heard.order).toEqual(["request", "end"]);
    expect(heard.request?.firstUserText).toBe("hello");
    expect(heard.answer).toMatchObject({ text: "hé👀", finished: true });
  });

  it("is the same told as events that somebody has cut, with the same figures", async () => {
    const told = await read({ headers: STREAM, answer: EVENTS, cut: true });
    const { order, answer, figures, unreadable } = await read({ headers: STREAM, answer: EVENTS });
    expect({ ...told, request: undefined }).toEqual({ order, answer, figures, unreadable, request: undefined });
    expect(told.answer).toMatchObject({ id: "msg_1", text: "hé👀", finished: true });
  });

  it("is truncated when half an event is left of those that were cut, and counts its bytes", async () => {
    const half = EVENTS.join("").slice(0, -5);
    const heard = await read({ headers: STREAM, answer: [half], cut: true });
    expect(heard.figures).toMatchObject({ ended: "truncated", size: Buffer.byteLength(half) });
    expect(heard.answer).toMatchObject({ text: "hé👀", finished: false });
  });

  it("is a body although it has a stream's header and was cut at its empty lines", async () => {
    const body = `{\n\n"type":"message","id":"msg_2","model":"m","content":[{"type":"text","text":"whole"}],\n\n"stop_reason":"end_turn"}`;
    const heard = await read({ headers: STREAM, answer: [body], cut: true });
    expect(heard.answer).toMatchObject({ id: "msg_2", text: "whole" });
    expect(heard.unreadable).toEqual([]);
  });

  it("is not parsed again when somebody has parsed it", async () => {
    const json = { type: "message", id: "msg_3", content: [{ type: "text", text: "parsed" }] };
    const heard = await read({ headers: JSON_TYPE, answer: ["{not read"], json });
    expect(heard.answer).toMatchObject({ id: "msg_3", text: "parsed" });
  });

  it("is truncated when the stream ends before it said so", async () => {
    const heard = await read({ headers: STREAM, answer: EVENTS.slice(0, 3) });
    expect(heard.figures?.ended).toBe("truncated");
    expect(heard.answer).toMatchObject({ text: "hé👀", finished: false });
  });

  it.each(["client_gone", "upstream_error", "truncated"] as const)("that ends as %s is told as that", async (ended) => {
    const heard = await read({ headers: STREAM, answer: EVENTS.slice(0, 2), ended });
    expect(heard.figures?.ended).toBe(ended);
    expect(heard.unreadable).toEqual([]);
  });

  it("without any answer ends all the same", async () => {
    const heard = await read({ ended: "upstream_error" });
    expect(heard.order).toEqual(["request", "end"]);
    expect(heard.answer).toBeUndefined();
    expect(heard.figures).toMatchObject({ status: 0, size: 0, firstByteAt: undefined });
  });

  it("tells an error that came as a body or inside a stream", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const body = await read({ headers: JSON_TYPE, status: 529, answer: [JSON.stringify(error)] });
    expect(body).toMatchObject({ figures: { status: 529 }, answer: { error: "overloaded_error: Overloaded" } });
    const inside = await read({ headers: STREAM, answer: [`event: error\ndata: ${JSON.stringify(error)}\n\n`] });
    expect(inside.answer?.error).toBe("overloaded_error: Overloaded");
  });

  it("with an answer that is no JSON has no answer, and is still told", async () => {
    const heard = await read({ headers: { "content-type": "text/html" }, status: 502, answer: ["<html>bad gateway"] });
    expect(heard.order).toEqual(["request", "end"]);
    expect(heard.answer).toBeUndefined();
    expect(heard.figures?.status).toBe(502);
  });
});

describe("an answer with the wrong content type", () => {
  it("is read as the stream that it is", async () => {
    const heard = await read({ headers: JSON_TYPE, answer: EVENTS });
    expect(heard.answer).toMatchObject({ text: "hé👀", finished: true });
  });

  it("is read as the body that it is", async () => {
    const body = { id: "msg_1", type: "message", model: "m", content: [{ type: "text", text: "hi" }] };
    const heard = await read({ headers: STREAM, answer: [JSON.stringify(body)] });
    expect(heard.answer).toMatchObject({ id: "msg_1", text: "hi" });
    expect(heard.figures?.ended).toBe("complete");
  });
});

describe("what cannot be read", () => {
  it.each<[string, Exchange, RegExp]>([
    ["a request that is no JSON", { request: "{half" }, /^request: not JSON$/],
    ["a request of another API", { request: "[]" }, /^request: not of this API$/],
    ["a request in bytes that are no text", { request: Buffer.from([0xff, 0xfe, 0x00]) }, /^request: not JSON$/],
    ["a request in an unknown encoding", { requestEncoding: "rot13" }, /^request: unknown content-encoding$/],
    ["a request that is not what its encoding says", { requestEncoding: "gzip" }, /^request: /],
    [
      "an answer in an unknown encoding",
      { headers: { ...STREAM, "content-encoding": "rot13" }, answer: EVENTS },
      /^response: unknown/,
    ],
    [
      "an answer that is not what its encoding says",
      { headers: { ...STREAM, "content-encoding": "gzip" }, answer: EVENTS },
      /^response: /,
    ],
    [
      "an event without end",
      { headers: STREAM, answer: [`data: ${"x".repeat(5 << 20)}`] },
      /^response: an event of more than/,
    ],
  ])("%s is told once, and the exchange ends", async (_what, exchange, reason) => {
    const heard = await read({ headers: STREAM, answer: EVENTS, ...exchange });
    expect(heard.unreadable).toHaveLength(1);
    expect(heard.unreadable[0]).toMatch(reason);
    expect(heard.order.at(-1)).toBe("end");
  });

  it.each<[string, Exchange]>([
    ["a body", { headers: JSON_TYPE, answer: Array.from({ length: 33 }, () => Buffer.alloc(1 << 20, "x")) }],
    [
      "a stream",
      { headers: STREAM, answer: [...EVENTS, ...Array.from({ length: 33 }, () => `: ${"x".repeat(1 << 20)}\n\n`)] },
    ],
    [
      "a gzipped body",
      { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, answer: [gzipSync(Buffer.alloc(33 << 20))] },
    ],
    [
      "a gzipped stream",
      {
        headers: { ...STREAM, "content-encoding": "gzip" },
        answer: [gzipSync(`: ${"x".repeat(1 << 20)}\n\n`.repeat(33))],
      },
    ],
  ])("is the answer when it is %s beyond 32 MB, and the exchange is told without it", async (_what, exchange) => {
    const heard = await read(exchange);
    expect(heard.unreadable).toEqual(["response: too large"]);
    expect(heard.order).toEqual(["request", "end"]);
    expect(heard.answer).toBeUndefined();
    expect(heard.figures?.ended).toBe("complete");
  });

  it("is an answer that ended well and makes no sense", async () => {
    expect((await read({ headers: JSON_TYPE, answer: ['{"half'] })).unreadable).toEqual(["response: not JSON"]);
    expect((await read({ headers: JSON_TYPE, answer: ['{"half'], ended: "truncated" })).unreadable).toEqual([]);
  });

  it("is a body beyond 32 MB", async () => {
    const huge = JSON.stringify({ messages: [], filler: "x".repeat(33 << 20) });
    expect((await read({ request: huge, headers: STREAM, answer: EVENTS })).unreadable).toEqual(["request: too large"]);
  });
});
