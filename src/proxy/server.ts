import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { HeaderLookup } from "../core/wire/index.ts";
import { type AccessDecision, type AccessSettings, checkAccess, isLoopback } from "./access-control.ts";
import { createExchange, type ExchangeContext } from "./exchange/create-exchange.ts";
import { forward } from "./forward/forward.ts";
import type { ForwardedExchange } from "./forward/forwarded-exchange.ts";
import type { Agents } from "./forward/upstream-request.ts";
import { sendError } from "./http/api-error.ts";
import { BodyTimeouts, RequestTimeoutError } from "./http/body-timeout.ts";
import { discardBody } from "./http/end-early.ts";
import { ErrorBoundary, type OnFailure } from "./http/error-boundary.ts";
import { closeGracefully } from "./http/graceful-close.ts";
import { MAX_HEADER_BYTES } from "./http/headers.ts";
import type { ProxyCycleCheck } from "./http/hop-check.ts";
import { http } from "./http/node-http.ts";
import { keyHeader } from "./upstream-key.ts";
import { findTarget, missingUpstream, type Target, type Upstream } from "./upstreams.ts";
import type { WebSocketMode } from "./websocket/modes.ts";
import { canForward, forwardUpgrade, refuseUpgrade, requireHttp } from "./websocket/upgrade.ts";

/** Routes that this server handles itself instead of forwarding them. */
export interface LocalRoutes {
  readonly api: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;
  readonly hooks: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly metrics: (response: ServerResponse) => Promise<void>;
  readonly ready: (response: ServerResponse) => void;
  readonly dashboard: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
}

/** Receives traffic events for metrics. */
export interface TrafficListener {
  requestStarted(): void;
  requestEnded(upstream: string, status: number): void;
  /** The first byte of a response was forwarded. `addedSeconds` is the latency the proxy added. */
  responseStarted(addedSeconds: number): void;
  refused(status: number): void;
}

export interface ProxyOptions extends ExchangeContext {
  readonly cycleCheck: ProxyCycleCheck;
  readonly accessSettings: () => AccessSettings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly agents: Agents;
  readonly routes: LocalRoutes;
  /** Reads exchanges with MCP servers. */
  readonly mcpExchange?: (upstream: Upstream, header: HeaderLookup) => ForwardedExchange | undefined;
  readonly traffic: TrafficListener;
  /** Whether WebSockets are forwarded; default `auto`. */
  readonly websocket?: WebSocketMode | undefined;
  /** Idle timeout of a request body in ms; default 90 s. */
  readonly bodyTimeoutMs?: number | undefined;
}

type Granted = Extract<AccessDecision, { kind: "pass" }>;

/** Creates the HTTP server: forwards requests for upstreams and handles local routes. */
export function createProxyServer(options: ProxyOptions): Server {
  // Read at the first request, because a random port is known only once the server listens. It does not change later.
  let settings: AccessSettings | undefined;
  const uploads = new BodyTimeouts(options.bodyTimeoutMs);
  const server = http.createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, shouldUpgradeCallback: isWebSocketUpgrade },
    (request, response) => {
      const boundary = createBoundary(request, response, options.onFailure);
      boundary.run(() => {
        uploads.watch(request, (error) => {
          // The response was sent long ago; only the connection is left to close.
          if (response.writableEnded) request.socket.destroy();
          else boundary.fail(error);
        });
        settings ??= options.accessSettings();
        handle({ request, response, boundary, settings }, options);
      });
    },
  );
  closeGracefully(server);
  // A model may think for an hour, so responses have no timeout. Request bodies have their own.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 75_000;
  server.on("upgrade", (request, socket, rest) => {
    // Node removes its error listener from an upgraded connection. Without this one, an error would end the process.
    socket.on("error", () => undefined);
    try {
      settings ??= options.accessSettings();
      handleUpgrade(request, socket, rest, settings, options);
    } catch (error) {
      options.onFailure("forward", error);
      socket.destroy();
    }
  });
  return server;
}

/** The boundary of one exchange. `forward` replaces its handler; until then, failures belong to local routes. */
function createBoundary(request: IncomingMessage, response: ServerResponse, onFailure: OnFailure): ErrorBoundary {
  const fail = (error: unknown): void => {
    const isTimeout = error instanceof RequestTimeoutError;
    onFailure(isTimeout ? "request-timeout" : "local", error);
    const message = isTimeout ? error.message : "Internal error in Toolmend. See its log.";
    sendError(response, request.url ?? "/", isTimeout ? 408 : 500, message);
    discardBody(request);
  };
  const boundary = new ErrorBoundary(fail, () => response.destroy());
  boundary.own(request);
  boundary.own(response);
  return boundary;
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly boundary: ErrorBoundary;
  readonly settings: AccessSettings;
}

function handle({ request, response, boundary, settings }: Incoming, options: ProxyOptions): void {
  const header = headerOf(request);
  const path = request.url ?? "/";
  const localAddress = (): string | undefined => request.socket.localAddress;
  const refuse = (status: number, reason: string): void => {
    sendError(response, path, status, reason);
    discardBody(request);
  };
  const access = checkAccess({ method: request.method ?? "GET", path: pathOnly(path), header, localAddress }, settings);
  if (access.kind === "refuse") {
    options.traffic.refused(access.status);
    refuse(access.status, access.reason);
    return;
  }
  const routed = access.token === "path" ? path.replace(/^\/~[^/?]+/, "") || "/" : path;
  // Hooks take the shortest way: the agent waits for this response before it continues.
  if (routed.startsWith("/hooks/")) {
    options.routes.hooks(request, response, pathOnly(routed));
    return;
  }
  const target = findTarget(routed, header, options.upstreams);
  const missing = target === undefined ? missingUpstream(routed, options.upstreams) : undefined;
  const cycle = options.cycleCheck.upstreamOf(request);
  if (missing !== undefined) refuse(404, missing);
  else if (access.token === "path" && target === undefined && request.method === "GET")
    // The token was in the path, so there is one.
    moveTokenToCookie(response, routed, options.accessSettings().token as string);
  else if (target === undefined)
    serveLocalRoute(request, response, routed, options.routes).catch((error: unknown) => boundary.fail(error));
  else if (cycle !== undefined) refuse(508, cycleMessage(cycle));
  else forwardToUpstream(request, response, { header, path: routed, target, access, boundary }, options);
}

