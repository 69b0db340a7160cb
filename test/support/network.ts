import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a server that can be slow, or cut without a word: nothing arrives any more, and nobody is told. */
export interface Line {
  readonly port: number;
  delayMs: number;
  /** While cut, bytes of both sides vanish, also those of new connections. */
  cut: boolean;
  close(): Promise<void>;
}

/** A real server finds out after eleven seconds: see the keepalive of the store's transactions. */
const KEEPALIVE_MS = 2000;

export async function openLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const line = { port: 0, delayMs: 0, cut: false, close: async (): Promise<void> => undefined };
  const join = (from: Socket, to: Socket, onDropped: () => void): void => {
    from.on("data", (chunk) => {
      if (line.cut) {
        // What was lost on the way is lost: the connection never recovers.
        from.removeAllListeners("data");
        from.resume();
        onDropped();
      } else if (line.delayMs === 0) to.write(chunk);
      else setTimeout(() => to.destroyed || to.write(chunk), line.delayMs);
    });
    from.on("close", () => {
      sockets.delete(from);
      if (!line.cut) setTimeout(() => to.destroy(), line.delayMs);
    });
    from.on("error", () => undefined);
  };
  const server = createServer((near) => {
    sockets.add(near);
    const far = connect(target, "127.0.0.1");
    sockets.add(far);
    // The client never hears of it; the server's side of the connection ends when its keepalive stays without an answer.
    const onDropped = (): void => void setTimeout(() => far.destroy(), KEEPALIVE_MS);
    join(near, far, onDropped);
    join(far, near, onDropped);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  line.port = (server.address() as AddressInfo).port;
  line.close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return line;
}
