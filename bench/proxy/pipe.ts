// The references: a bare node:http pipe, and the same pipe that also parses the request and every event after
// forwarding.
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { serveRequests } from "../frame/child.ts";
import { loopDelayHandlers } from "./loop-delay.ts";
import { memoryHandlers } from "./memory-handlers.ts";

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"]);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: "lifo" });

/** The last parsed value, stored so that parsing cannot be optimized away. */
export let parsed: unknown;

function listen({ upstream, parse }: { readonly upstream: string; readonly parse: boolean }): Promise<null> {
  const { hostname, port, host } = new URL(upstream);
  server.on("request", (request: IncomingMessage, response: http.ServerResponse) => {
    const onward = http.request({
      agent,
      hostname,
      port,
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: endToEnd(request.rawHeaders, host) as unknown as http.OutgoingHttpHeaders,
    });
    request.pipe(onward);
    if (parse) parseWhole(request);
    onward.on("response", (reply) => {
      response.sendDate = false;
      response.writeHead(reply.statusCode ?? 502, endToEnd(reply.rawHeaders));
      reply.pipe(response);
      if (!parse) return;
      if (reply.headers["content-type"]?.startsWith("text/event-stream")) parseEvents(reply);
      else parseWhole(reply);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => {
      if (!response.writableFinished) onward.destroy();
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
}

function endToEnd(raw: readonly string[], host?: string): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string];
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower)) headers.push(name, lower === "host" && host !== undefined ? host : value);
  }
  return headers;
}

function parseWhole(message: IncomingMessage): void {
  const chunks: Buffer[] = [];
  message.on("data", (chunk: Buffer) => chunks.push(chunk));
  message.on("end", () =>
    setImmediate(() => {
      parsed = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    }),
  );
}

function parseEvents(message: IncomingMessage): void {
  let remainder = "";
  message.on("data", (chunk: Buffer) => {
    remainder += chunk.toString("utf8");
    for (let end = remainder.indexOf("\n\n"); end !== -1; end = remainder.indexOf("\n\n")) {
      const data = remainder.indexOf("data: ");
      if (data !== -1 && data < end) parsed = JSON.parse(remainder.slice(data + 6, end));
      remainder = remainder.slice(end + 2);
    }
  });
}

const server = http.createServer();
server.keepAliveTimeout = 120_000;
serveRequests(
  {
    start: listen,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drain: () => null,
    ...loopDelayHandlers(),
    ...memoryHandlers(),
  },
  async () => server.closeAllConnections(),
);
