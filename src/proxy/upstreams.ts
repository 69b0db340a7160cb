import { isValidId } from "../core/model/call-key.ts";
import type { HeaderLookup } from "../core/wire/index.ts";

/** A server that requests are forwarded to. */
export interface Upstream {
  readonly name: string;
  readonly url: URL;
  /** Project of its calls if the client does not name one. */
  readonly project?: string;
  /** Sent if a trusted client sends no key. Read from the environment, never from a file. */
  readonly key?: string;
}

export interface Target {
  readonly upstream: Upstream;
  /** Path and query for the upstream. */
  readonly path: string;
  /** The upstream is an MCP server. */
  readonly isMcp?: true;
}

/** An upstream's URL in the form that `http.request` needs. */
export interface Address {
  readonly secure: boolean;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string | number;
  /** Value of the Host header. */
  readonly host: string;
}

const addresses = new WeakMap<Upstream, Address>();

/** Cached, because it is needed for every request and an upstream's URL does not change. */
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
  gemini: "https://generativelanguage.googleapis.com",
  ollama: "http://127.0.0.1:11434",
} as const;

/** The names that are not built in: of LLM servers, and of MCP servers as far as their URL shows it. */
export function ownUpstreams(upstreams: Iterable<Pick<Upstream, "name" | "url">>): {
  readonly llm: readonly string[];
  readonly mcp: readonly string[];
} {
  const own = [...upstreams].filter(({ name }) => !Object.hasOwn(DEFAULT_UPSTREAMS, name));
  const names = (isMcp: boolean): readonly string[] =>
    own.filter(({ url }) => isMcpUrl(url) === isMcp).map(({ name }) => name);
  return { llm: names(false), mcp: names(true) };
}

/** Both kinds of upstreams are configured alike. By convention, MCP servers have this path or host. */
function isMcpUrl({ hostname, pathname }: URL): boolean {
  return hostname.startsWith("mcp.") || /\/mcp\/?$/.test(pathname);
}

/** Domains of Anthropic, and of the clouds that serve its models. */
const ANTHROPIC_DOMAINS = ["anthropic.com", "amazonaws.com", "googleapis.com", "azure.com"];

