import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import { type ForwardHeaders, MAX_HEADER_BYTES, requestHeaders } from "../http/headers.ts";
import { http } from "../http/node-http.ts";
import { addressOf, type Target } from "../upstreams.ts";

/** Connection pools for upstreams. */
export interface Agents extends AgentPair {
  /** Without keep-alive: one connection per request. */
  readonly fresh: AgentPair;
}

interface AgentPair {
  readonly http: Agent;
  readonly https: https.Agent;
}

/** Honors HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export function createAgents(proxyEnv: NodeJS.ProcessEnv = process.env): Agents {
  const keptAlive = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: "lifo", proxyEnv } as const;
  return { ...pairOf(keptAlive), fresh: pairOf({ keepAlive: false, proxyEnv }) };
}

function pairOf(options: https.AgentOptions): AgentPair {
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** Where a request goes, and what changes in its head. */
export interface UpstreamOptions {
  readonly target: Target;
  readonly agents: Agents;
  readonly headers: Omit<ForwardHeaders, "host">;
}

export type RequestHead = Pick<IncomingMessage, "method" | "headers" | "rawHeaders">;

export function openUpstream(
  request: RequestHead,
  { target, agents, headers }: UpstreamOptions,
  connection: "keptAlive" | "fresh" = "keptAlive",
): ClientRequest {
  const { secure, host, protocol, hostname, port } = addressOf(target.upstream);
  const options: https.RequestOptions = {
    ...{ protocol, hostname, port },
    agent: (connection === "fresh" ? agents.fresh : agents)[secure ? "https" : "http"],
    maxHeaderSize: MAX_HEADER_BYTES,
    method: request.method ?? "GET",
    path: target.path,
    // Node also accepts a list of alternating names and values, which its types lack.
    headers: requestHeaders(request.rawHeaders, {
      ...emptyLength(request),
      ...headers,
      host,
    }) as unknown as OutgoingHttpHeaders,
  };
  return (secure ? https : http).request(options);
}

/** Sets the length of a request without a body to 0. Otherwise Node would send `transfer-encoding: chunked`. */
function emptyLength({ method, headers }: RequestHead): { readonly length?: 0 } {
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") return {};
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined ? { length: 0 } : {};
}