/** Forwards a WebSocket where that is possible; otherwise asks the client to use HTTP. */
function handleUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
  settings: AccessSettings,
  options: ProxyOptions,
): void {
  const header = headerOf(request);
  const path = request.url ?? "/";
  const localAddress = (): string | undefined => request.socket.localAddress;
  const access = checkAccess({ method: "GET", path: pathOnly(path), header, localAddress }, settings);
  if (access.kind === "refuse") {
    options.traffic.refused(access.status);
    refuseUpgrade(socket, path, access.status, access.reason);
    return;
  }
  const routed = access.token === "path" ? path.replace(/^\/~[^/?]+/, "") || "/" : path;
  const target = findTarget(routed, header, options.upstreams);
  const mode = options.websocket ?? "auto";
  if (target === undefined || mode === "off" || !canForward(pathOnly(routed), target, options)) {
    requireHttp(socket);
    return;
  }
  const { upstream } = target;
  const cycle = options.cycleCheck.upstreamOf(request);
  if (cycle !== undefined) {
    refuseUpgrade(socket, path, 508, cycleMessage(cycle));
    return;
  }
  options.traffic.requestStarted();
  const { authorization, cookie } = access.tokenHeaders;
  const add = keyHeader(header, routed, upstream, () => isTrusted(request, access), authorization);
  const headers = { dropAuthorization: authorization, dropCookie: cookie, add };
  forwardUpgrade(
    { request, socket, rest, header, path: routed, target, headers },
    {
      context: options,
      agents: options.agents,
      onUpstream: (sent) => options.cycleCheck.watch(sent, upstream.name),
      onEnd: (status) => options.traffic.requestEnded(upstream.name, status),
    },
  );
}

function cycleMessage(upstream: string): string {
  return `The upstream ${upstream} points back to this Toolmend server. Correct its URL.`;
}

/** Other upgrades, such as h2c, are ignored: the client then continues with HTTP/1.1. */
function isWebSocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Moves the token of a dashboard URL into a cookie, so that it does not stay in the address bar and the history. */
function moveTokenToCookie(response: ServerResponse, path: string, token: string): void {
  const cookie = `toolmend_token=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`;
  // A location that starts with two slashes would redirect to another host.
  response.writeHead(303, {
    location: path.replace(/^[/\\]+/, "/"),
    "set-cookie": cookie,
    "cache-control": "no-store",
  });
  response.end();
}

/** An accepted request and its target. */
interface Admitted {
  readonly header: HeaderLookup;
  /** Path without a token. */
  readonly path: string;
  readonly target: Target;
  readonly access: Granted;
  readonly boundary: ErrorBoundary;
}

function forwardToUpstream(
  request: IncomingMessage,
  response: ServerResponse,
  admitted: Admitted,
  options: ProxyOptions,
): void {
  const { traffic, onFailure } = options;
  const arrivedAt = performance.now();
  const { header, path, target, access, boundary } = admitted;
  const llmExchange =
    target.isMcp === true
      ? undefined
      : createExchange({ request, header, path: pathOnly(path), upstream: target.upstream }, options);
  const exchange = target.isMcp === true ? options.mcpExchange?.(target.upstream, header) : llmExchange;
  traffic.requestStarted();
  response.on("close", () =>
    traffic.requestEnded(
      llmExchange?.isRefused === true ? "toolmend" : target.upstream.name,
      response.headersSent ? response.statusCode : 0,
    ),
  );
  forward(request, response, {
    target,
    agents: options.agents,
    headers: {
      dropAuthorization: access.tokenHeaders.authorization,
      dropCookie: access.tokenHeaders.cookie,
      plain: llmExchange?.canRewrite === true,
      add: keyHeader(
        header,
        path,
        target.upstream,
        () => isTrusted(request, access),
        access.tokenHeaders.authorization,
      ),
    },
    onUpstream: (sent) => options.cycleCheck.watch(sent, target.upstream.name),
    arrivedAt,
    onFirstByte: (addedMs) => traffic.responseStarted(addedMs / 1000),
    exchange,
    boundary,
    onFailure,
  });
}

/** The configured upstream key is added only for trusted requests: from loopback, or with a valid token. */
function isTrusted(request: IncomingMessage, access: Granted): boolean {
  return access.token !== "none" || isLoopback((request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
}

async function serveLocalRoute(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  routes: LocalRoutes,
): Promise<void> {
  // The prefix is checked before and after URL parsing. Access control checked the raw path, so a path that becomes an
  // API route only by parsing has skipped its rules.
  const url = URL.parse(`http://localhost${path.startsWith("/") ? path : "/"}`);
  const isApi = path.startsWith("/api/");
  if (url === null || isApi !== url.pathname.startsWith("/api/")) sendError(response, path, 404, "Path not found.");
  else if (isApi) await routes.api(request, response, url);
  else if (url.pathname === "/metrics") await routes.metrics(response);
  else if (url.pathname === "/healthz") sendText(response, 200, "ok\n");
  else if (url.pathname === "/readyz") routes.ready(response);
  else await routes.dashboard(request, response, url.pathname);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function headerOf({ headers }: IncomingMessage): HeaderLookup {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

function pathOnly(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
