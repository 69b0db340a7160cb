import type { ServerResponse } from "node:http";

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
