import type { ServerResponse } from "node:http";

/** Sends the head now, as latin1. Node's `flushHeaders` encodes it as UTF-8 and changes bytes above 127. */
export function flushHead(response: ServerResponse): void {
  response.write("", "latin1");
}
