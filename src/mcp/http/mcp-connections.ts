import type { Hasher } from "../../core/model/call-key.ts";
import type { McpHeader } from "../event.ts";

/** What is shared by the exchanges of one client with one MCP server over HTTP. */
export interface McpConnection {
  /** A hash of the protocol's session id. Absent if the server has no sessions: then clients cannot be told apart. */
  readonly id?: string;
  /** The names in the newest `initialize`. */
  known: Pick<McpHeader, "client" | "server_info">;
}

/** An evicted connection only loses its names: its id follows from the session id. */
const MAX_CONNECTIONS = 1000;
const ID_CHARS = 32;

/** Finds the connection of an exchange by the protocol's session id, which is a credential and is not kept. */
export class McpConnections {
  readonly #hash: Hasher;
  readonly #connections = new Map<string, McpConnection>();

  /** @param hash a keyed hash */
  constructor(hash: Hasher) {
    this.#hash = hash;
  }

  find(server: string, sessionId: string): McpConnection {
    const id = this.#hash(`mcp-session\u0000${server}\u0000${sessionId}`).slice(0, ID_CHARS);
    const connection = this.#connections.get(id) ?? { id, known: {} };
    // Moves it behind the others: the first one is evicted.
    this.#connections.delete(id);
    this.#connections.set(id, connection);
    for (const oldest of this.#connections.keys()) {
      if (this.#connections.size <= MAX_CONNECTIONS) break;
      this.#connections.delete(oldest);
    }
    return connection;
  }
}
