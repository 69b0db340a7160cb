import type { ServerResponse } from "node:http";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";

/** Headers that apply to one connection only and are not forwarded. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export interface ForwardHeaders {
  readonly host: string;
  /** The bearer token is the Toolmend token, not the provider's key. */
  readonly dropAuthorization: boolean;
  /** The cookie contains the Toolmend token. */
  readonly dropCookie: boolean;
  /** Requests an uncompressed response, because it may be rewritten. */
  readonly plain?: boolean;
  /** Length of the rewritten body. */
  readonly length?: number;
  /** Additional headers, alternating names and values. */
  readonly add?: readonly string[];
}

/** Returns the client's headers for the upstream in their order and case, without hop-by-hop and Toolmend headers. */
export function requestHeaders(raw: readonly string[], options: ForwardHeaders): string[] {
  const headers: string[] = [];
  const named = connectionNames(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] ?? "", raw[at + 1] ?? ""];
    const lower = name.toLowerCase();
    if (lower === "host") headers.push(name, options.host);
    else if (lower === "accept-encoding" && options.plain === true) headers.push(name, "identity");
    else if (!isDropped(lower, named, options)) headers.push(name, value);
  }
  if (options.length !== undefined) headers.push("content-length", String(options.length));
  if (options.add !== undefined) headers.push(...options.add);
  return headers;
}

function isDropped(name: string, named: ReadonlySet<string>, options: ForwardHeaders): boolean {
  if (name === "transfer-encoding") return options.length !== undefined;
  if (options.length !== undefined && BODY_DEPENDENT_HEADERS.has(name)) return true;
  if (HOP_BY_HOP.has(name) || named.has(name) || name.startsWith("x-toolmend-")) return true;
  return (name === "authorization" && options.dropAuthorization) || (name === "cookie" && options.dropCookie);
}

/** Returns the upstream's headers for the client, except hop-by-hop headers and those in `without`. */
export function responseHeaders(raw: readonly string[], without: ReadonlySet<string> = NONE): string[] {
  const headers: string[] = [];
  const named = connectionNames(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] ?? "", raw[at + 1] ?? ""];
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower) && !without.has(lower)) headers.push(name, value);
  }
  return headers;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Limit for requests and responses. Above Node's 16 KiB: some clients describe themselves in headers, and gateways add
 * large cookies.
 */
export const MAX_HEADER_BYTES: number = 256 << 10;

/** Removes characters that Node accepts when it reads a status line but refuses to write. */
export function reasonPhrase(phrase: string | undefined): string {
  return (phrase ?? "").replace(/[^\t\x20-\x7e\x80-\xff]/g, "");
}

/** `Connection: x, y` makes x and y hop-by-hop too. */
function connectionNames(raw: readonly string[]): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] ?? "", raw[at + 1] ?? ""];
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    // The usual value. It adds nothing, because `keep-alive` is hop-by-hop anyway.
    if (value === "keep-alive") continue;
    names ??= new Set();
    for (const named of value.split(",")) names.add(named.trim().toLowerCase());
  }
  return names ?? NONE;
}

const CONNECTION = "connection";

/** Sends the head now, as latin1. Node's `flushHeaders` encodes it as UTF-8 and changes bytes above 127. */
export function flushHead(response: ServerResponse): void {
  response.write("", "latin1");
}
