import type { IncomingMessage, ServerResponse } from "node:http";

/** Aborts the response once the bytes written so far are flushed. */
export function abortAfterFlush(response: ServerResponse): void {
  // Node buffers writes until the next turn of the event loop.
  setImmediate(() => {
    const { socket } = response;
    if (socket === null || socket.destroyed) abortNow(response);
    else socket.write("", () => response.destroy());
  });
}

/**
 * Aborts the response without flushing. A pipelined response has no socket until its turn, and destroying it earlier
 * would not close the connection, so this waits for the socket.
 */
export function abortNow(response: ServerResponse): void {
  if (response.socket === null && !response.destroyed) response.once("socket", (socket) => socket.destroy());
  else response.destroy();
}

const MAX_DISCARDED_BYTES = 64 << 20;
const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Reads and discards the rest of a rejected request body. An unread body blocks the client's next request on the same
 * connection. Closes the connection if the body is too long or takes too long.
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
  // The body may be aborted; no reader is left.
  request.on("error", () => undefined);
  request.resume();
}
