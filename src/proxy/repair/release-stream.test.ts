import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createStreamRepairer } from "../../core/repair/index.ts";
import type { ResponseProgress } from "../forward/forwarded-exchange.ts";
import { sendRepairedBody } from "./repair-body.ts";
import { sendRepairedStream } from "./repair-stream.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const progress: ResponseProgress = { begun: () => undefined, end: () => undefined, bind: (callback) => callback };

function createResponses(type: string): {
  readonly upstreamResponse: IncomingMessage;
  readonly response: ServerResponse;
} {
  const head = {
    statusCode: 200,
    statusMessage: "OK",
    rawHeaders: [],
    rawTrailers: [],
    headers: { "content-type": type },
  };
  const upstreamResponse = Object.assign(new PassThrough(), head) as unknown as IncomingMessage;
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined, flushHeaders: () => undefined });
  response.resume();
  return { upstreamResponse, response: response as unknown as ServerResponse };
}

/**
 * Whether an object is collected although both responses, which a connection references until its next request, are
 * not.
 */
async function isCollected(ref: WeakRef<object>, upstreamResponse: IncomingMessage, body: string): Promise<boolean> {
  (upstreamResponse as unknown as PassThrough).end(body);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  collect();
  await nextTurn();
  collect();
  return ref.deref() === undefined && upstreamResponse.listenerCount("data") > 0;
}

it("a finished stream releases the tools of its request", async () => {
  const { upstreamResponse, response } = createResponses("text/event-stream");
  const begin = (): WeakRef<object> => {
    const tools = [{ name: "read" }];
    const repairer = createStreamRepairer("chat", {
      tools,
      names: "known",
      context: () => [],
      parallel: true,
      randomAlphanumeric: () => "",
    });
    sendRepairedStream(upstreamResponse, response, undefined, progress, {
      repairer,
      keepAliveMs: 1000,
      onEnd: () => undefined,
    });
    return new WeakRef(tools);
  };
  expect(
    await isCollected(begin(), upstreamResponse, 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n'),
  ).toBe(true);
  expect(response.writableEnded).toBe(true);
});

it("a finished JSON body releases its repair function", async () => {
  const { upstreamResponse, response } = createResponses("application/json");
  const begin = (): WeakRef<object> => {
    const known = { text: "x".repeat(1000) };
    const repair = () => ({ kind: "unchanged", json: known.text.length }) as const;
    sendRepairedBody(upstreamResponse, response, undefined, progress, { repair, limit: 1 << 20 });
    return new WeakRef(known);
  };
  expect(await isCollected(begin(), upstreamResponse, "{}")).toBe(true);
  expect(response.writableEnded).toBe(true);
});
