import { describe, expect, it } from "vitest";
import { requestHeaders, responseHeaders } from "./headers.ts";

const KEEP = { host: "api.example", dropAuthorization: false, dropCookie: false };

describe("headers for the upstream", () => {
  it("keep their order, their letter case and their repetitions", () => {
    const raw = ["Host", "127.0.0.1:4100", "X-API-Key", "sk", "accept", "a", "Accept", "b", "anthropic-Beta", "x,y"];
    expect(requestHeaders(raw, KEEP)).toEqual([
      ...["Host", "api.example", "X-API-Key", "sk", "accept", "a", "Accept", "b", "anthropic-Beta", "x,y"],
    ]);
  });

  it.each(["Connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Upgrade"])(
    "end where the connection ends: %s",
    (name) => {
      expect(requestHeaders([name, "x", "Accept", "a"], KEEP)).toEqual(["Accept", "a"]);
    },
  );

  it("go without what Connection names, in any place and case", () => {
    const raw = ["X-Hop", "1", "Connection", "close, X-HOP", "x-other", "2", "connection", "x-other", "x-stays", "3"];
    expect(requestHeaders(raw, KEEP)).toEqual(["x-stays", "3"]);
  });

  it("say how the body is framed", () => {
    expect(requestHeaders(["Transfer-Encoding", "chunked"], KEEP)).toEqual(["Transfer-Encoding", "chunked"]);
    expect(requestHeaders(["Content-Length", "7"], KEEP)).toEqual(["Content-Length", "7"]);
  });

  it("go without ours", () => {
    const raw = ["x-toolmend-token", "t", "X-Toolmend-Session", "s", "x-toolmend-record", "off", "x-toolmen", "stays"];
    expect(requestHeaders(raw, KEEP)).toEqual(["x-toolmen", "stays"]);
  });

  it("keep the provider's key and go without our token in its place", () => {
    const raw = ["Authorization", "Bearer k", "Cookie", "c=1", "x-api-key", "k"];
    expect(requestHeaders(raw, KEEP)).toEqual(raw);
    expect(requestHeaders(raw, { ...KEEP, dropAuthorization: true })).toEqual(["Cookie", "c=1", "x-api-key", "k"]);
    expect(requestHeaders(raw, { ...KEEP, dropCookie: true })).toEqual(["Authorization", "Bearer k", "x-api-key", "k"]);
  });
});

describe("headers for the client", () => {
  it("are the upstream's, without those of its connection", () => {
    const raw = [
      ...["Content-Type", "text/event-stream", "Transfer-Encoding", "chunked", "Connection", "keep-alive, X-Hop"],
      ...["X-Hop", "1", "Set-Cookie", "a=1", "set-cookie", "b=2", "request-id", "r", "Keep-Alive", "timeout=5"],
    ];
    expect(responseHeaders(raw)).toEqual([
      ...["Content-Type", "text/event-stream", "Set-Cookie", "a=1", "set-cookie", "b=2", "request-id", "r"],
    ]);
  });
});
