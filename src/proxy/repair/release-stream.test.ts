import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createStreamRepairer } from "../../core/repair/index.ts";
import type { ResponseProgress } from "../forward.ts";
import { sendRepairedBody } from "./repair-body.ts";
import { sendRepairedStream } from "./repair-stream.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const progress: ResponseProgress = { begun: () => undefined, end: () => undefined, bind: (callback) => callback };

function ends(type: string): { readonly answer: IncomingMessage; readonly response: ServerResponse } {
  const head = { statusCode: 200, statusMessage: "OK", rawHeaders: [], headers: { "content-type": type } };
  const answer = Object.assign(new PassThrough(), head) as unknown as IncomingMessage;
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined, flushHeaders: () => undefined });
  response.resume();
  return { answer, response: response as unknown as ServerResponse };
}

/** A connection keeps both ends of its last answer, and their listeners, until the next request. */
async function isGone(given: WeakRef<object>, answer: IncomingMessage, body: string): Promise<boolean> {
  (answer as unknown as PassThrough).end(body);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  collect();
  await nextTurn();
  collect();
  return given.deref() === undefined && answer.listenerCount("data") > 0;
}

it("a stream that has ended holds nothing of what was to be mended in it", async () => {
  const { answer, response } = ends("text/event-stream");
  const begin = (): WeakRef<object> => {
    const tools = [{ name: "read" }];
    const mender = createStreamRepairer("chat", {
      tools,
      names: "known",
      context: () => [],
      parallel: true,
      letters: () => "",
    });
    sendRepairedStream(answer, response, undefined, progress, {
      repairer: mender,
      keepAliveMs: 1000,
      onEnd: () => undefined,
    });
    return new WeakRef(tools);
  };
  expect(await isGone(begin(), answer, 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n')).toBe(true);
  expect(response.writableEnded).toBe(true);
});

it("a body that has ended holds nothing of what was to be mended in it", async () => {
  const { answer, response } = ends("application/json");
  const begin = (): WeakRef<object> => {
    const known = { text: "x".repeat(1000) };
    const mend = () => ({ kind: "unchanged", json: known.text.length }) as const;
    sendRepairedBody(answer, response, undefined, progress, { repair: mend, limit: 1 << 20 });
    return new WeakRef(known);
  };
  expect(await isGone(begin(), answer, "{}")).toBe(true);
  expect(response.writableEnded).toBe(true);
});
