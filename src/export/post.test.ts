import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Destination, deleteAt, postJson, retryAfterMs } from "./post.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
});

async function answering(answer: (response: ServerResponse) => void): Promise<Destination> {
  server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, headers: { authorization: "Basic c2VjcmV0" }, timeoutMs: 300 };
}
const saying = (status: number, headers: Record<string, string> = {}, body = "") =>
  answering((response) => response.writeHead(status, headers).end(body));

describe("an answer of another system", () => {
  it.each([
    [200, { kind: "accepted" }],
    [400, { kind: "refused", reason: "HTTP 400 (why)", tooLarge: false }],
    [413, { kind: "refused", reason: "HTTP 413 (why)", tooLarge: true }],
    [401, { kind: "later", reason: "HTTP 401 (why)" }],
    [404, { kind: "later", reason: "HTTP 404 (why)" }],
    [429, { kind: "later", reason: "HTTP 429 (why)", busy: true }],
    [503, { kind: "later", reason: "HTTP 503 (why)" }],
    [302, { kind: "later", reason: "HTTP 302 (why)" }],
  ])("%i is read for what it says", async (status, read) => {
    expect(await postJson(await saying(status, {}, "why\n"), {})).toEqual(read);
  });

  it("with Retry-After asks for a pause, whatever its status", async () => {
    expect(await postJson(await saying(503, { "retry-after": "7" }), {})).toEqual({
      ...{ kind: "later", reason: "HTTP 503", busy: true, afterMs: 7000 },
    });
  });

  it("that a collector gives for a part is told", async () => {
    const body = '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}';
    expect(await postJson(await saying(200, {}, body), {})).toEqual({
      ...{ kind: "accepted", note: "2 rejected (too old)" },
    });
  });

  it("that does not come in time, or from nobody, may come later", async () => {
    const silent = await answering(() => undefined);
    expect(await postJson(silent, {})).toEqual({ kind: "later", reason: "no answer in time" });
    server?.close();
    server?.closeAllConnections();
    expect(await postJson(silent, {})).toEqual({ kind: "later", reason: "ECONNREFUSED" });
    expect(await postJson({ ...silent, url: "http://127.0.0.1:1/" }, {})).toEqual({
      ...{ kind: "later", reason: "the request could not be made (TypeError)" },
    });
  });

  it("to taking something back is good when it was not there", async () => {
    expect(await deleteAt(await saying(404))).toEqual({ kind: "accepted" });
    expect(await deleteAt(await saying(200))).toEqual({ kind: "accepted" });
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  it.each([
    ["5", 5000],
    [" 0 ", 0],
    ["Tue, 10 Mar 2026 12:00:30 GMT", 30_000],
    ["Tue, 10 Mar 2026 11:00:00 GMT", 0],
    ["999999999", 600_000],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("%j is %j ms", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
