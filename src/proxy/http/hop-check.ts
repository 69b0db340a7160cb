import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopback } from "../access-control.ts";

/**
 * Detects requests that this proxy sent to itself: an upstream whose URL points back here would forward each request
 * endlessly. Compares the ports of outgoing connections, so requests need no extra header. Does not detect a cycle
 * through a second proxy.
 */
export class ProxyCycleCheck {
  /** The open connections by their ports, and the upstream of each. */
  readonly #routes = new Map<string, string>();
  /** The upstream of the newest request on a connection: upstreams with the same address share connections. */
  readonly #upstreams = new WeakMap<Socket, string>();

  /** Tracks the connection of a request to an upstream until it closes. */
  watch(request: ClientRequest, upstream: string): void {
    request.once("socket", (socket) => {
      const isWatched = this.#upstreams.has(socket);
      this.#upstreams.set(socket, upstream);
      if (!socket.connecting) this.#remember(socket, isWatched);
      else if (!isWatched) socket.once("connect", () => this.#remember(socket));
    });
  }

  #remember(socket: Socket, isWatched = false): void {
    const { localPort, remotePort } = socket;
    // Both ports: another client may use the same local port for another destination.
    const route = `${localPort} to ${remotePort}`;
    this.#routes.set(route, this.#upstreams.get(socket) ?? "");
    if (!isWatched) socket.once("close", () => this.#routes.delete(route));
  }

  /** The upstream to which this proxy sent the request; undefined for a request of a client. */
  upstreamOf({ socket }: IncomingMessage): string | undefined {
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const upstream = this.#routes.get(`${remotePort} to ${localPort}`);
    if (upstream === undefined) return undefined;
    const isLocal = remoteAddress === localAddress || isLoopback((remoteAddress ?? "").replace(/^::ffff:/, ""));
    return isLocal ? upstream : undefined;
  }
}
