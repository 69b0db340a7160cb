import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkAccess } from "../../proxy/access-control.ts";
import { forward } from "../../proxy/forward/forward.ts";
import { type Agents, createAgents } from "../../proxy/forward/upstream-request.ts";
import { discardBody } from "../../proxy/http/end-early.ts";
import { ErrorBoundary } from "../../proxy/http/error-boundary.ts";
import { MAX_HEADER_BYTES } from "../../proxy/http/headers.ts";
import { http } from "../../proxy/http/node-http.ts";
import { findTarget, type Upstream } from "../../proxy/upstreams.ts";
import { EventWriter } from "../wrap/event-writer.ts";
import { type McpConnection, McpConnections } from "./mcp-connections.ts";
import { McpExchange } from "./mcp-exchange.ts";

export interface HttpWrapperOptions {
  /** URL of the MCP server. */
  readonly url: URL;
  /** The server's name in the client's configuration. */
  readonly name: string;
  readonly port: number;
  /** The folder of wrappers inside the spool. */
  readonly spool: string;
}

const HOST = "127.0.0.1";

/** Forwards to one MCP server over HTTP and records its calls in the spool, without a running Toolmend server. */
export async function startHttpWrapper(options: HttpWrapperOptions): Promise<Server> {
  const upstream: Upstream = { name: options.name, url: options.url };
  const agents = createAgents();
  const createExchange = exchangeFactory(options);
  const server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const { port } = server.address() as AddressInfo;
    const sessionId = request.headers["mcp-session-id"];
    const exchange = createExchange(typeof sessionId === "string" ? sessionId : undefined);
    handle(request, response, { upstream, agents, port, exchange });
  });
  // Streams of events stay open for hours.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.listen(options.port, HOST);
  await once(server, "listening");
  return server;
}

/** The URL for the client's configuration. */
export function httpWrapperUrl(server: Server): string {
  return `http://${HOST}:${(server.address() as AddressInfo).port}/`;
}

interface Handling {
  readonly upstream: Upstream;
  readonly agents: Agents;
  readonly port: number;
  readonly exchange: McpExchange;
}

function handle(request: IncomingMessage, response: ServerResponse, handling: Handling): void {
  const { upstream, agents, port, exchange } = handling;
  const boundary = new ErrorBoundary(
    () => response.destroy(),
    () => response.destroy(),
  );
  boundary.own(request);
  boundary.own(response);
  boundary.run(() => {
    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const path = request.url ?? "/";
    const access = checkAccess(
      { method: request.method ?? "GET", path, header, localAddress: () => request.socket.localAddress },
      { host: HOST, port, allowedHosts: [] },
    );
    // A fixed name for the route to the only server, whose own name may contain a slash.
    const target = findTarget(`/mcp/server${path}`, header, new Map([["server", upstream]]));
    if (access.kind === "refuse" || target === undefined) {
      const { status, reason } = access.kind === "refuse" ? access : { status: 404, reason: "Path not found." };
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
      discardBody(request);
      return;
    }
    forward(request, response, {
      ...{ target, agents, boundary, exchange },
      headers: { dropAuthorization: false, dropCookie: false },
      arrivedAt: performance.now(),
      onFirstByte: () => undefined,
      // Failures end their exchange, which records the calls in it as failed.
      onFailure: () => undefined,
    });
  });
}

function exchangeFactory({ name, spool }: HttpWrapperOptions): (sessionId: string | undefined) => McpExchange {
  const key = randomUUID();
  const connections = new McpConnections((text) => hash("sha256", key + text, "hex"));
  // Only one client uses this wrapper, so a call without a session belongs to the client that connected last.
  const withoutSession = connections.withoutSession(name);
  return (sessionId) => {
    const connectionOf = (id: string): McpConnection => connections.find(name, id);
    return new McpExchange({
      server: name,
      instance: uniqueId(),
      connection: sessionId === undefined ? withoutSession : connectionOf(sessionId),
      connectionOf,
      fallback: {},
      now: () => ({ at: Date.now(), clock: performance.now() }),
      record(text) {
        const [header = "", ...lines] = Buffer.from(text).toString("latin1").trimEnd().split("\n");
        // The id is part of file names, and an exchange may be recorded in several files.
        const writer = new EventWriter({ folder: spool, instance: uniqueId(), header: () => header });
        for (const line of lines) writer.add(line);
        void writer.close();
      },
    });
  };
}

function uniqueId(): string {
  return randomUUID().replaceAll("-", "");
}
