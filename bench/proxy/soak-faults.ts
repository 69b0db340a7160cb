import type { ServerResponse } from "node:http";

/** Upstream faults; a request selects one with `x-bench-fault`. */
export const UPSTREAM_FAULTS = ["reset", "cut", "status", "garbage", "error", "no-content"] as const;
/** Client faults. */
export const CLIENT_FAULTS = ["abort", "half", "noise", "too-large", "not-json"] as const;
export type Fault = (typeof UPSTREAM_FAULTS)[number] | (typeof CLIENT_FAULTS)[number];
export const FAULTS: readonly Fault[] = [...UPSTREAM_FAULTS, ...CLIENT_FAULTS];

const RAW: Readonly<Record<string, string>> = {
  status: "HTTP/1.1 099 x\r\nContent-Length: 2\r\n\r\n{}",
  garbage: "\u0016\u0003\u0001 this is no HTTP\r\n\r\n",
  "no-content": "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
};

/** Sends the faulty response. */
export function sendFaultyResponse(fault: string, response: ServerResponse, events: readonly Buffer[]): void {
  const { socket } = response;
  const raw = RAW[fault];
  if (raw !== undefined) socket?.end(raw, "latin1");
  else if (fault === "error") {
    response.writeHead(500, { "content-type": "application/json" });
    response.end('{"type":"error","error":{"type":"api_error","message":"overloaded"}}');
  } else if (fault === "cut") {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(Buffer.concat(events.slice(0, 20)), () => socket?.destroy());
  } else socket?.resetAndDestroy();
}
