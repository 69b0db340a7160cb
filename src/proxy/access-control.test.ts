import { describe, expect, it } from "vitest";
import { type AccessDecision, type AccessSettings, checkAccess, isLoopback } from "./access-control.ts";

const LOCAL: AccessSettings = { host: "127.0.0.1", port: 4100, allowedHosts: [] };
const TOKEN = "a-token-of-24-characters";
const OPEN: AccessSettings = { host: "192.168.1.5", port: 4100, allowedHosts: [], token: TOKEN };

type Asked = { readonly method?: string; readonly path?: string; readonly [header: string]: string | undefined };

function ask({ method = "POST", path = "/v1/messages", ...headers }: Asked, settings = LOCAL): AccessDecision {
  return checkAccess({ method, path, header: (name) => headers[name] }, settings);
}
const answer = (asked: Asked, settings?: AccessSettings): number | "pass" => {
  const verdict = ask(asked, settings);
  return verdict.kind === "pass" ? "pass" : verdict.status;
};

describe("Host", () => {
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
  ] as const)("%s on loopback: %s", (host, expected) => {
    expect(answer({ host })).toBe(expected);
  });

  it("may be the bound address or a configured name, in any letter case", () => {
    const settings = { ...LOCAL, host: "10.0.0.7", allowedHosts: ["box.lan", "Team.Example"] };
    for (const host of ["10.0.0.7:4100", "box.lan", "BOX.lan:80", "team.example", "Team.Example:443", "localhost"]) {
      expect([host, answer({ host }, settings)]).toEqual([host, "pass"]);
    }
    expect(answer({ host: "other.lan" }, settings)).toBe(403);
  });

  it("may be the bound address when that is IPv6, which a Host writes in brackets", () => {
    const settings = { ...LOCAL, host: "fd00::7" };
    expect(answer({ host: "[fd00::7]:4100" }, settings)).toBe("pass");
    expect(answer({ host: "[fd00::8]:4100" }, settings)).toBe(403);
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
  ] as const)("%s on a connection that came to %s: %s", (host, arrivedAt, expected) => {
    const verdict = checkAccess(
      { method: "GET", path: "/healthz", header: (name) => ({ host })[name], arrivedAt: () => arrivedAt },
      { ...ALL, host: arrivedAt?.includes(":") ? "::" : "0.0.0.0" },
    );
    expect(verdict.kind === "pass" ? "pass" : verdict.status).toBe(expected);
  });

  it("of the address that the connection came to makes a page of that address one of ours, on our port alone", () => {
    const from = (origin: string): string => {
      const headers: Record<string, string> = { host: "10.0.0.7:4100", origin };
      const head = { method: "POST", path: "/v1/messages", header: (name: string) => headers[name] };
      return checkAccess({ ...head, arrivedAt: () => "10.0.0.7" }, ALL).kind;
    };
    expect(from("http://10.0.0.7:4100")).toBe("pass");
    expect(from("http://10.0.0.7:3000")).toBe("refuse");
    expect(from("http://10.0.0.8:4100")).toBe("refuse");
  });

  it("is repeated in the answer without control characters and not without end", () => {
    const verdict = ask({ host: `\u001b[31m${"x".repeat(500)}` });
    expect(verdict).toMatchObject({ kind: "refuse", status: 403 });
    const { reason } = verdict as { reason: string };
    expect(reason).toContain('Host "?[31mxxx');
    expect(reason.length).toBeLessThan(200);
  });
});

describe("Origin and Sec-Fetch-Site", () => {
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
  ] as const)("%j: %s", (headers, expected) => {
    expect(answer({ host: "127.0.0.1:4100", ...headers })).toBe(expected);
    expect(answer({ host: "127.0.0.1:4100", method: "GET", path: "/", ...headers })).toBe(expected);
  });

  it("of a configured name may have any port: it stands behind another server", () => {
    const settings = { ...LOCAL, allowedHosts: ["box.lan"] };
    expect(answer({ host: "box.lan", origin: "https://box.lan" }, settings)).toBe("pass");
    expect(answer({ host: "box.lan", origin: "https://other.lan" }, settings)).toBe(403);
  });
});

