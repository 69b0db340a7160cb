import type { ServerResponse } from "node:http";

/** Ends a connection in the middle of an answer, after what was written has left. */
export function breakOff(response: ServerResponse): void {
  // Node gathers what is written in one go until the next turn of the loop.
  setImmediate(() => {
    const { socket } = response;
    if (socket === null || socket.destroyed) response.destroy();
    else socket.write("", () => response.destroy());
  });
}
