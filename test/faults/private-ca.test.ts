import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { send } from "../support/raw-http.ts";
import { spawnServer } from "../support/server-process.ts";

const file = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
const RESPONSE_BODY = '{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * Sends a request to an upstream whose certificate is signed by a private CA, through a server with this environment.
 */
async function sendRequest(environment: Readonly<Record<string, string>>): Promise<{ status: number; body: string }> {
  const upstream = https.createServer(
    { cert: readFileSync(file("server.pem")), key: readFileSync(file("server-key.pem")) },
    (request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end(RESPONSE_BODY);
    },
  );
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  closing.push(async () => {
    upstream.closeAllConnections();
    await once(upstream.close(), "close");
  });
  const data = mkdtempSync(join(tmpdir(), "toolmend-authority-"));
  closing.push(async () => rmSync(data, { recursive: true, force: true }));
  const url = `https://localhost:${(upstream.address() as AddressInfo).port}`;
  const server = await spawnServer(data, url, 0, environment);
  closing.push(() => server.kill("SIGTERM"));
  const got = await send(
    `http://127.0.0.1:${server.port}/v1/messages`,
    { headers: { "content-type": "application/json" } },
    BODY,
  );
  return { status: got.status, body: got.body.toString() };
}

describe("an upstream with a certificate of a private CA", () => {
  it("a certificate of a private CA works when NODE_EXTRA_CA_CERTS names the CA", async () => {
    expect(await sendRequest({ NODE_EXTRA_CA_CERTS: file("authority.pem") })).toEqual({
      status: 200,
      body: RESPONSE_BODY,
    });
  });

  it("a certificate of a private CA gets a 502 otherwise, and the response explains what to do", async () => {
    const { status, body } = await sendRequest({ NODE_EXTRA_CA_CERTS: "" });
    expect(status).toBe(502);
    expect(body).toContain("could not reach anthropic");
    expect(body).toContain("NODE_EXTRA_CA_CERTS");
  });
});
