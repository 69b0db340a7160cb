import { isValidId } from "../core/model/call-key.ts";
import type { HeaderLookup } from "../core/wire/index.ts";

/** A server that requests are forwarded to. */
export interface Upstream {
  readonly name: string;
  readonly url: URL;
  /** Whose calls go there, where the client does not say. */
  readonly project?: string;
  /** Sent when a client of ours brings no key; from the environment, never from a file. */
  readonly key?: string;
}

/** Where a request goes. */
export interface Target {
  readonly upstream: Upstream;
  /** Path and query as the upstream gets them. */
  readonly path: string;
}

/** An upstream's URL as requests want it. */
export interface Address {
  readonly secure: boolean;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string | number;
  /** As the Host header has it. */
  readonly host: string;
}

const addresses = new WeakMap<Upstream, Address>();

/** Read once: an upstream keeps its URL. */
export function addressOf(upstream: Upstream): Address {
  const known = addresses.get(upstream);
  if (known !== undefined) return known;
  const { protocol, hostname, port, host } = upstream.url;
  const secure = protocol === "https:";
  const address = {
    ...{ secure, protocol, host },
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port || (secure ? 443 : 80),
  };
  addresses.set(upstream, address);
  return address;
}

export const DEFAULT_UPSTREAMS = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
} as const;

/** Paths that are never an upstream's name. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "v1",
  "api",
  "hooks",
  "assets",
  "metrics",
  "healthz",
  "readyz",
]);

/** Finds the upstream of a path: `/v1/…` by API, `/NAME/…` by name; undefined when it is not ours to forward. */
export function findTarget(
  path: string,
  head: HeaderLookup,
  upstreams: ReadonlyMap<string, Upstream>,
): Target | undefined {
  const [, first = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(path) ?? [];
  if (first === "v1") {
    const upstream = upstreams.get(isAnthropicRequest(rest, head) ? "anthropic" : "openai");
    return upstream && { upstream, path: joinPath(upstream.url, path) };
  }
  const upstream = upstreams.get(first);
  return upstream && { upstream, path: joinPath(upstream.url, rest === "" ? "/" : rest) };
}

/** The head of a request to an upstream: its project is the client's, else the upstream's. */
export function headFor({ project }: Upstream, head: HeaderLookup): HeaderLookup {
  if (project === undefined) return head;
  return (name) => {
    const value = head(name);
    return name === "x-toolmend-project" && !isValidId(value ?? "") ? project : value;
  };
}

/** What to say of a path that was meant for an upstream and names none that we have; undefined for every other path. */
export function missingUpstream(path: string, upstreams: ReadonlyMap<string, Upstream>): string | undefined {
  const name = /^\/([^/?]+)\/v1\//.exec(path)?.[1];
  if (name === undefined || RESERVED_NAMES.has(name) || upstreams.has(name)) return undefined;
  // What begins so was meant for a token.
  const shown = name.startsWith("~") ? "~…" : name.replace(/[^\x20-\x7e]/g, "?").slice(0, 64);
  return `There is no upstream "${shown}". There are: ${[...upstreams.keys()].join(", ")}. More are given with --upstream NAME=URL.`;
}

/** Both providers have /v1/models; only Anthropic's clients send its version header. */
function isAnthropicRequest(rest: string, head: HeaderLookup): boolean {
  return /^\/(?:messages|complete)(?:[/?]|$)/.test(rest) || head("anthropic-version") !== undefined;
}

/** A version at the end, or in front of the door that some providers call `openai`: nobody appends a second one to these. */
const VERSIONED = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?$/;

/** Joins what a client appends to its base URL; a leading `v1` is dropped when the URL already has a version. A query of the URL stays. */
export function joinPath(base: URL, path: string): string {
  const prefix = base.pathname.replace(/\/+$/, "");
  const rest = VERSIONED.test(prefix) ? path.replace(/^\/v1(?=[/?]|$)/, "") : path;
  const joined = `${prefix}${rest.startsWith("/") || rest === "" ? "" : "/"}${rest}` || "/";
  return base.search === "" ? joined : joined + (joined.includes("?") ? base.search.replace("?", "&") : base.search);
}
