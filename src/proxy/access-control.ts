import { timingSafeEqual } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { isOllamaPath } from "./upstreams.ts";

/** The part of a request that access control checks: its head, never its body. */
export interface RequestHeadFields {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** Local address of the connection. */
  readonly localAddress?: () => string | undefined;
}

export interface AccessSettings {
  /** Listening address. */
  readonly host: string;
  readonly port: number;
  /** Additional host names of this server. */
  readonly allowedHosts: readonly string[];
  /** Required beyond loopback; undefined on loopback. */
  readonly token?: string;
}

export type AccessDecision =
  /** `path` is used for routing; a token in the path is removed from it. */
  | ({ readonly kind: "pass"; readonly tokenHeaders: TokenHeaders } & Found)
  | { readonly kind: "refuse"; readonly status: 401 | 403 | 415; readonly reason: string };

/** Headers that contain the Toolmend token. They are never forwarded, even if the token was also sent elsewhere. */
export interface TokenHeaders {
  readonly authorization: boolean;
  readonly cookie: boolean;
}

const OPEN_PATHS = new Set(["/healthz", "/readyz"]);
const JSON_TYPES = new Set([
  "application/json",
  "application/x-ndjson",
  "application/jsonl",
  "application/x-jsonlines",
]);

/** Decides whether a request is accepted. The same rules apply to every route; see docs/decisions/0005. */
export function checkAccess(request: RequestHeadFields, settings: AccessSettings): AccessDecision {
  const host = request.header("host");
  if (host === undefined || !isServerHost(host, settings, request)) {
    return refuse(
      403,
      `Host "${printable(host ?? "")}" is not allowed. To allow it, start Toolmend with --allow-host.`,
    );
  }
  const origin = request.header("origin");
  if (origin !== undefined && !isServerOrigin(origin, settings, request)) {
    return refuse(403, `Origin "${printable(origin)}" is not allowed.`);
  }
  if (request.header("sec-fetch-site") === "cross-site")
    return refuse(403, "Requests from other sites are not allowed.");
  const found = findToken(request, settings.token);
  if (settings.token !== undefined && found.token === "none" && !OPEN_PATHS.has(found.path)) {
    return refuse(
      401,
      "Token missing or wrong. Send it as x-toolmend-token or bearer, or in the base URL as /~TOKEN/v1.",
    );
  }
  if (isOwnPath(found.path) && !isContentTypeAllowed(request.method, request.header("content-type"))) {
    return refuse(415, "Content type not supported. Send application/json or JSON lines (application/x-ndjson).");
  }
  return { kind: "pass", ...found, tokenHeaders: findTokenHeaders(request, settings.token) };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function refuse(status: 401 | 403 | 415, reason: string): AccessDecision {
  return { kind: "refuse", status, reason };
}

function isServerHost(host: string, settings: AccessSettings, request: RequestHeadFields): boolean {
  const name = hostName(host);
  return (
    name === normalizeHost(settings.host) ||
    isLoopback(name) ||
    isAllowed(name, settings) ||
    isSameAddress(name, request.localAddress?.())
  );
}

/**
 * Accepts the local address of the connection as Host: a server that listens on all interfaces has many addresses. This
 * does not weaken the protection against DNS rebinding, because a page loaded from a name sends that name as Host.
 */
function isSameAddress(name: string, address: string | undefined): boolean {
  const canonical = canonicalAddress(name);
  return canonical !== undefined && address !== undefined && canonical === canonicalAddress(address);
}

/** Normalizes an IPv4, IPv6 or IPv4-mapped address to one spelling. Returns undefined for a host name. */
function canonicalAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/s, "");
  const asIPv6 = isIPv4(address) ? `::ffff:${address}` : address;
  return isIPv6(asIPv6) ? URL.parse(`http://[${asIPv6}]`)?.hostname : undefined;
}

function isServerOrigin(origin: string, settings: AccessSettings, request: RequestHeadFields): boolean {
  try {
    const { protocol, host, port } = new URL(origin);
    const samePort = Number(port || (protocol === "https:" ? 443 : 80)) === settings.port;
    // A configured name may be served by a reverse proxy on another port. On the server's addresses, another port is
    // another program.
    return isServerHost(host, settings, request) && (samePort || isAllowed(hostName(host), settings));
  } catch {
    return false;
  }
}

function isAllowed(name: string, { allowedHosts }: AccessSettings): boolean {
  return allowedHosts.some((allowed) => normalizeHost(allowed) === name);
}

function hostName(host: string): string {
  return normalizeHost(host.replace(/:\d{1,5}$/, ""));
}

/** Converts to lower case and removes the brackets that a Host header puts around an IPv6 address. */
function normalizeHost(name: string): string {
  return name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

type Found = { readonly path: string; readonly token: "none" | "header" | "bearer" | "cookie" | "path" };

function findToken({ path, header }: RequestHeadFields, token: string | undefined): Found {
  const inPath = /^\/~([^/]{1,256})(\/.*)?$/.exec(path);
  if (inPath !== null) {
    const [, written = "", rest = "/"] = inPath;
    return token !== undefined && equal(written, token) ? { path: rest, token: "path" } : { path, token: "none" };
  }
  if (token === undefined) return { path, token: "none" };
  if (equal(header("x-toolmend-token") ?? "", token)) return { path, token: "header" };
  const headers = findTokenHeaders({ header }, token);
  if (headers.authorization) return { path, token: "bearer" };
  return { path, token: headers.cookie ? "cookie" : "none" };
}

function findTokenHeaders({ header }: Pick<RequestHeadFields, "header">, token: string | undefined): TokenHeaders {
  if (token === undefined) return { authorization: false, cookie: false };
  const bearer = /^bearer +(\S{1,256})$/i.exec(header("authorization") ?? "")?.[1] ?? "";
  const cookie = /(?:^|; ?)toolmend_token=([^;]{1,256})/.exec(header("cookie") ?? "")?.[1] ?? "";
  return { authorization: equal(bearer, token), cookie: equal(cookie, token) };
}

/** Compares in constant time for equal lengths; the length of the token is not secret. */
function equal(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether this server handles the path itself. Ollama's paths below `/api` are forwarded, and Ollama needs no content
 * type.
 */
function isOwnPath(path: string): boolean {
  return /^\/(?:api|hooks)(?:\/|$)/.test(path) && !isOllamaPath(path);
}

/** Requires JSON for requests that change data, because HTML forms cannot send it. A DELETE may have no body. */
function isContentTypeAllowed(method: string, contentType: string | undefined): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return true;
  return isJson(contentType) || (method === "DELETE" && contentType === undefined);
}

function isJson(contentType: string | undefined): boolean {
  return JSON_TYPES.has((contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "");
}

/** Makes header text safe to repeat in a response: bounded, without control characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
}
