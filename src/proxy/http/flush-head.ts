import type { ServerResponse } from "node:http";

/** Sends the head now, in the bytes it came in. Node's `flushHeaders` would write it as UTF-8: two bytes for each above 127. */
export function flushHead(response: ServerResponse): void {
  response.write("", "latin1");
}
