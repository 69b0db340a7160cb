import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";

/** Shorter texts do not get smaller. */
const MIN_GZIP_BYTES = 256;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  const text = Buffer.from(JSON.stringify(body));
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  const sendPlain = (): void => {
    response.writeHead(status, { ...headers, "content-length": text.length });
    response.end(text);
  };
  if (text.length < MIN_GZIP_BYTES || !acceptsGzip(response)) {
    sendPlain();
    return;
  }
  // In a thread of the pool: a long list must not hold up the answers that pass through.
  gzip(text, (error, compressed) => {
    if (response.headersSent || response.destroyed) return;
    if (error !== null) {
      sendPlain();
      return;
    }
    response.writeHead(status, { ...headers, "content-encoding": "gzip", "content-length": compressed.length });
    response.end(compressed);
  });
}

/** Does whoever asked understand gzip? */
export function acceptsGzip({ req }: ServerResponse): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(String(req?.headers["accept-encoding"] ?? ""));
}
