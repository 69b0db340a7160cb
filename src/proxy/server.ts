import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { apiOfPath, type HeaderLookup, readIdentity } from "../core/wire/index.ts";
import { type AccessDecision, type AccessSettings, checkAccess, isLoopback } from "./access-control.ts";
import type { RewriteBody } from "./body/buffer-request.ts";
import { type Agents, forward } from "./forward.ts";
import { sendError } from "./http/api-error.ts";
import { BodyTimeouts, RequestTimeoutError } from "./http/body-timeout.ts";
import { discardBody } from "./http/discard-body.ts";
import { ErrorBoundary, type OnFailure } from "./http/error-boundary.ts";
import { closeGracefully } from "./http/graceful-close.ts";
import { MAX_HEADER_BYTES } from "./http/headers.ts";
import type { ProxyCycleCheck } from "./http/hop-check.ts";
import type { OpenExchanges } from "./http/open-exchanges.ts";
import { ContainedTap } from "./recording/contained-tap.ts";
import { type ExchangeListener, ExchangeReader, type ExchangeReaderOptions } from "./recording/exchange-reader.ts";
import { ExchangeRecorder, type RecordingContext } from "./recording/exchange-recorder.ts";
import { sessionOfRequest } from "./recording/exchange-thread.ts";
import { requestId } from "./recording/request-id.ts";
import { ExchangeRepair, type ExchangeRepairOptions, type RepairTarget } from "./repair/exchange-repair.ts";
import { mayRewrite, rewriteRequest } from "./repair/rewrite-request.ts";
import { keyHeader } from "./upstream-key.ts";
import { findTarget, headFor, missingUpstream, type Target, type Upstream } from "./upstreams.ts";

/** Answers that are not an upstream's. */
export interface LocalRoutes {
  readonly api: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;
  readonly hooks: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly metrics: (response: ServerResponse) => Promise<void>;
  readonly ready: (response: ServerResponse) => void;
  readonly dashboard: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
}

/** What the server tells of its traffic. */
export interface TrafficListener {
  requestStarted(): void;
  requestEnded(upstream: string, status: number): void;
  /** The first byte of an answer was handed on: how much later than without us. */
  answerBegan(addedSeconds: number): void;
  refused(status: number): void;
}

export interface ProxyOptions {
  readonly own: ProxyCycleCheck;
  readonly guard: () => AccessSettings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly agents: Agents;
  readonly recording: RecordingContext;
  readonly exchanges: OpenExchanges;
  readonly repair: ExchangeRepairOptions;
  readonly routes: LocalRoutes;
  readonly traffic: TrafficListener;
  /** Reports contained failures. */
  readonly onFailure: OnFailure;
  /** Idle timeout of a request body in ms; default 90 s. */
  readonly bodyTimeoutMs?: number | undefined;
}

type Passed = Extract<AccessDecision, { kind: "pass" }>;

