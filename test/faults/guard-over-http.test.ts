import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Upstream } from "../../src/demo/upstream/start-upstream.ts";
import { answer, say } from "../../src/demo/upstream/turn.ts";
import { send } from "../support/raw-http.ts";
import { type Running, startBoth } from "../support/running.ts";

const TOKEN = "0123456789abcdef-token";
const BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
const JSON_TYPE = { "content-type": "application/json" };

let both: Running & { readonly upstream: Upstream };
afterEach(() => both.close());

describe("without a token, on loopback", () => {
  beforeEach(async () => {
    both = await startBoth(() => answer(say("hi")));
  });

  it.each(["/v1/messages", "/api/ingest", "/api/summary", "/metrics", "/"])(
    "a rebound name is refused on %s and nothing reaches the upstream",
    async (path) => {
      const got = await send(`${both.url}${path}`, { headers: { ...JSON_TYPE, host: "evil.example:4100" } }, BODY);
      expect(got.status).toBe(403);
      expect(got.body.toString()).toContain("evil.example:4100");
      expect(both.upstream.requests).toHaveLength(0);
    },
  );

  it("a page of another site cannot post, not even to /v1", async () => {
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

  it("refusals are counted", async () => {
    await send(`${both.url}/`, { method: "GET", headers: { host: "evil.example" } });
    expect(await (await fetch(`${both.url}/metrics`)).text()).toContain('toolmend_proxy_refused_total{status="403"} 1');
  });
});

describe("with a token", () => {
  beforeEach(async () => {
    both = await startBoth(() => answer(say("hi")), { token: TOKEN });
  });

  it("nothing but the health checks answers without it", async () => {
    const status = async (path: string): Promise<number> =>
      (await send(`${both.url}${path}`, { method: "GET" })).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(200);
    for (const path of ["/", "/metrics", "/api/summary", "/v1/models", "/~wrong-token-0000000/v1/models"])
      expect(await status(path)).toBe(401);
    expect(both.upstream.requests).toHaveLength(0);
  });

  it.each([
    ["x-toolmend-token", "/v1/messages", { "x-toolmend-token": TOKEN, authorization: "Bearer provider-key" }],
    ["a bearer", "/v1/messages", { authorization: `Bearer ${TOKEN}`, "x-api-key": "provider-key" }],
    ["the base URL", `/~${TOKEN}/v1/messages`, { authorization: "Bearer provider-key" }],
  ])("%s opens the door and is stripped before forwarding; the provider's key is not", async (_name, path, headers) => {
    const got = await send(`${both.url}${path}`, { headers: { ...JSON_TYPE, ...headers } }, BODY);
    expect(got.status).toBe(200);
    const [received] = both.upstream.requests;
    expect(JSON.stringify([received?.url, received?.rawHeaders])).not.toContain(TOKEN);
    expect(received?.rawHeaders.join()).toContain("provider-key");
    expect(received?.url).toBe("/v1/messages");
  });

  it("a page opened with the token in its address keeps it in a cookie and loses it from the address", async () => {
    const first = await send(`${both.url}/~${TOKEN}/?range=7d`, { method: "GET" });
    expect([first.status, first.headers.location]).toEqual([303, "/?range=7d"]);
    const cookie = (first.headers["set-cookie"] as string[])[0] as string;
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const second = await send(`${both.url}/api/summary`, {
      method: "GET",
      headers: { cookie: cookie.split(";")[0] as string },
    });
    expect(second.status).toBe(200);
  });
});
