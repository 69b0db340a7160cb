/**
 * The files of the spool are JSON lines: a {@link McpHeader}, then events. The wrapper copies messages into them as
 * they were sent and parses as little as possible; the server reads them (`read-event.ts`).
 */
export type McpLine = McpHeader | McpCallLine | McpToolsLine | McpServerLine;

/** The fields shared by all events of a file. */
export interface McpHeader {
  readonly kind: "header";
  readonly v: 1;
  /** Id of the wrapper's process. */
  readonly instance: string;
  /** The server's name in the client's configuration. */
  readonly server: string;
  /** Id of the client's connection, if it has several files. A hash: the protocol's session id is a credential. */
  readonly connection?: string;
  /** The client's session, from its environment. */
  readonly session_id?: string;
  /** The names of client and server in `initialize`. */
  readonly client?: NamedVersion;
  readonly server_info?: NamedVersion;
}

export interface NamedVersion {
  readonly name?: string;
  readonly version?: string;
}

/** One tool call. */
export interface McpCallLine {
  readonly kind: "call";
  /** Unique among all calls of all wrappers. */
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number;
  /** By a monotonic clock, without the time in which the server waited for input. */
  readonly duration_ms: number;
  /** Number of requests, if the server asked for input. */
  readonly rounds?: number;
  /** The `tools/call` request. Without arguments if they are too large. */
  readonly request: unknown;
  /** The arguments were repaired on their way to the server; `request` is what the client sent. */
  readonly repaired?: true;
  /** The response; absent if there is an `outcome`. */
  readonly response?: unknown;
  readonly outcome?: McpOutcome;
}

/** The outcome of a call whose response the wrapper had to parse, or which has none. */
export type McpOutcome =
  | {
      readonly kind: "result";
      readonly is_error: boolean;
      /** Truncated; `size_bytes` is the size of the whole text. */
      readonly text: string;
      readonly size_bytes: number;
      /** Why a client may reject the result although the server reports success. */
      readonly problem?: OutputProblem;
    }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "cancelled"; readonly reason: string }
  /** The server ended while the call was open. */
  | { readonly kind: "gone"; readonly exit_code?: number; readonly signal?: string };

export type OutputProblem = "oversized";

/** A page of the tools that a server lists. */
export interface McpToolsLine {
  readonly kind: "tools";
  /** The first page replaces what the server listed before. */
  readonly is_first: boolean;
  readonly tools: readonly DeclaredTool[];
}

export interface DeclaredTool {
  readonly name: string;
  readonly has_description: boolean;
  readonly input_schema?: unknown;
  readonly output_schema?: unknown;
  /** The server declares that the tool may destroy data. */
  readonly is_destructive?: true;
}

/** Facts about the server's process, for the authors of servers. */
export interface McpServerLine {
  readonly kind: "server";
  readonly started_at: number;
  readonly ended_at: number;
  /** Lines on stdout that are not messages. */
  readonly noise_lines: number;
  readonly dropped_events: number;
}

/** The folder of wrappers inside the spool. */
export const MCP_SPOOL = "mcp";
