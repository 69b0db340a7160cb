import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { type HeaderLookup, readPath } from "../../core/wire/index.ts";
import type { ExchangeContext } from "../exchange/create-exchange.ts";
import type { Agents } from "../forward/upstream-request.ts";
import { errorBody, errorShape } from "../http/api-error.ts";
import { gatewayMessage, UpstreamProtocolError } from "../http/bad-gateway.ts";
import {
  type ForwardHeaders,
  MAX_HEADER_BYTES,
  reasonPhrase,
  requestHeaders,
  responseHeaders,
} from "../http/headers.ts";
import { http } from "../http/node-http.ts";
import { addressOf, headFor, type Target } from "../upstreams.ts";
import { MessageReader } from "./message-reader.ts";
import { ResponsesConnection } from "./responses-connection.ts";
import { connect, type TunnelTap } from "./tunnel.ts";

/** An accepted upgrade request and its target. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes behind the head. */
  readonly rest: Buffer;
  readonly header: HeaderLookup;
  /** Path without a token. */
  readonly path: string;
  readonly target: Target;
  readonly headers: Omit<ForwardHeaders, "host">;
}

export interface UpgradeOptions {
  readonly context: ExchangeContext;
  readonly agents: Agents;
  readonly onUpstream: (upstream: ClientRequest) => void;
  /** Called with the status sent to the client, when the connection is over. */
  readonly onEnd: (status: number) => void;
}

/**
 * Whether a WebSocket may be forwarded: only the Responses API has one that is read, and over it nothing can be
 * changed. The provider keeps the conversation, and would not know a repaired call.
 */
export function canForward(path: string, { upstream }: Target, { repair, guard }: ExchangeContext): boolean {
  if (readPath(path)?.api !== "responses") return false;
  const { name } = upstream;
  const { control } = repair;
  return !control.couldRewrite(name) && !control.couldCleanHistory(name) && guard?.control.couldAct(name) !== true;
}

/** On exactly this response, clients that try a WebSocket first fall back to HTTP immediately. */
export function requireHttp(socket: Duplex): void {
  sendHead(socket, 426, "Upgrade Required", ["Content-Length", "0", "Connection", "close"]);
  socket.end();
}

/** Refuses an upgrade in the format of the path's API. */
export function refuseUpgrade(socket: Duplex, path: string, status: number, message: string): void {
  const body = Buffer.from(errorBody(errorShape(path), status, message));
  const type = ["Content-Type", "application/json", "Content-Length", String(body.length)];
  sendHead(socket, status, http.STATUS_CODES[status] ?? "", [...type, "Connection", "close"]);
  socket.end(body);
}

const NO_UPGRADE = "it switched to another protocol without naming it.";

/** Responses of servers that do not support WebSocket here. */
const NO_WEBSOCKET = new Set([200, 400, 404, 405, 406, 415, 426, 501]);

/** Opens the same WebSocket at the upstream and joins both connections. */
export function forwardUpgrade(upgrade: UpgradeRequest, options: UpgradeOptions): void {
  const { request, socket, path, target } = upgrade;
  const upstream = openUpstream(upgrade, options.agents);
  options.onUpstream(upstream);
  let status = 0;
  let isOver = false;
  const end = (): void => {
    if (!isOver) options.onEnd(status);
    isOver = true;
    // An open connection closes by itself, after what was written to it.
    if (status !== 101) upstream.destroy();
  };
  socket.on("close", end);
  upstream.on("error", (error) => {
    if (status !== 0) return;
    status = 502;
    refuseUpgrade(socket, path, status, gatewayMessage(target, error));
  });
  upstream.on("response", (response) => {
    status = response.statusCode ?? 502;
    if (status < 200) {
      status = 502;
      upstream.destroy();
      refuseUpgrade(
        socket,
        path,
        status,
        gatewayMessage(target, new UpstreamProtocolError("ERR_INVALID_STATUS", NO_UPGRADE)),
      );
    } else if (NO_WEBSOCKET.has(status)) {
      status = 426;
      upstream.destroy();
      requireHttp(socket);
    } else passResponse(response, socket);
  });
  upstream.on("upgrade", (response, server, first) => {
    server.on("error", () => undefined);
    if (socket.destroyed) {
      server.destroy();
      return;
    }
    status = 101;
    const phrase = reasonPhrase(response.statusMessage) || "Switching Protocols";
    sendHead(socket, status, phrase, response.rawHeaders);
    const tap = createTap(upgrade, response.headers["sec-websocket-extensions"], options.context);
    connect(socket, server, tap);
    // Through the streams, so that they pass the tap and backpressure like all other bytes.
    if (first.length > 0) server.unshift(first);
    if (upgrade.rest.length > 0) socket.unshift(upgrade.rest);
    for (const one of [request.socket, response.socket]) one.setNoDelay(true);
  });
  upstream.end();
}

