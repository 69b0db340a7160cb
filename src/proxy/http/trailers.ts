import type { IncomingMessage, OutgoingMessage } from "node:http";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { responseHeaders } from "./headers.ts";
import { http } from "./node-http.ts";

/** Never valid in a trailer: they frame or route a message, or authenticate it. */
const NEVER_TRAILERS = new Set([
  ...["content-length", "content-encoding", "content-type", "host", "authorization", "cookie", "set-cookie"],
  ...["cache-control", "expect", "max-forwards"],
]);

/**
 * Adds the trailers of a complete body to the message that forwards it. Must be called before `end`. Node sends them
 * only if that message is chunked.
 */
export function forwardTrailers(from: IncomingMessage, to: OutgoingMessage, body: "same" | "changed" = "same"): void {
  if (from.rawTrailers.length === 0) return;
  const fields = responseHeaders(from.rawTrailers, NEVER_TRAILERS);
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name, value] = [fields[at] ?? "", fields[at + 1] ?? ""];
    if (isSendable(name, value) && (body === "same" || !BODY_DEPENDENT_HEADERS.has(name.toLowerCase())))
      pairs.push([name, value]);
  }
  to.addTrailers(pairs);
}

/** Node accepts characters when it reads a field that it refuses to write. */
function isSendable(name: string, value: string): boolean {
  try {
    http.validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
