import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls back with every event line; returns how to stop. */
export type Subscribe = (listener: (line: string) => void) => () => void;

const HEARTBEAT_MS = 15_000;
const MOST_BUFFERED = 1 << 20;

/** The live feed as server-sent events. A reader that cannot keep up misses events rather than filling our memory. */
export function serveLive(request: IncomingMessage, response: ServerResponse, subscribe: Subscribe): undefined {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  response.write(": connected\n\n");
  const unsubscribe = subscribe((line) => {
    if (response.writableLength < MOST_BUFFERED) response.write(`data: ${line}\n\n`);
  });
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  request.on("close", () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
  return undefined;
}
