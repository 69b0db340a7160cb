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

async function serverWith(handler: (response: ServerResponse) => void): Promise<Destination> {
  server = createServer((request, response) => {
    request.resume();
    request.on("end", () => handler(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, headers: { authorization: "Basic c2VjcmV0" }, timeoutMs: 30_000 };
}
const serverReturning = (status: number, headers: Record<string, string> = {}, body = "") =>
  serverWith((response) => response.writeHead(status, headers).end(body));

describe("the response of a target", () => {
  it.each([
    [200, { kind: "accepted" }],
    [400, { kind: "refused", reason: "HTTP 400 (why)", tooLarge: false }],
    [413, { kind: "refused", reason: "HTTP 413 (why)", tooLarge: true }],
    [401, { kind: "later", reason: "HTTP 401 (why)" }],
    [404, { kind: "later", reason: "HTTP 404 (why)" }],
    [429, { kind: "later", reason: "HTTP 429 (why)", busy: true }],
    [503, { kind: "later", reason: "HTTP 503 (why)" }],
    [302, { kind: "later", reason: "HTTP 302 (why)" }],
  ])("status %i maps to a result", async (status, read) => {
    expect(await postJson(await serverReturning(status, {}, "why\n"), {})).toEqual(read);
  });

  it.each(["text/html", "text/html; charset=utf-8"])(
    "a page (%s) is not the API: nothing was delivered",
    async (type) => {
      const page = "<html><body>Please sign in</body></html>";
      expect(await postJson(await serverReturning(200, { "content-type": type }, page), {})).toEqual({
        ...{ kind: "later", reason: "HTTP 200 with a web page instead of the API's response" },
      });
    },
  );

  it("Retry-After requests a pause, with any status", async () => {
    expect(await postJson(await serverReturning(503, { "retry-after": "7" }), {})).toEqual({
      ...{ kind: "later", reason: "HTTP 503", busy: true, afterMs: 7000 },
    });
  });

  it("partial success of a collector is reported", async () => {
    const body = '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}';
    expect(await postJson(await serverReturning(200, {}, body), {})).toEqual({
      ...{ kind: "accepted", note: "2 rejected (too old)" },
    });
  });

  it("a timeout and a refused connection are retried later", async () => {
    const silent = { ...(await serverWith(() => undefined)), timeoutMs: 300 };
    expect(await postJson(silent, {})).toEqual({ kind: "later", reason: "the request timed out" });
    server?.close();
    server?.closeAllConnections();
    expect(await postJson(silent, {})).toEqual({ kind: "later", reason: "ECONNREFUSED" });
    expect(await postJson({ ...silent, url: "http://127.0.0.1:1/" }, {})).toEqual({
      ...{ kind: "later", reason: "the request failed (TypeError)" },
    });
  });

  it("deleting a resource that does not exist succeeds", async () => {
    expect(await deleteAt(await serverReturning(404))).toEqual({ kind: "accepted" });
    expect(await deleteAt(await serverReturning(200))).toEqual({ kind: "accepted" });
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
  ])("a Retry-After of %j means %j ms", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
