import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopback } from "./guard.ts";

/**
 * Knows requests that come from ourselves: an upstream whose URL leads back to us would send them round until something breaks. Told by the
 * ports our own connections leave from, so that nothing has to be added to what clients send. A circle of two proxies is not seen.
 */
export class OwnConnections {
  readonly #ports = new Set<number>();
  readonly #watched = new WeakSet<Socket>();

  /** Remembers where a request to an upstream leaves from, as long as its connection lives. */
  watch(upstream: ClientRequest): void {
    upstream.once("socket", (socket) => {
      if (this.#watched.has(socket)) return;
      this.#watched.add(socket);
      if (socket.connecting) socket.once("connect", () => this.#remember(socket));
      else this.#remember(socket);
    });
  }

  #remember(socket: Socket): void {
    const port = socket.localPort;
    if (port === undefined) return;
    this.#ports.add(port);
    socket.once("close", () => this.#ports.delete(port));
  }

  isOurs({ socket }: IncomingMessage): boolean {
    const { remoteAddress, remotePort, localAddress } = socket;
    if (remotePort === undefined || !this.#ports.has(remotePort)) return false;
    return remoteAddress === localAddress || isLoopback((remoteAddress ?? "").replace(/^::ffff:/, ""));
  }
}
