import type { IncomingMessage, ServerResponse } from "node:http";
import type { FeedListener } from "../ingest/event-feed.ts";

/** Subscribes to event lines. Returns a function that unsubscribes. */
export type Subscribe = (listener: FeedListener) => () => void;

const HEARTBEAT_MS = 15_000;
const MAX_BUFFERED_BYTES = 1 << 20;

/**
 * Serves the live feed as server-sent events. Events for a slow client are dropped instead of buffered without limit.
 */
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
      if (response.writableLength < MAX_BUFFERED_BYTES) response.write(`data: ${line}\n\n`);
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
