import { once } from "node:events";
import http from "node:http";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createAgents } from "../../src/proxy/forward/upstream-request.ts";
import { freePort } from "../support/free-port.ts";
import { send } from "../support/raw-http.ts";
import { startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { respond, say } from "../support/upstream/turn.ts";

const { open: keep } = closeAfterEach();

const JSON_TYPE = { "content-type": "application/json" };
const BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });

describe("an upstream's key from the environment", () => {
  const withKey = async (): Promise<readonly [url: string, headers: () => string]> => {
    const upstream = await keep(startUpstream({ script: () => respond(say("hi")) }));
    const named = (name: string, url: string): [string, { name: string; url: URL; key: string }] => [
      name,
      { name, url: new URL(url), key: `key-of-${name}` },
    ];
    const upstreams = new Map([named("anthropic", upstream.url), named("openai", `${upstream.url}/v1`)]);
    const { url } = await keep(startInFrontOf(upstream.url, { upstreams }));
    return [url, () => upstream.requests.at(-1)?.rawHeaders.join("|") ?? ""];
  };

  it("an upstream's key authorizes a local client that sends none, in the API's own header", async () => {
    const [url, headers] = await withKey();
    await send(`${url}/v1/messages`, { headers: JSON_TYPE }, BODY);
    expect(headers()).toContain("x-api-key|key-of-anthropic");
    await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, BODY);
    expect(headers()).toContain("authorization|Bearer key-of-openai");
  });

  it("an upstream's key never replaces the client's own key", async () => {
    const [url, headers] = await withKey();
    await send(`${url}/v1/messages`, { headers: { ...JSON_TYPE, "x-api-key": "mine" } }, BODY);
    expect(headers()).toContain("x-api-key|mine");
    expect(headers()).not.toContain("key-of");
    for (const own of ["authorization", "api-key", "x-goog-api-key"]) {
      await send(`${url}/v1/messages`, { headers: { ...JSON_TYPE, [own]: "mine" } }, BODY);
      expect(headers()).toContain(`${own}|mine`);
      expect(headers()).not.toContain("key-of");
    }
  });
});

describe("credentials in an upstream's URL", () => {
  it("credentials in an upstream's URL authorize clients that send no key, as in any HTTP client", async () => {
    const upstream = await keep(startUpstream({ script: () => respond(say("hi")) }));
    const address = new URL(`${upstream.url}/v1`);
    [address.username, address.password] = ["ann", "p@ss"];
    const upstreams = new Map([["own", { name: "own", url: address }]]);
    const { url } = await keep(startInFrontOf(upstream.url, { upstreams }));
    const sent = (): string => upstream.requests.at(-1)?.rawHeaders.join("|") ?? "";
    await send(`${url}/own/v1/chat/completions`, { headers: JSON_TYPE }, BODY);
    expect(sent()).toContain("authorization|Basic YW5uOnBAc3M=");
    await send(`${url}/own/v1/chat/completions`, { headers: { ...JSON_TYPE, authorization: "Bearer mine" } }, BODY);
    expect(sent()).not.toContain("Basic");
  });
});

