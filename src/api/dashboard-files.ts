import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { PAGE_PATHS } from "./page-paths.ts";
import { accepts, sendJson } from "./send.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

const IMMUTABLE = "public, max-age=31536000, immutable";
const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg"]);
const [toGzip, toBrotli] = [promisify(gzip), promisify(brotliCompress)];
/** Brotli at its highest quality takes three times as long, for 7 % less. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT } };
/** In order of preference. Browsers accept Brotli over HTTPS and on localhost. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const NO_SNIFFING = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" } as const;
const SECURITY_HEADERS = {
  ...NO_SNIFFING,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

const KNOWN_PATHS: ReadonlySet<string> = new Set(Object.values(PAGE_PATHS));
/** Paths of pages that were renamed. */
const OLD_PATHS: ReadonlyMap<string, string> = new Map([["/why", "/errors"]]);
/** Pages of one item, and the query parameter that selects it. Users expect it in the path. */
const PAGE_OF_ONE = [
  ["/session/", "id"],
  ["/sessions/", "id"],
  ["/tool/", "name"],
  ["/tools/", "name"],
  ["/error/", "fingerprint"],
  ["/errors/", "fingerprint"],
] as const;

/** The new path of a renamed page; undefined for other paths. */
function movedTo(path: string, url: string): string | undefined {
  const renamed = OLD_PATHS.get(path);
  const { search } = new URL(url, "http://localhost");
  if (renamed !== undefined) return renamed + search;
  const one = PAGE_OF_ONE.find(([start]) => path.startsWith(start) && path.length > start.length);
  const value = one === undefined ? undefined : decodePath(path.slice(one[0].length));
  if (one === undefined || value === undefined) return undefined;
  const query = new URLSearchParams(search);
  query.set(one[1], value);
  return `${one[0].replace(/s?\/$/, "")}?${query}`;
}

/**
 * Serves the built dashboard. Paths without a file extension return index.html, so that URLs of pages can be shared;
 * with status 404 if there is no such page.
 */
export function createDashboardFiles(
  folder: string,
): (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> {
  const compress = createCompressor();
  return async (request, response, path) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      sendJson(response, 404, { error: { message: `${request.method} ${path.slice(0, 100)} not found.` } });
      return;
    }
    const newPath = movedTo(path, request.url ?? "/");
    if (newPath !== undefined) {
      response.writeHead(308, { location: newPath, "content-length": 0 }).end();
      return;
    }
    const decoded = decodePath(path);
    if (decoded === undefined) {
      sendJson(response, 404, { error: { message: "File not found." } });
      return;
    }
    const requested = normalize(join(folder, decoded));
    const isInside = requested.startsWith(folder + sep);
    const isFile = isInside && extname(requested) !== "";
    const file = isFile ? requested : join(folder, "index.html");
    // Names of built files contain a hash of their content.
    const caching = !isFile ? "no-cache" : path.startsWith("/assets/") ? IMMUTABLE : "public, max-age=3600";
    try {
      const content = await readEncoded(file, response, compress);
      sendFile(request, response, content, caching, isFile || KNOWN_PATHS.has(path) ? 200 : 404);
    } catch {
      const message = isFile ? "File not found." : "The dashboard is not built. Run `npm run build`.";
      sendJson(response, 404, { error: { message } });
    }
  };
}

type Compress = (file: string, plain: Buffer, encoding: Encoding) => Promise<Buffer>;

/** Compresses each file once, and again after it has changed. */
function createCompressor(): Compress {
  const done = new Map<string, { readonly plain: Buffer; readonly body: Buffer }>();
  return async (file, plain, encoding) => {
    const key = `${encoding} ${file}`;
    const before = done.get(key);
    if (before?.plain.equals(plain) === true) return before.body;
    const body = encoding === "br" ? await toBrotli(plain, BROTLI) : await toGzip(plain, { level: 9 });
    done.set(key, { plain, body });
    return body;
  };
}

interface Content {
  readonly type: string;
  readonly body: Buffer;
  readonly encoding?: Encoding | undefined;
}

async function readEncoded(file: string, response: ServerResponse, compress: Compress): Promise<Content> {
  const type = extname(file);
  const plain = await readFile(file);
  const encoding = COMPRESSIBLE.has(type) ? ENCODINGS.find((one) => accepts(response, one)) : undefined;
  return { type, body: encoding === undefined ? plain : await compress(file, plain, encoding), encoding };
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body, encoding }: Content,
  caching: string,
  status: 200 | 404,
): void {
  response.writeHead(status, {
    ...(type === ".html" ? SECURITY_HEADERS : NO_SNIFFING),
    ...(encoding !== undefined && { "content-encoding": encoding }),
    vary: "accept-encoding",
    "content-type": TYPES[type] ?? "application/octet-stream",
    "content-length": body.length,
    "cache-control": caching,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
