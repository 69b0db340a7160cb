import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";

/** A server over plain sockets, for bytes that no HTTP library would send. */
export async function startRawServer(
  onConnection: (socket: net.Socket) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A client over a plain socket, for bytes that no HTTP library would send. */
export interface RawClient {
  readonly socket: net.Socket;
  /** The bytes received so far, as latin1. */
  received(): string;
  /** The start of each response received so far: `HTTP/1.1 200`. */
  statuses(): readonly string[];
  /** Resolves when the connection is closed, also after an error. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export async function openRawClient(url: string): Promise<RawClient> {
  const { port, hostname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    received: () => received,
    statuses: () => received.match(/HTTP\/1\.1 \d+/g) ?? [],
    closed,
    async close() {
      socket.destroy();
    },
  };
}

export interface RawResponse {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** The connection broke before the body was complete. */
  readonly aborted: boolean;
}

/** Sends one request without redirects, retries or decoding; also resolves when the response is aborted. */
export function send(url: string, options: http.RequestOptions, body: Uint8Array | string = ""): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      const end = (aborted: boolean): void =>
        resolve({
          status: response.statusCode ?? 0,
          rawHeaders: response.rawHeaders,
          headers: response.headers,
          body: Buffer.concat(chunks),
          aborted,
        });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => end(false));
      response.on("error", () => end(true));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Waits until a condition holds; fails with the given description after the timeout. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`timed out after ${withinMs} ms waiting until: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