describe("an upstream URL that points back to Toolmend", () => {
  it("an upstream URL that points back to Toolmend gets a 508 instead of looping", async () => {
    const target = await keep(startUpstream({ script: () => respond(say("hi")) }));
    const port = await freePort();
    const { url } = await keep(
      startInFrontOf(target.url, {
        port,
        upstreams: new Map([["anthropic", { name: "anthropic", url: new URL(`http://127.0.0.1:${port}`) }]]),
      }),
    );
    const got = await send(`${url}/v1/messages`, { headers: JSON_TYPE }, BODY);
    expect(got.status).toBe(508);
    expect(got.body.toString()).toContain("points back to this Toolmend server");
  });

  it("the message names the upstream with that URL, not the one of the path that came back", async () => {
    const target = await keep(startUpstream({ script: () => respond(say("hi")) }));
    const port = await freePort();
    const self = { name: "self", url: new URL(`http://127.0.0.1:${port}`) };
    const openai = { name: "openai", url: new URL(target.url) };
    const upstreams = new Map([self, openai].map((one) => [one.name, one]));
    const { url } = await keep(startInFrontOf(target.url, { port, upstreams }));
    const got = await send(`${url}/self/v1/chat/completions`, { headers: JSON_TYPE }, BODY);
    expect(got.status).toBe(508);
    expect(got.body.toString()).toContain("The upstream self points back");
  });

  it("two chained proxies are not a loop", async () => {
    const target = await keep(startUpstream({ script: () => respond(say("hi")) }));
    const inner = await keep(startInFrontOf(target.url));
    const outer = await keep(startInFrontOf(inner.url));
    expect((await send(`${outer.url}/v1/messages`, { headers: JSON_TYPE }, BODY)).status).toBe(200);
  });
});

describe("the corporate proxy", () => {
  it("the corporate proxy receives upstream requests when HTTP_PROXY is set, but not those to hosts in NO_PROXY", async () => {
    const requests: string[] = [];
    const corporate = http.createServer((request, response) => {
      requests.push(request.url ?? "");
      response.end("from the corporate proxy");
    });
    corporate.on("connect", (request, socket: net.Socket) => {
      requests.push(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 502 no\r\n\r\n");
    });
    corporate.listen(0, "127.0.0.1");
    await once(corporate, "listening");
    const proxy = `http://127.0.0.1:${(corporate.address() as AddressInfo).port}`;
    const agents = createAgents({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.1" });
    const get = (url: string): Promise<string> =>
      new Promise((resolve) => {
        http
          .get(url, { agent: agents.http }, (response) => {
            response.setEncoding("utf8");
            response.on("data", resolve);
          })
          .on("error", (error) => resolve(error.message));
      });
    expect(await get("http://somewhere.invalid/v1/models")).toBe("from the corporate proxy");
    expect(requests).toEqual(["http://somewhere.invalid/v1/models"]);
    const target = await keep(startUpstream({ script: () => respond(say("hi")) }));
    expect(await get(`${target.url}/v1/models`)).toContain("data");
    expect(requests).toHaveLength(1);
    agents.http.destroy();
    corporate.close();
  });
});

describe("a path with an unknown upstream name", () => {
  it("an unknown upstream name gets a 404 in the API's error shape that lists the upstreams, for any method", async () => {
    const { url } = await keep(startInFrontOf("http://127.0.0.1:1"));
    const message =
      'Upstream "nosuch" not found. Configured: anthropic, openai, gemini, ollama. Add one with --upstream NAME=URL.';
    for (const method of ["GET", "POST"]) {
      const got = await fetch(`${url}/nosuch/v1/chat/completions?x=1`, { method, headers: JSON_TYPE });
      expect([got.status, got.headers.get("content-type")]).toEqual([404, "application/json"]);
      expect(await got.json()).toEqual({
        error: { message, type: "invalid_request_error", param: null, code: null },
      });
    }
    const response = await fetch(`${url}/nosuch/v1/messages`, { method: "POST", headers: JSON_TYPE, body: BODY });
    expect(await response.json()).toEqual({ type: "error", error: { type: "invalid_request_error", message } });
  });

  it("a dashboard page is not mistaken for an upstream, and the 404 does not repeat a token in the path", async () => {
    const { url } = await keep(startInFrontOf("http://127.0.0.1:1"));
    for (const path of ["/sessions/v1", "/sessions/v1%2Fmodels", "/nosuch"])
      expect(await (await fetch(`${url}${path}`)).text()).not.toContain("not found. Configured:");
    const text = await (await fetch(`${url}/~meant-to-be-secret/v1/models`)).text();
    expect(text).toContain("not found. Configured:");
    expect(text).not.toContain("secret");
  });
});
