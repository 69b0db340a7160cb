import type { IncomingMessage, ServerResponse } from "node:http";
import type { FeedListener } from "../ingest/event-feed.ts";

/** Tells every event line; returns how to stop. */
export type Subscribe = (listener: FeedListener) => () => void;

const HEARTBEAT_MS = 15_000;
const MOST_BUFFERED = 1 << 20;

/** The live feed as server-sent events. A reader that cannot keep up misses events rather than filling our memory. */
export function serveLive(request: IncomingMessage, response: ServerResponse, subscribe: Subscribe): undefined {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-accel-buffering": "no",
  });
  response.write(": connected\n\n");
  const unsubscribe = subscribe({
    onLine(line) {
      if (response.writableLength < MOST_BUFFERED) response.write(`data: ${line}\n\n`);
    },
    onClose: () => response.end(),
  });
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  request.on("close", () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
  return undefined;
}
