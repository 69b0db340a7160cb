import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP relay that can be slow or drop all traffic silently, without closing connections. */
export interface Relay {
  readonly port: number;
  delayMs: number;
  /** While cut, bytes in both directions are discarded, also those of new connections. */
  cut: boolean;
  close(): Promise<void>;
}

/** Shortened: a real server detects the loss after eleven seconds, see the keepalive of the store's transactions. */
const KEEPALIVE_MS = 2000;

export async function openRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const relay = { port: 0, delayMs: 0, cut: false, close: async (): Promise<void> => undefined };
  const join = (from: Socket, to: Socket, onDropped: () => void): void => {
    from.on("data", (chunk) => {
      if (relay.cut) {
        // Discarded bytes are never resent, so the connection never recovers.
        from.removeAllListeners("data");
        from.resume();
        onDropped();
      } else if (relay.delayMs === 0) to.write(chunk);
      else setTimeout(() => to.destroyed || to.write(chunk), relay.delayMs);
    });
    from.on("close", () => {
      sockets.delete(from);
      if (!relay.cut) setTimeout(() => to.destroy(), relay.delayMs);
    });
    from.on("error", () => undefined);
  };
  const server = createServer((near) => {
    sockets.add(near);
    const far = connect(target, "127.0.0.1");
    sockets.add(far);
    // The client is not notified; the server's side of the connection ends when its keepalive gets no response.
    const onDropped = (): void => void setTimeout(() => far.destroy(), KEEPALIVE_MS);
    join(near, far, onDropped);
    join(far, near, onDropped);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  relay.port = (server.address() as AddressInfo).port;
  relay.close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return relay;
}