/** Whether a server enforces Anthropic's rules about the order of blocks. */
export function isAnthropicHost(hostname: string): boolean {
  return ANTHROPIC_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

/** First path segments that cannot be upstream names. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "v1",
  "v1beta",
  "v1alpha",
  "v1beta1",
  "api",
  "hooks",
  "assets",
  "metrics",
  "healthz",
  "readyz",
  "mcp",
]);

/**
 * Finds the upstream of a path: `/v1/…`, `/v1beta/…` and Ollama's `/api/…` by API, `/NAME/…` and `/mcp/NAME/…` by name.
 * Returns undefined for local routes.
 */
export function findTarget(
  path: string,
  head: HeaderLookup,
  upstreams: ReadonlyMap<string, Upstream>,
): Target | undefined {
  const [, first = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(path) ?? [];
  const own = defaultUpstream(first, rest, head);
  if (own !== undefined) {
    const upstream = upstreams.get(own);
    return upstream && { upstream, path: joinPath(upstream.url, path) };
  }
  if (first === "mcp") return mcpTarget(rest, upstreams);
  const upstream = upstreams.get(first);
  return upstream && { upstream, path: joinPath(upstream.url, rest === "" ? "/" : rest) };
}

/** Paths of Ollama, none of which is a path of this server's own API. */
const OLLAMA_PATH = /^\/api\/(?:chat|generate|tags|show|version|ps|embed|embeddings)(?:\?|$)/;

/** Whether a path below `/api` belongs to Ollama, not to this server. */
export function isOllamaPath(path: string): boolean {
  return OLLAMA_PATH.test(path);
}

/** The upstream of a path without a name: each API has its own. */
function defaultUpstream(first: string, rest: string, head: HeaderLookup): string | undefined {
  if (first === "v1") {
    if (isGeminiRequest(rest, head)) return "gemini";
    return isAnthropicRequest(rest, head) ? "anthropic" : "openai";
  }
  if (GEMINI_VERSIONS.has(first) || (first === "upload" && /^\/v1/.test(rest))) return "gemini";
  return first === "api" && OLLAMA_PATH.test(`/api${rest}`) ? "ollama" : undefined;
}

const GEMINI_VERSIONS = new Set(["v1beta", "v1alpha", "v1beta1"]);

/** Google's API also exists as `/v1`. All providers have `/v1/models`; only clients of Google send its key header. */
function isGeminiRequest(rest: string, head: HeaderLookup): boolean {
  if (!rest.startsWith("/models")) return false;
  return /^\/models\/[^/?]+:[a-zA-Z]+(?:\?|$)/.test(rest) || head("x-goog-api-key") !== undefined;
}

/** `/mcp/NAME` is the upstream's URL itself, which is often the only path that an MCP server has. */
function mcpTarget(path: string, upstreams: ReadonlyMap<string, Upstream>): Target | undefined {
  const [, name = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(path) ?? [];
  const upstream = upstreams.get(name);
  if (upstream === undefined) return undefined;
  const { pathname, search } = upstream.url;
  const isWhole = rest === "" || rest === "/";
  return { upstream, path: isWhole ? pathname + search : joinPath(upstream.url, rest), isMcp: true };
}

/** Adds the upstream's project to the headers if the client names none. */
export function headFor({ project }: Upstream, head: HeaderLookup): HeaderLookup {
  if (project === undefined) return head;
  return (name) => {
    const value = head(name);
    return name === "x-toolmend-project" && !isValidId(value ?? "") ? project : value;
  };
}

/** Returns an error message for a path with an unknown upstream name, and undefined for every other path. */
export function missingUpstream(path: string, upstreams: ReadonlyMap<string, Upstream>): string | undefined {
  const name = /^\/([^/?]+)\/v1(?:(?:alpha|beta)\d*)?\//.exec(path)?.[1];
  if (name === undefined || RESERVED_NAMES.has(name) || upstreams.has(name)) return undefined;
  // Probably a mistyped token, which must not be repeated.
  const shown = name.startsWith("~") ? "~…" : name.replace(/[^\x20-\x7e]/g, "?").slice(0, 64);
  const known = [...upstreams.keys()].join(", ");
  return `Upstream "${shown}" not found. Configured: ${known}. Add one with --upstream NAME=URL.`;
}

/** Both providers have /v1/models. Only clients of Anthropic send its version header. */
function isAnthropicRequest(rest: string, head: HeaderLookup): boolean {
  return /^\/(?:messages|complete)(?:[/?]|$)/.test(rest) || head("anthropic-version") !== undefined;
}

/**
 * Matches a version at the end of a base URL, or before a final `/openai`, as some providers name their compatible API.
 */
const VERSIONED = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?$/;

/** Drops a leading `v1`, or the same version that the base URL has. */
function withoutVersion(path: string, base: string): string {
  const [version = "", name] = /^\/(v\d+(?:(?:alpha|beta)\d*)?)(?=[/?]|$)/.exec(path) ?? [];
  return name === "v1" || base.split("/").includes(name ?? "") ? path.slice(version.length) : path;
}

/**
 * Appends a path to a base URL. Drops the leading `v1` if the URL already has a version. Keeps the query of the URL.
 */
export function joinPath(base: URL, path: string): string {
  const whole = base.pathname.replace(/\/+$/, "");
  const isVersioned = VERSIONED.test(whole);
  // Ollama's own API is beside its compatible one.
  const prefix = isVersioned && OLLAMA_PATH.test(path) ? whole.replace(VERSIONED, "") : whole;
  const rest = isVersioned ? withoutVersion(path, whole) : path;
  const joined = `${prefix}${rest.startsWith("/") || rest === "" ? "" : "/"}${rest}` || "/";
  return base.search === "" ? joined : joined + (joined.includes("?") ? base.search.replace("?", "&") : base.search);
}
