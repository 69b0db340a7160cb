import { describe, expect, it } from "vitest";
import { type AccessDecision, type AccessSettings, checkAccess, isLoopback } from "./access-control.ts";

const LOCAL: AccessSettings = { host: "127.0.0.1", port: 4100, allowedHosts: [] };
const TOKEN = "a-token-of-24-characters";
const OPEN: AccessSettings = { host: "192.168.1.5", port: 4100, allowedHosts: [], token: TOKEN };

type RequestFields = {
  readonly method?: string;
  readonly path?: string;
  readonly [header: string]: string | undefined;
};

function decide(
  { method = "POST", path = "/v1/messages", ...headers }: RequestFields,
  settings = LOCAL,
): AccessDecision {
  return checkAccess({ method, path, header: (name) => headers[name] }, settings);
}
const statusOf = (fields: RequestFields, settings?: AccessSettings): number | "pass" => {
  const decision = decide(fields, settings);
  return decision.kind === "pass" ? "pass" : decision.status;
};

describe("checkAccess with a Host header", () => {
  it.each([
    ["127.0.0.1:4100", "pass"],
    ["127.0.0.1", "pass"],
    ["127.9.8.7:1", "pass"],
    ["localhost:4100", "pass"],
    ["LOCALHOST:4100", "pass"],
    ["[::1]:4100", "pass"],
    ["[::1]", "pass"],
    ["evil.example", 403],
    ["evil.example:4100", 403],
    ["127.0.0.1.evil.example:4100", 403],
    ["localhost.evil.example", 403],
    ["evil.example#127.0.0.1", 403],
    ["127.0.0.1@evil.example", 403],
    ["0.0.0.0:4100", 403],
    ["192.168.1.5:4100", 403],
    ["", 403],
    [undefined, 403],
  ] as const)("decides on Host %s on loopback: %s", (host, expected) => {
    expect(statusOf({ host })).toBe(expected);
  });

  it("accepts the bound address and configured names in any letter case", () => {
    const settings = { ...LOCAL, host: "10.0.0.7", allowedHosts: ["box.lan", "Team.Example"] };
    for (const host of ["10.0.0.7:4100", "box.lan", "BOX.lan:80", "team.example", "Team.Example:443", "localhost"]) {
      expect([host, statusOf({ host }, settings)]).toEqual([host, "pass"]);
    }
    expect(statusOf({ host: "other.lan" }, settings)).toBe(403);
  });

  it("accepts a bound IPv6 address, which Host writes in brackets", () => {
    const settings = { ...LOCAL, host: "fd00::7" };
    expect(statusOf({ host: "[fd00::7]:4100" }, settings)).toBe("pass");
    expect(statusOf({ host: "[fd00::8]:4100" }, settings)).toBe(403);
  });

  const ALL = { ...LOCAL, host: "0.0.0.0" };
  it.each([
    ["10.0.0.7:4100", "10.0.0.7", "pass"],
    ["10.0.0.7", "::ffff:10.0.0.7", "pass"],
    ["[::ffff:10.0.0.7]:4100", "10.0.0.7", "pass"],
    ["[2001:DB8:0:0::7]:4100", "2001:db8::7", "pass"],
    ["[fe80::7]:4100", "fe80::7%eth0", "pass"],
    ["10.0.0.8:4100", "10.0.0.7", 403],
    ["[2001:db8::8]:4100", "2001:db8::7", 403],
    ["evil.example:4100", "10.0.0.7", 403],
    ["10.0.0.7.evil.example", "10.0.0.7", 403],
    ["010.0.0.7", "10.0.0.7", 403],
    ["[10.0.0.7", "10.0.0.7", 403],
    ["10.0.0.7:4100", undefined, 403],
  ] as const)("decides on Host %s for a connection to the local address %s: %s", (host, localAddress, expected) => {
    const decision = checkAccess(
      { method: "GET", path: "/healthz", header: (name) => ({ host })[name], localAddress: () => localAddress },
      { ...ALL, host: localAddress?.includes(":") ? "::" : "0.0.0.0" },
    );
    expect(decision.kind === "pass" ? "pass" : decision.status).toBe(expected);
  });

  it("accepts an Origin with the connection's local address only on the server's port", () => {
    const from = (origin: string): string => {
      const headers: Record<string, string> = { host: "10.0.0.7:4100", origin };
      const head = { method: "POST", path: "/v1/messages", header: (name: string) => headers[name] };
      return checkAccess({ ...head, localAddress: () => "10.0.0.7" }, ALL).kind;
    };
    expect(from("http://10.0.0.7:4100")).toBe("pass");
    expect(from("http://10.0.0.7:3000")).toBe("refuse");
    expect(from("http://10.0.0.8:4100")).toBe("refuse");
  });

  it("repeats a rejected Host in the reason, truncated and without control characters", () => {
    const decision = decide({ host: `\u001b[31m${"x".repeat(500)}` });
    expect(decision).toMatchObject({ kind: "refuse", status: 403 });
    const { reason } = decision as { reason: string };
    expect(reason).toContain('Host "?[31mxxx');
    expect(reason.length).toBeLessThan(200);
  });
});

