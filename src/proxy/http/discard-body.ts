import type { IncomingMessage } from "node:http";

const MAX_DISCARDED_BYTES = 64 << 20;
const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Reads what is left of a refused request and drops it. Left unread it would stand before the client's next request on the same connection,
 * which would hang. A client that sends on and on loses its connection instead.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete && request.readableLength === 0) {
    request.resume();
    return;
  }
  let size = 0;
  const close = (): void => void request.socket.destroy();
  const timer = setTimeout(close, DISCARD_TIMEOUT_MS).unref();
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) close();
  });
  request.on("close", () => clearTimeout(timer));
  // It may break off: nobody waits for it any more.
  request.on("error", () => undefined);
  request.resume();
}
