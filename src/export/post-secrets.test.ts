import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postJson } from "./post.ts";

let server: Server;
let url: string;
let reply: { status: number; body: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(reply.status, { "content-type": "application/json" }).end(reply.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const headers = { authorization: "Basic aHVudGVyMjJodW50ZXIyMg==", "x-team": "hunter22-team" };
const post = async (status: number, body: string): Promise<string> => {
  reply = { status, body };
  return JSON.stringify(await postJson({ url, headers, timeoutMs: 5000 }, {}));
};

it("an error message of the target is reported without our credentials", async () => {
  const echo = 'no: Basic aHVudGVyMjJodW50ZXIyMg== (aHVudGVyMjJodW50ZXIyMg==) of hunter22-team, api_key="other22other"';
  for (const status of [400, 401, 413, 503]) {
    const reported = await post(status, echo);
    expect(reported).toContain(`HTTP ${status} (no: [secret] ([secret]) of [secret], api_key=`);
    expect(reported).not.toMatch(/hunter22|aHVud|other22/);
  }
  const partial = JSON.stringify({ partialSuccess: { rejectedSpans: 2, errorMessage: `for ${headers["x-team"]}` } });
  expect(await post(200, partial)).toContain("2 rejected (for [secret])");
});

it("an error message of the target is reported on one bounded line without control characters", async () => {
  const { reason } = JSON.parse(await post(400, `\u001b[2J\u009b1m bad\r\nthing ${"x".repeat(100_000)}`));
  expect(reason).toHaveLength("HTTP 400 ()".length + 200);
  expect(reason).toMatch(/^HTTP 400 \(\[2J 1m bad thing x+…\)$/);
});
