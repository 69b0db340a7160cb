import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";

export interface WebSocketUpstream {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Messages of the client, in order. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

/** A server that answers each message of a client. `isCompressed`: it accepts compression and uses it for everything. */
export async function startWebSocketUpstream(
  answer: (message: string, socket: WebSocket) => void,
  { isCompressed = false, headers = {} as Readonly<Record<string, string>> } = {},
): Promise<WebSocketUpstream> {
  const requests: IncomingMessage[] = [];
  const received: string[] = [];
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: isCompressed ? { threshold: 0 } : false,
    maxPayload: 64 << 20,
  });
  sockets.on("headers", (lines) => {
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  });
  sockets.on("connection", (socket) => {
    socket.on("message", (data: RawData) => {
      const message = data.toString();
      received.push(message);
      answer(message, socket);
    });
    socket.on("error", () => undefined);
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    requests.push(request);
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit("connection", client, request));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    received,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