/** The one port: forwards what belongs to an upstream, answers the rest. */
export function createProxyServer(options: ProxyOptions): http.Server {
  // Asked for once: who listens already does not move to another port.
  let settings: AccessSettings | undefined;
  const uploads = new BodyTimeouts(options.bodyTimeoutMs);
  const server = http.createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, shouldUpgradeCallback: asksWebSocket },
    (request, response) => {
      const boundary = boundaryOf(request, response, options.onFailure);
      boundary.run(() => {
        uploads.watch(request, (error) => {
          // The response was sent long ago; only the connection is left to close.
          if (response.writableEnded) request.socket.destroy();
          else boundary.fail(error);
        });
        settings ??= options.guard();
        handle({ request, response, boundary, settings }, options);
      });
    },
  );
  closeGracefully(server);
  // A model may think for an hour, so responses have no timeout. Request bodies have their own.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 75_000;
  server.on("upgrade", (_request, socket) => {
    // Node does not look after this connection any more: one that breaks would take everything with it.
    socket.on("error", () => undefined);
    // Clients that try a WebSocket first fall back to HTTP at once on exactly this answer.
    socket.end("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  return server;
}

/** The boundary of one exchange. `forward` replaces its handler; until then, failures belong to local routes. */
function boundaryOf(request: IncomingMessage, response: ServerResponse, onFailure: OnFailure): ErrorBoundary {
  const fail = (error: unknown): void => {
    const isLate = error instanceof RequestTimeoutError;
    onFailure(isLate ? "request-timeout" : "local", error);
    const message = isLate ? error.message : "Something went wrong inside Toolmend.";
    sendError(response, request.url ?? "/", isLate ? 408 : 500, message);
    discardBody(request);
  };
  const boundary = new ErrorBoundary(fail, () => response.destroy());
  boundary.own(request);
  boundary.own(response);
  return boundary;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly boundary: ErrorBoundary;
  readonly settings: AccessSettings;
}

function handle({ request, response, boundary, settings }: Arrived, options: ProxyOptions): void {
  const header = headerOf(request);
  const path = request.url ?? "/";
  const arrivedAt = (): string | undefined => request.socket.localAddress;
  const refuse = (status: number, reason: string): void => {
    sendError(response, path, status, reason);
    discardBody(request);
  };
  const verdict = checkAccess({ method: request.method ?? "GET", path: pathOnly(path), header, arrivedAt }, settings);
  if (verdict.kind === "refuse") {
    options.traffic.refused(verdict.status);
    refuse(verdict.status, verdict.reason);
    return;
  }
  const routed = verdict.token === "path" ? path.replace(/^\/~[^/?]+/, "") || "/" : path;
  // An agent waits for this answer before each of its steps: nothing else is looked at.
  if (routed.startsWith("/hooks/")) {
    options.routes.hooks(request, response, pathOnly(routed));
    return;
  }
  const target = findTarget(routed, header, options.upstreams);
  const missing = target === undefined ? missingUpstream(routed, options.upstreams) : undefined;
  if (missing !== undefined) refuse(404, missing);
  else if (verdict.token === "path" && target === undefined && request.method === "GET")
    welcome(response, routed, options.guard().token as string);
  else if (target === undefined)
    answerLocally(request, response, routed, options.routes).catch((error: unknown) => boundary.fail(error));
  else if (options.own.isOurs(request))
    refuse(508, `The upstream ${target.upstream.name} leads back to this Toolmend. Correct its URL.`);
  else pass(request, response, { header, path: routed, target, verdict, boundary }, options);
}

/** Whoever offers another protocol, as clients for HTTP/2 do without encryption, goes on in this one when nobody takes it up. */
function asksWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** A person who opened the page with the token in the address: it moves into a cookie, out of sight and out of the history. */
function welcome(response: ServerResponse, path: string, token: string): void {
  const cookie = `toolmend_token=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`;
  // One slash: two would lead to another host.
  response.writeHead(303, {
    location: path.replace(/^[/\\]+/, "/"),
    "set-cookie": cookie,
    "cache-control": "no-store",
  });
  response.end();
}

/** A request that may come in, and where it goes. */
interface Admitted {
  readonly header: HeaderLookup;
  /** What it is routed by. */
  readonly path: string;
  readonly target: Target;
  readonly verdict: Passed;
  readonly boundary: ErrorBoundary;
}

function pass(request: IncomingMessage, response: ServerResponse, admitted: Admitted, options: ProxyOptions): void {
  const { traffic, onFailure } = options;
  const arrivedAt = performance.now();
  const { header, path, target, verdict, boundary } = admitted;
  const { reader, repair, rewrite } = tryWatch(request, admitted, options);
  const mayMend = repair !== undefined;
  traffic.requestStarted();
  response.on("close", () =>
    traffic.requestEnded(target.upstream.name, response.headersSent ? response.statusCode : 0),
  );
  forward(request, response, {
    target,
    agents: options.agents,
    headers: {
      dropAuthorization: verdict.ours.authorization,
      dropCookie: verdict.ours.cookie,
      plain: mayMend,
      add: keyHeader(header, path, target.upstream, () => isTrusted(request, verdict), verdict.ours.authorization),
    },
    onUpstream: (upstream) => options.own.watch(upstream),
    arrivedAt,
    onFirstByte: (addedMs) => traffic.answerBegan(addedMs / 1000),
    tap: reader && new ContainedTap(reader, (error) => onFailure("recording", error)),
    rewrite,
    boundary,
    onFailure,
    ...(mayMend && reader !== undefined && { chooseHandler: (answer) => repair.handlerFor(answer, reader) }),
  });
}

/** A key of ours is for people of ours: on this machine, or with the token. */
function isTrusted(request: IncomingMessage, verdict: Passed): boolean {
  return verdict.token !== "none" || isLoopback((request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
}

interface Watch {
  readonly reader?: ExchangeReader;
  /** Absent if the response must not be changed. */
  readonly repair?: ExchangeRepair;
  readonly rewrite?: RewriteBody;
}

/** Forwards without recording if the set-up of recording throws. */
function tryWatch(request: IncomingMessage, admitted: Admitted, options: ProxyOptions): Watch {
  try {
    return watch(request, admitted, options);
  } catch (error) {
    options.onFailure("recording", error);
    return {};
  }
}

/** Only what carries tool calls is read, and recorded only if the client did not ask us to look away. */
function watch(request: IncomingMessage, admitted: Admitted, options: ProxyOptions): Watch {
  const { recording, exchanges } = options;
  const { path, target } = admitted;
  const head = headFor(target.upstream, admitted.header);
  const api = request.method === "POST" ? apiOfPath(pathOnly(path)) : undefined;
  if (api === undefined) return {};
  const { name: provider } = target.upstream;
  const { memory, now, observer } = recording;
  const session: RepairTarget["session"] = (body, restore) =>
    sessionOfRequest(api, body, restore, { head, provider, memory, hash: observer.hash, now });
  const isRecorded = head("x-toolmend-record") !== "off";
  const mayKeep = (args: string): boolean => observer.capturesWhole(args);
  const whose = { api, upstream: provider, session, ...(isRecorded && { mayKeep }) };
  const repair = new ExchangeRepair(whose, options.repair);
  if (!isRecorded && !repair.isActive) return {};
  const about = { api, provider, request_id: requestId(now()), head, repair };
  const listener = isRecorded ? new ExchangeRecorder(recording, about) : NULL_LISTENER;
  const requestEncoding = head("content-encoding");
  const onBody: ExchangeReaderOptions["onBody"] = (body) => repair.onBody(body);
  const reader = new ExchangeReader({
    ...{ api, requestEncoding, listener, now: recording.now, onDone: exchanges.begin() },
    onFailure: (error) => options.onFailure("recording", error),
    ...(repair.isOn && { onBody, early: repair.isActive }),
  });
  const { serverState } = options.repair;
  const lookUp = (ids: readonly string[]): Promise<void> => serverState.lookUp(readIdentity(head, {}).project, ids);
  const rewriting = {
    ...{ ...options.repair, api, upstream: provider, encoding: requestEncoding },
    ...(serverState.hasOthers && isRecorded && { lookUp }),
  };
  return {
    reader,
    ...(repair.isActive && { repair }),
    ...(mayRewrite(rewriting) && { rewrite: (body) => rewriteRequest(body, rewriting) }),
  };
}

/** For clients that did not want to be recorded. */
const NULL_LISTENER: ExchangeListener = {
  onRequest: () => undefined,
  onEnd: () => undefined,
  onUnreadable: () => undefined,
};

async function answerLocally(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  routes: LocalRoutes,
): Promise<void> {
  // Held against nothing but itself: `//x/api/…` is no path of ours, and the guard took it for none.
  const url = URL.parse(`http://localhost${path.startsWith("/") ? path : "/"}`);
  const isApi = path.startsWith("/api/");
  if (url === null || isApi !== url.pathname.startsWith("/api/"))
    sendError(response, path, 404, "There is no such path.");
  else if (isApi) await routes.api(request, response, url);
  else if (url.pathname === "/metrics") await routes.metrics(response);
  else if (url.pathname === "/healthz") answerText(response, 200, "ok\n");
  else if (url.pathname === "/readyz") routes.ready(response);
  else await routes.dashboard(request, response, url.pathname);
}

export function answerText(response: ServerResponse, status: number, text: string): void {
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
