import type { ServerResponse } from "node:http";

/** Ends a connection in the middle of an answer, after what was written has left. */
export function abortAfterFlush(response: ServerResponse): void {
  // Node gathers what is written in one go until the next turn of the loop.
  setImmediate(() => {
    const { socket } = response;
    if (socket === null || socket.destroyed) abortNow(response);
    else socket.write("", () => response.destroy());
  });
}

/** The same at once. Behind an earlier answer on the same connection it waits for its turn: ended now, nobody would be told. */
export function abortNow(response: ServerResponse): void {
  if (response.socket === null && !response.destroyed) response.once("socket", (socket) => socket.destroy());
  else response.destroy();
}
