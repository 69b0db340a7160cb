import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopback } from "../access-control.ts";

/**
 * Detects requests that this proxy sent to itself: an upstream whose URL points back here would forward each request
 * endlessly. Compares the ports of outgoing connections, so requests need no extra header. Does not detect a cycle
 * through a second proxy.
 */
export class ProxyCycleCheck {
  readonly #routes = new Set<string>();
  readonly #watched = new WeakSet<Socket>();

  /** Tracks the connection of an upstream request until it closes. */
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
    // Both ports: another client may use the same local port for another destination.
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
