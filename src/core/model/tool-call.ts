/** A value as JSON knows it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An object as JSON knows it: what the arguments of a call are. */
export type JsonObject = { readonly [key: string]: Json };

/** `native`: the model called through the API. `recovered`: the call leaked as text and was mended. */
export type CallOrigin = "native" | "recovered";

/** One call of a tool, as a model made it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  /** Which leaked format it was written in; only when recovered. */
  readonly format?: string;
  /** What had to be mended to read it; only when recovered. */
  readonly repairs?: readonly string[];
}

/** What came back for a call, as text. */
export interface ToolResult {
  readonly callId: string;
  readonly content: string;
  /** The protocol's own word (`is_error`, `isError`, a status field); absent when the protocol has none. */
  readonly isError?: boolean;
}
