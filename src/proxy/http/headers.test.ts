import { describe, expect, it } from "vitest";
import { requestHeaders, responseHeaders } from "./headers.ts";

const KEEP = { host: "api.example", dropAuthorization: false, dropCookie: false };

describe("requestHeaders", () => {
  it("keeps order, letter case and repeated headers", () => {
    const raw = ["Host", "127.0.0.1:4100", "X-API-Key", "sk", "accept", "a", "Accept", "b", "anthropic-Beta", "x,y"];
    expect(requestHeaders(raw, KEEP)).toEqual([
      ...["Host", "api.example", "X-API-Key", "sk", "accept", "a", "Accept", "b", "anthropic-Beta", "x,y"],
    ]);
  });

  it.each(["Connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Upgrade"])(
    "drops the hop-by-hop header %s",
    (name) => {
      expect(requestHeaders([name, "x", "Accept", "a"], KEEP)).toEqual(["Accept", "a"]);
    },
  );

  it("drops headers named by Connection, at any position and in any case", () => {
    const raw = ["X-Hop", "1", "Connection", "close, X-HOP", "x-other", "2", "connection", "x-other", "x-stays", "3"];
    expect(requestHeaders(raw, KEEP)).toEqual(["x-stays", "3"]);
  });

  it("keeps Transfer-Encoding and Content-Length", () => {
    expect(requestHeaders(["Transfer-Encoding", "chunked"], KEEP)).toEqual(["Transfer-Encoding", "chunked"]);
    expect(requestHeaders(["Content-Length", "7"], KEEP)).toEqual(["Content-Length", "7"]);
  });

  it("drops x-toolmend-* headers", () => {
    const raw = ["x-toolmend-token", "t", "X-Toolmend-Session", "s", "x-toolmend-record", "off", "x-toolmen", "stays"];
    expect(requestHeaders(raw, KEEP)).toEqual(["x-toolmen", "stays"]);
  });

  it("keeps the provider's key, and drops Authorization or Cookie with the Toolmend token", () => {
    const raw = ["Authorization", "Bearer k", "Cookie", "c=1", "x-api-key", "k"];
    expect(requestHeaders(raw, KEEP)).toEqual(raw);
    expect(requestHeaders(raw, { ...KEEP, dropAuthorization: true })).toEqual(["Cookie", "c=1", "x-api-key", "k"]);
    expect(requestHeaders(raw, { ...KEEP, dropCookie: true })).toEqual(["Authorization", "Bearer k", "x-api-key", "k"]);
  });
});

describe("responseHeaders", () => {
  it("keeps the upstream's headers except hop-by-hop headers", () => {
    const raw = [
      ...["Content-Type", "text/event-stream", "Transfer-Encoding", "chunked", "Connection", "keep-alive, X-Hop"],
      ...["X-Hop", "1", "Set-Cookie", "a=1", "set-cookie", "b=2", "request-id", "r", "Keep-Alive", "timeout=5"],
    ];
    expect(responseHeaders(raw)).toEqual([
      ...["Content-Type", "text/event-stream", "Set-Cookie", "a=1", "set-cookie", "b=2", "request-id", "r"],
    ]);
  });
});
