export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** `native`: the model made the call through the API. `recovered`: the call leaked as text and was repaired. */
export type CallOrigin = "native" | "recovered";

/** One tool call requested by a model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  /** The format of the leak; only for repaired calls. */
  readonly format?: string;
  /** The repairs needed to parse it; only for repaired calls. */
  readonly repairs?: readonly string[];
}

/** The result of a call, as text. */
export interface ToolResult {
  readonly callId: string;
  readonly content: string;
  /** The protocol's flag (`is_error`, `isError`, a status field); absent if the protocol has none. */
  readonly isError?: boolean;
}
