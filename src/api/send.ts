import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";

/** Compression does not shrink shorter texts. */
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
  if (text.length < MIN_GZIP_BYTES || !accepts(response, "gzip")) {
    sendPlain();
    return;
  }
  // Compressed in the thread pool, so that a long list does not delay proxied responses.
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

const ENCODINGS = { br: encodingPattern("br"), gzip: encodingPattern("gzip") } as const;

function encodingPattern(name: string): RegExp {
  return new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0+)?\\s*(?:,|$))`, "i");
}

/** Whether the client accepts a response in this encoding. */
export function accepts({ req }: ServerResponse, encoding: keyof typeof ENCODINGS): boolean {
  return ENCODINGS[encoding].test(String(req?.headers["accept-encoding"] ?? ""));
}
