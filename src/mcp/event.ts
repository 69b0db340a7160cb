/** What the wrapper saw of one tool call. The server reduces it to an observation; see `read-event.ts`. */
export interface McpCallEvent {
  readonly kind: "call";
  /** Unique among all calls of all wrappers. */
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number;
  /** By a monotonic clock, without the time in which the server waited for input. */
  readonly duration_ms: number;
  /** The server's name in the client's configuration. */
  readonly server: string;
  readonly server_name?: string;
  readonly server_version?: string;
  /** As the client names itself to the server. */
  readonly client?: string;
  readonly client_version?: string;
  /** The client's session and the id of the model's call, where the client sends them. */
  readonly session_id?: string;
  readonly call_id?: string;
  /** Random id of the wrapper's process. */
  readonly instance: string;
  readonly tool: string;
  /** Absent if they are too large to be recorded. */
  readonly arguments?: unknown;
  readonly argument_bytes: number;
  /** Number of requests: more than 1 if the server asked for input. */
  readonly rounds: number;
  readonly outcome: McpOutcome;
}

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

/** `schema`: the structured content does not fit the tool's `outputSchema`, or is missing. */
export type OutputProblem = "schema" | "oversized";

/** What a wrapper's process saw of its server, for the people who write servers. */
export interface McpServerEvent {
  readonly kind: "server";
  readonly instance: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly server: string;
  readonly server_name?: string;
  readonly server_version?: string;
  readonly client?: string;
  /** Lines on stdout that are not messages. */
  readonly noise_lines: number;
  readonly largest_result_bytes: number;
  readonly dropped_events: number;
}

export type McpEvent = McpCallEvent | McpServerEvent;

/** One file of the spool. */
export interface McpEventFile {
  readonly v: 1;
  readonly events: readonly McpEvent[];
}

/** The folder of wrappers inside the spool. */
export const MCP_SPOOL = "mcp";
