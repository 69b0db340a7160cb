import http from "node:http";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { notRun } from "../support/not-run.ts";
import { send } from "../support/raw-http.ts";
import { type Running, startBoth } from "../support/running.ts";
import type { Upstream } from "../support/upstream/start-upstream.ts";
import { respond, say } from "../support/upstream/turn.ts";

const TOKEN = "0123456789abcdef-token";
const BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
const JSON_TYPE = { "content-type": "application/json" };

/** Sends the path exactly as written, without normalization. */
function sendTo(options: http.RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", ...options }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(body);
  });
}

let both: Running & { readonly upstream: Upstream };
afterEach(() => both.close());

describe("without a token, on loopback", () => {
  beforeEach(async () => {
    both = await startBoth(() => respond(say("hi")));
  });

  it.each(["/v1/messages", "/api/ingest", "/api/summary", "/metrics", "/"])(
    "a rebound host name is rejected on %s and nothing reaches the upstream",
    async (path) => {
      const got = await send(`${both.url}${path}`, { headers: { ...JSON_TYPE, host: "evil.example:4100" } }, BODY);
      expect(got.status).toBe(403);
      expect(got.body.toString()).toContain("evil.example:4100");
      expect(both.upstream.requests).toHaveLength(0);
    },
  );

  it("a cross-site page cannot post, not even to /v1", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const got = await send(`${both.url}/v1/messages`, { headers: { ...JSON_TYPE, ...headers } }, BODY);
      expect(got.status).toBe(403);
    }
    expect(both.upstream.requests).toHaveLength(0);
  });

  it("an HTML form cannot post to /api", async () => {
    const got = await send(`${both.url}/api/ingest`, { headers: { "content-type": "text/plain" } }, BODY);
    expect(got.status).toBe(415);
  });

  it.each(["//x/api/ingest", "/\\x/api/ingest", "/x/../api/ingest", "/x/%2e%2e/api/ingest", "/./api/ingest"])(
    "no other spelling of a path bypasses the guard: %s",
    async (path) => {
      const line = '{"session_id":"s","tool_call_id":"t","content":"x"}';
      const { port } = new URL(both.url);
      const got = await sendTo({ port, path, method: "POST", headers: { "content-type": "text/plain" } }, line);
      expect(got).toBe(404);
      expect(await (await fetch(`${both.url}/api/sessions`)).json()).toEqual({ rows: [] });
    },
  );

  it.each([
    ["POST", "/api/export"],
    ["POST", "/api/settings/repair"],
    ["POST", "/hooks/claude-code"],
    ["DELETE", "/api/sessions?older=1d"],
    ["DELETE", "/api/sessions/s1"],
  ])("%s %s accepts only same-site JSON", async (method, path) => {
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await send(both.url + path, { method, headers }, method === "POST" ? "{}" : "")).status;
    expect(await status({ "content-type": "text/plain" })).toBe(415);
    expect(await status({ "content-type": "multipart/form-data; boundary=x" })).toBe(415);
    expect(await status({ ...JSON_TYPE, origin: "https://evil.example" })).toBe(403);
    expect(await status({ ...JSON_TYPE, origin: "null" })).toBe(403);
    expect(await status({ ...JSON_TYPE, origin: "http://localhost:1" })).toBe(403);
    expect(await status({ ...JSON_TYPE, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ ...JSON_TYPE, host: "evil.example" })).toBe(403);
    expect([200, 400, 404]).toContain(await status(JSON_TYPE));
  });

  it("responses are readable only by same-origin pages and declare their content type", async () => {
    for (const path of ["/api/summary", "/api/nothing"]) {
      const { headers } = await send(both.url + path, { method: "GET" });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  it("rejections are counted", async () => {
    await send(`${both.url}/`, { method: "GET", headers: { host: "evil.example" } });
    expect(await (await fetch(`${both.url}/metrics`)).text()).toContain('toolmend_proxy_refused_total{status="403"} 1');
  });
});

describe("with a token", () => {
  beforeEach(async () => {
    both = await startBoth(() => respond(say("hi")), { token: TOKEN });
  });

  it("the server rejects every path without it, except the health checks", async () => {
    const status = async (path: string): Promise<number> =>
      (await send(`${both.url}${path}`, { method: "GET" })).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(200);
    for (const path of ["/", "/metrics", "/api/summary", "/v1/models", "/~wrong-token-0000000/v1/models"])
      expect(await status(path)).toBe(401);
    for (const path of ["//healthz", "/healthz/../api/summary", "/healthz?/api/summary", "/api/live", "/api/export"])
      expect([path, await status(path)]).toEqual([path, path.startsWith("/healthz?") ? 200 : 401]);
    for (const [method, path] of [
      ["POST", "/hooks/claude-code"],
      ["POST", "/api/ingest"],
      ["DELETE", "/api/sessions/x"],
    ])
      expect((await send(`${both.url}${path}`, { method, headers: JSON_TYPE })).status).toBe(401);
    expect(both.upstream.requests).toHaveLength(0);
  });

  it.each([
    ["x-toolmend-token", "/v1/messages", { "x-toolmend-token": TOKEN, authorization: "Bearer provider-key" }],
    ["a bearer", "/v1/messages", { authorization: `Bearer ${TOKEN}`, "x-api-key": "provider-key" }],
    ["the base URL", `/~${TOKEN}/v1/messages`, { authorization: "Bearer provider-key" }],
  ])("%s grants access and is removed before forwarding; the provider's key is not", async (_name, path, headers) => {
    const got = await send(`${both.url}${path}`, { headers: { ...JSON_TYPE, ...headers } }, BODY);
    expect(got.status).toBe(200);
    const [received] = both.upstream.requests;
    expect(JSON.stringify([received?.url, received?.rawHeaders])).not.toContain(TOKEN);
    expect(received?.rawHeaders.join()).toContain("provider-key");
    expect(received?.url).toBe("/v1/messages");
  });

  it("a page opened with the token in its URL stores it in a cookie and removes it from the URL", async () => {
    const first = await send(`${both.url}/~${TOKEN}/?range=7d`, { method: "GET" });
    expect([first.status, first.headers.location]).toEqual([303, "/?range=7d"]);
    const elsewhere = await send(`${both.url}/~${TOKEN}//evil.example/x`, { method: "GET" });
    expect(elsewhere.headers.location).toBe("/evil.example/x");
    const cookie = (first.headers["set-cookie"] as string[])[0] as string;
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const second = await send(`${both.url}/api/summary`, {
      method: "GET",
      headers: { cookie: cookie.split(";")[0] as string },
    });
    expect(second.status).toBe(200);
  });
});

describe("on all addresses", () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.internal === false && one.family === "IPv4")?.address;
  beforeEach(async () => {
    both = await startBoth(() => respond(say("hi")), { host: "0.0.0.0", token: TOKEN });
  });

  it.skipIf(address === undefined)(
    `the address that the client connected to is an accepted host${notRun(address === undefined ? "this machine has loopback alone" : undefined)}`,
    async () => {
      const { port } = new URL(both.url);
      const status = (path: string, headers: http.OutgoingHttpHeaders): Promise<number> =>
        sendTo({ host: address, port, path, headers }, "");
      expect(await status("/healthz", {})).toBe(200);
      expect(await status("/metrics", { "x-toolmend-token": TOKEN })).toBe(200);
      expect(await status("/metrics", {})).toBe(401);
      expect(await status("/healthz", { host: "evil.example" })).toBe(403);
      // Another address of the network is not the one the client connected to.
      expect(await status("/healthz", { host: "198.51.100.77:4100" })).toBe(403);
    },
  );
});