describe("content types", () => {
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
    ["POST", "/v1/messages", "text/plain", "pass"],
    ["POST", "/apis/x", "text/plain", "pass"],
  ] as const)("%s %s with %s: %s", (method, path, type, expected) => {
    expect(answer({ host: "localhost", method, path, "content-type": type })).toBe(expected);
  });
});

describe("the token", () => {
  const host = "192.168.1.5:4100";

  it.each([
    ["in its own header", { "x-toolmend-token": TOKEN }, "header"],
    ["as bearer", { authorization: `Bearer ${TOKEN}` }, "bearer"],
    ["as bearer in any case", { authorization: `bearer  ${TOKEN}` }, "bearer"],
    ["as cookie", { cookie: `theme=dark; toolmend_token=${TOKEN}; x=1` }, "cookie"],
    ["as the only cookie", { cookie: `toolmend_token=${TOKEN}` }, "cookie"],
  ] as const)("is taken %s", (_where, headers, token) => {
    expect(ask({ host, ...headers }, OPEN)).toMatchObject({ kind: "pass", path: "/v1/messages", token });
  });

  it("is taken from the base URL, and the path to route by goes without it", () => {
    expect(ask({ host, path: `/~${TOKEN}/v1/messages` }, OPEN)).toMatchObject({ path: "/v1/messages", token: "path" });
    expect(ask({ host, method: "GET", path: `/~${TOKEN}` }, OPEN)).toMatchObject({ path: "/", token: "path" });
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
  ])("is refused when it is missing or wrong: %j", (headers) => {
    expect(answer({ host, ...headers }, OPEN)).toBe(401);
  });

  it("is not asked for at the two health paths, also not from browsers that may not come in", () => {
    for (const path of ["/healthz", "/readyz"]) expect(answer({ host, method: "GET", path }, OPEN)).toBe("pass");
    for (const path of ["/", "/metrics", "/api/summary", "/healthz/x", "/assets/x.js"]) {
      expect(answer({ host, method: "GET", path }, OPEN)).toBe(401);
    }
    expect(answer({ host: "evil.example", method: "GET", path: "/healthz" }, OPEN)).toBe(403);
  });

  it("does not open the door to a foreign host or page", () => {
    expect(answer({ host: "evil.example", "x-toolmend-token": TOKEN }, OPEN)).toBe(403);
    expect(answer({ host, origin: "http://evil.example", "x-toolmend-token": TOKEN }, OPEN)).toBe(403);
  });

  it("is nobody's business on loopback: a bearer is the provider's key", () => {
    const verdict = ask({ host: "localhost", authorization: `Bearer ${TOKEN}` });
    expect(verdict).toMatchObject({ kind: "pass", token: "none" });
  });

  it("is recognised in every place it stands, so that none of them is forwarded", () => {
    const everywhere = {
      "x-toolmend-token": TOKEN,
      authorization: `Bearer ${TOKEN}`,
      cookie: `toolmend_token=${TOKEN}`,
    };
    expect(ask({ host, ...everywhere }, OPEN)).toMatchObject({ tokenHeaders: { authorization: true, cookie: true } });
    expect(ask({ host, ...everywhere, path: `/~${TOKEN}/v1/messages` }, OPEN)).toMatchObject({
      tokenHeaders: { authorization: true, cookie: true },
    });
    expect(ask({ host, "x-toolmend-token": TOKEN, authorization: "Bearer sk-provider" }, OPEN)).toMatchObject({
      tokenHeaders: { authorization: false, cookie: false },
    });
  });

  it("guards the content type of a path that carries it", () => {
    expect(answer({ host, path: `/~${TOKEN}/api/ingest`, "content-type": "text/plain" }, OPEN)).toBe(415);
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