describe("checkAccess with Origin and Sec-Fetch-Site headers", () => {
  it.each([
    [{ origin: "http://127.0.0.1:4100" }, "pass"],
    [{ origin: "http://localhost:4100" }, "pass"],
    [{ origin: "http://[::1]:4100" }, "pass"],
    [{ origin: "http://localhost:3000" }, 403],
    [{ origin: "http://localhost" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "http://evil.example:4100" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "" }, 403],
    [{ origin: "file://" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-origin" }, "pass"],
    [{ "sec-fetch-site": "none" }, "pass"],
    [{}, "pass"],
  ] as const)("decides on %j: %s", (headers, expected) => {
    expect(statusOf({ host: "127.0.0.1:4100", ...headers })).toBe(expected);
    expect(statusOf({ host: "127.0.0.1:4100", method: "GET", path: "/", ...headers })).toBe(expected);
  });

  it("accepts an Origin with a configured name on any port, as behind a reverse proxy", () => {
    const settings = { ...LOCAL, allowedHosts: ["box.lan"] };
    expect(statusOf({ host: "box.lan", origin: "https://box.lan" }, settings)).toBe("pass");
    expect(statusOf({ host: "box.lan", origin: "https://other.lan" }, settings)).toBe(403);
  });
});

describe("checkAccess with a content type", () => {
  it.each([
    ["POST", "/api/ingest", "application/json", "pass"],
    ["POST", "/api/ingest", "application/json; charset=utf-8", "pass"],
    ["POST", "/api/ingest", "Application/X-NDJSON", "pass"],
    ["POST", "/api/ingest", "application/jsonl", "pass"],
    ["POST", "/api/ingest", "text/plain", 415],
    ["POST", "/api/ingest", "application/x-www-form-urlencoded", 415],
    ["POST", "/api/ingest", "multipart/form-data; boundary=application/json", 415],
    ["POST", "/api/ingest", undefined, 415],
    ["POST", "/api", "text/plain", 415],
    ["POST", "/hooks/claude-code", "text/plain", 415],
    ["POST", "/hooks/claude-code", "application/json", "pass"],
    ["GET", "/api/tools", undefined, "pass"],
    ["POST", "/api/chat", "application/x-www-form-urlencoded", "pass"],
    ["POST", "/api/generate", undefined, "pass"],
    ["POST", "/api/chat/x", "text/plain", 415],
    ["POST", "/v1/messages", "text/plain", "pass"],
    ["POST", "/apis/x", "text/plain", "pass"],
  ] as const)("decides on %s %s with %s: %s", (method, path, type, expected) => {
    expect(statusOf({ host: "localhost", method, path, "content-type": type })).toBe(expected);
  });
});

it("checkAccess refuses pages of other sites on Ollama's paths", () => {
  const request = { path: "/api/chat", "content-type": "text/plain" };
  expect(statusOf({ ...request, host: "evil.example" })).toBe(403);
  expect(statusOf({ ...request, host: "localhost", origin: "https://evil.example" })).toBe(403);
  expect(statusOf({ ...request, host: "localhost", "sec-fetch-site": "cross-site" })).toBe(403);
});

describe("checkAccess with a token", () => {
  const host = "192.168.1.5:4100";

  it.each([
    ["in its own header", { "x-toolmend-token": TOKEN }, "header"],
    ["as bearer", { authorization: `Bearer ${TOKEN}` }, "bearer"],
    ["as bearer in any case", { authorization: `bearer  ${TOKEN}` }, "bearer"],
    ["as cookie", { cookie: `theme=dark; toolmend_token=${TOKEN}; x=1` }, "cookie"],
    ["as the only cookie", { cookie: `toolmend_token=${TOKEN}` }, "cookie"],
  ] as const)("accepts the token %s", (_where, headers, token) => {
    expect(decide({ host, ...headers }, OPEN)).toMatchObject({ kind: "pass", path: "/v1/messages", token });
  });

  it("accepts the token in the base URL and removes it from the path", () => {
    expect(decide({ host, path: `/~${TOKEN}/v1/messages` }, OPEN)).toMatchObject({
      path: "/v1/messages",
      token: "path",
    });
    expect(decide({ host, method: "GET", path: `/~${TOKEN}` }, OPEN)).toMatchObject({ path: "/", token: "path" });
  });

  it.each([
    {},
    { "x-toolmend-token": "" },
    { "x-toolmend-token": TOKEN.slice(1) },
    { "x-toolmend-token": `${TOKEN}x` },
    { "x-toolmend-token": TOKEN.toUpperCase() },
    { authorization: "Bearer sk-the-providers-key-0000" },
    { authorization: `Basic ${TOKEN}` },
    { authorization: TOKEN },
    { cookie: `not_toolmend_token=${TOKEN}` },
    { cookie: "toolmend_token=" },
    { path: `/~${TOKEN}x/v1/messages` },
    { path: "/~/v1/messages" },
    { path: `/v1/messages/~${TOKEN}` },
  ])("rejects a missing or wrong token: %j", (headers) => {
    expect(statusOf({ host, ...headers }, OPEN)).toBe(401);
  });

  it("requires no token for /healthz and /readyz, but still checks Host", () => {
    for (const path of ["/healthz", "/readyz"]) expect(statusOf({ host, method: "GET", path }, OPEN)).toBe("pass");
    for (const path of ["/", "/metrics", "/api/summary", "/healthz/x", "/assets/x.js"]) {
      expect(statusOf({ host, method: "GET", path }, OPEN)).toBe(401);
    }
    expect(statusOf({ host: "evil.example", method: "GET", path: "/healthz" }, OPEN)).toBe(403);
  });

  it("rejects a foreign Host or Origin even with a valid token", () => {
    expect(statusOf({ host: "evil.example", "x-toolmend-token": TOKEN }, OPEN)).toBe(403);
    expect(statusOf({ host, origin: "http://evil.example", "x-toolmend-token": TOKEN }, OPEN)).toBe(403);
  });

  it("ignores bearer tokens on loopback, where they are provider keys", () => {
    const decision = decide({ host: "localhost", authorization: `Bearer ${TOKEN}` });
    expect(decision).toMatchObject({ kind: "pass", token: "none" });
  });

  it("finds the token in every header that contains it, so that none of them is forwarded", () => {
    const everywhere = {
      "x-toolmend-token": TOKEN,
      authorization: `Bearer ${TOKEN}`,
      cookie: `toolmend_token=${TOKEN}`,
    };
    expect(decide({ host, ...everywhere }, OPEN)).toMatchObject({
      tokenHeaders: { authorization: true, cookie: true },
    });
    expect(decide({ host, ...everywhere, path: `/~${TOKEN}/v1/messages` }, OPEN)).toMatchObject({
      tokenHeaders: { authorization: true, cookie: true },
    });
    expect(decide({ host, "x-toolmend-token": TOKEN, authorization: "Bearer sk-provider" }, OPEN)).toMatchObject({
      tokenHeaders: { authorization: false, cookie: false },
    });
  });

  it("checks the content type of a path with a token", () => {
    expect(statusOf({ host, path: `/~${TOKEN}/api/ingest`, "content-type": "text/plain" }, OPEN)).toBe(415);
  });
});

it.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["127.255.255.254", true],
  ["::1", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["127.0.0.1.example", false],
  ["", false],
])("isLoopback(%s) is %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
