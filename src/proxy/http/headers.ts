import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";

/** Headers that speak about one connection only; they end where the connection ends. */
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
  /** The bearer was our own token, not the provider's key. */
  readonly dropAuthorization: boolean;
  /** The cookie carried our token. */
  readonly dropCookie: boolean;
  /** The answer may be changed: it should come as it is, not compressed. */
  readonly plain?: boolean;
  /** The body was changed, and has this length now. */
  readonly length?: number;
  /** Headers of our own to add, name and value in turn. */
  readonly add?: readonly string[];
}

/** The client's headers for the upstream: order and case as they came, without what belongs to the hop or to us. */
export function requestHeaders(raw: readonly string[], options: ForwardHeaders): string[] {
  const headers: string[] = [];
  const named = connectionNames(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string];
    const lower = name.toLowerCase();
    if (lower === "host") headers.push(name, options.host);
    else if (lower === "accept-encoding" && options.plain === true) headers.push(name, "identity");
    else if (options.length !== undefined && (BODY_DEPENDENT_HEADERS.has(lower) || lower === "transfer-encoding"))
      continue;
    else if (lower === "transfer-encoding") headers.push(name, value);
    else if (HOP_BY_HOP.has(lower) || named.has(lower) || lower.startsWith("x-toolmend-")) continue;
    else if (lower === "authorization" && options.dropAuthorization) continue;
    else if (lower === "cookie" && options.dropCookie) continue;
    else headers.push(name, value);
  }
  if (options.length !== undefined) headers.push("content-length", String(options.length));
  if (options.add !== undefined) headers.push(...options.add);
  return headers;
}

/** The upstream's headers for the client, without some. */
export function responseHeaders(raw: readonly string[], without: ReadonlySet<string> = NONE): string[] {
  const headers: string[] = [];
  const named = connectionNames(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const lower = (raw[at] as string).toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower) && !without.has(lower))
      headers.push(raw[at] as string, raw[at + 1] as string);
  }
  return headers;
}

const NONE: ReadonlySet<string> = new Set();

/** How long a head may be, in both directions: clients put descriptions of themselves into headers, and gateways whole cookies. */
export const MAX_HEADER_BYTES: number = 256 << 10;

/** An upstream's words behind its status: a status line may be read with characters that none may be written with. */
export function reasonPhrase(phrase: string | undefined): string {
  return (phrase ?? "").replace(/[^\t\x20-\x7e\x80-\xff]/g, "");
}

/** `Connection: x, y` makes x and y hop-by-hop too. */
function connectionNames(raw: readonly string[]): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    const value = raw[at + 1] as string;
    // As nearly everybody writes it; that header is hop-by-hop anyway.
    if (value === "keep-alive") continue;
    names ??= new Set();
    for (const named of value.split(",")) names.add(named.trim().toLowerCase());
  }
  return names ?? NONE;
}

const CONNECTION = "connection";
