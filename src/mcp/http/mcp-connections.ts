import type { Hasher } from "../../core/model/call-key.ts";
import type { McpHeader } from "../event.ts";
import type { Moment } from "../wrap/call-tracker.ts";
import type { Message, RequestId } from "../wrap/json-rpc.ts";

/** What is shared by the exchanges of one client with one MCP server over HTTP. */
export interface McpConnection {
  /** A hash of the protocol's session id. Absent if the server has no sessions: then clients cannot be told apart. */
  readonly id?: string;
  /** The names in the newest `initialize`. */
  known: Pick<McpHeader, "client" | "server_info">;
  /** Exchanges whose calls have no result yet. Without sessions, those of all clients. */
  readonly open: Set<OpenExchange>;
}

export interface OpenExchange {
  hasOpenCall(id: RequestId): boolean;
  cancel(cancellation: Cancellation): void;
  /** Cancels the call only if the exchange ends without its result. */
  cancelAtEnd(cancellation: Cancellation): void;
}

/** A notification of the client that it no longer waits for a call. */
export interface Cancellation {
  readonly id: RequestId;
  readonly message: Message;
  readonly now: Moment;
}

/** Passes a cancellation to the call, whose exchange is another one. */
export function cancelCall({ id, open }: McpConnection, cancellation: Cancellation): void {
  const exchanges = [...open].filter((exchange) => exchange.hasOpenCall(cancellation.id));
  if (id !== undefined) for (const exchange of exchanges) exchange.cancel(cancellation);
  // Clients count their requests alike, so this may be the call of another client. Then its result still follows.
  else if (exchanges.length === 1) exchanges[0]?.cancelAtEnd(cancellation);
}

/** An evicted connection only loses its names: its id follows from the session id. */
const MAX_CONNECTIONS = 1000;
const ID_CHARS = 32;

/** Finds the connection of an exchange by the protocol's session id, which is a credential and is not kept. */
export class McpConnections {
  readonly #hash: Hasher;
  readonly #connections = new Map<string, McpConnection>();
  readonly #withoutSession = new Map<string, McpConnection["open"]>();

  /** @param hash a keyed hash */
  constructor(hash: Hasher) {
    this.#hash = hash;
  }

  find(server: string, sessionId: string): McpConnection {
    const id = this.#hash(`mcp-session\u0000${server}\u0000${sessionId}`).slice(0, ID_CHARS);
    const connection = this.#connections.get(id) ?? { id, known: {}, open: new Set() };
    // Moves it behind the others: the first one is evicted.
    this.#connections.delete(id);
    this.#connections.set(id, connection);
    for (const oldest of this.#connections.keys()) {
      if (this.#connections.size <= MAX_CONNECTIONS) break;
      this.#connections.delete(oldest);
    }
    return connection;
  }

  /** A connection with a server without sessions. */
  withoutSession(server: string): McpConnection {
    const open = this.#withoutSession.get(server) ?? new Set();
    this.#withoutSession.set(server, open);
    return { known: {}, open };
  }
}
