import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopback } from "../access-control.ts";

/**
 * Knows requests that come from ourselves: an upstream whose URL leads back to us would send them round until something breaks. Told by the
 * ports our own connections leave from, so that nothing has to be added to what clients send. A circle of two proxies is not seen.
 */
export class ProxyCycleCheck {
  readonly #routes = new Set<string>();
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
    const { localPort, remotePort } = socket;
    // Both ends: another client may leave from the same port, for another destination.
    const route = `${localPort} to ${remotePort}`;
    this.#routes.add(route);
    socket.once("close", () => this.#routes.delete(route));
  }

  isFromThisProxy({ socket }: IncomingMessage): boolean {
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    if (!this.#routes.has(`${remotePort} to ${localPort}`)) return false;
    return remoteAddress === localAddress || isLoopback((remoteAddress ?? "").replace(/^::ffff:/, ""));
  }
}
