import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip, sendJson } from "./send.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

const IMMUTABLE = "public, max-age=31536000, immutable";
const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg"]);
const compress = promisify(gzip);

const NO_SNIFFING = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" } as const;
const SECURITY_HEADERS = {
  ...NO_SNIFFING,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

/**
 * Serves the built dashboard. Paths without a file extension return index.html, so that URLs of pages can be shared.
 */
export function createDashboardFiles(
  folder: string,
): (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> {
  return async (request, response, path) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      sendJson(response, 404, { error: { message: `${request.method} ${path.slice(0, 100)} not found.` } });
      return;
    }
    const decoded = decodedPath(path);
    if (decoded === undefined) {
      sendJson(response, 404, { error: { message: "File not found." } });
      return;
    }
    const requested = normalize(join(folder, decoded));
    const inside = requested.startsWith(folder + sep);
    const isFile = inside && extname(requested) !== "";
    const file = isFile ? requested : join(folder, "index.html");
    try {
      const plain = await readFile(file);
      const compressed = COMPRESSIBLE.has(extname(file)) && acceptsGzip(response);
      const body = compressed ? await compress(plain, { level: 9 }) : plain;
      response.writeHead(200, {
        ...(extname(file) === ".html" ? SECURITY_HEADERS : NO_SNIFFING),
        ...(compressed && { "content-encoding": "gzip" }),
        vary: "accept-encoding",
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "content-length": body.length,
        // Names of built files contain a hash of their content.
        "cache-control": !isFile ? "no-cache" : path.startsWith("/assets/") ? IMMUTABLE : "public, max-age=3600",
      });
      response.end(request.method === "HEAD" ? undefined : body);
    } catch {
      const message = isFile ? "File not found." : "The dashboard is not built. Run `npm run build`.";
      sendJson(response, 404, { error: { message } });
    }
  };
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