function openUpstream({ request, target, headers }: UpgradeRequest, agents: Agents): ClientRequest {
  const { secure, host, ...address } = addressOf(target.upstream);
  const sent = requestHeaders(withoutBody(request.rawHeaders), { ...headers, host });
  return (secure ? https : http).request({
    ...address,
    agent: agents.fresh[secure ? "https" : "http"],
    maxHeaderSize: MAX_HEADER_BYTES,
    method: "GET",
    path: target.path,
    // Node also accepts a list of alternating names and values, which its types lack.
    headers: [...sent, "Connection", "Upgrade", "Upgrade", "websocket"] as unknown as OutgoingHttpHeaders,
  });
}

/** What follows the head are messages. A server that waits for a body would take them for it. */
function withoutBody(raw: readonly string[]): readonly string[] {
  return raw.filter((_, at) => !/^(?:content-length|transfer-encoding)$/i.test(raw[at - (at % 2)] ?? ""));
}

const MAX_BODY_BYTES = 1 << 20;
const LENGTH: ReadonlySet<string> = new Set(["content-length"]);

/** Sends the upstream's refusal unchanged, except for the length of its body. */
function passResponse(response: IncomingMessage, socket: Duplex): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    // Its end may never come.
    else response.destroy();
  });
  const finish = (): void => {
    if (socket.writableEnded) return;
    const body = Buffer.concat(chunks);
    const headers = responseHeaders(response.rawHeaders, LENGTH);
    const own = ["Content-Length", String(body.length), "Connection", "close"];
    sendHead(socket, response.statusCode ?? 502, reasonPhrase(response.statusMessage), [...headers, ...own]);
    socket.end(body);
  };
  response.on("end", finish);
  response.on("close", finish);
  response.on("error", finish);
}

function sendHead(socket: Duplex, status: number, phrase: string, headers: readonly string[]): void {
  const lines = [`HTTP/1.1 ${status} ${phrase}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

const UNREAD: TunnelTap = { clientChunk: () => undefined, serverChunk: () => undefined, end: () => undefined };

/** Reads both directions. A failure of reading ends the reading, never the connection. */
function createTap(
  { header, target }: UpgradeRequest,
  extensions: string | undefined,
  context: ExchangeContext,
): TunnelTap {
  const head = headFor(target.upstream, header);
  if (head("x-toolmend-record") === "off") return UNREAD;
  try {
    const isClientKnown = (): boolean => !client.isBusy;
    const connection = new ResponsesConnection({ context, head, provider: target.upstream.name, isClientKnown });
    const onFailure = (error: unknown): void => connection.lose(error);
    let closedBy: "client" | "server" | undefined;
    const client = new MessageReader("client", extensions, {
      onText: (text) => connection.fromClient(text),
      onClose: () => {
        closedBy ??= "client";
      },
      onFailure,
    });
    const server = new MessageReader("server", extensions, {
      onText: (text) => connection.fromServer(text),
      onClose: () => {
        closedBy ??= "server";
      },
      onFailure,
    });
    return {
      clientChunk: (chunk) => client.push(chunk),
      serverChunk: (chunk) => server.push(chunk),
      end(endedBy) {
        const close = (): void => connection.close((closedBy ?? endedBy) === "client" ? "client_gone" : "truncated");
        client.end(() => server.end(close));
      },
    };
  } catch (error) {
    context.recording.onUnreadable("response: WebSocket extension not known");
    context.onFailure("recording", error);
    return UNREAD;
  }
}
