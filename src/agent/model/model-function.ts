import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { Message, ModelCall, ProviderTurn } from "./message.ts";

export type JsonSchema = { readonly [key: string]: unknown };

/** A tool declaration in an API-independent format. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
}

/**
 * How a turn ended. Calls run only after `stop` and `tool-calls`. `pause`: the provider wants to continue the turn in
 * another request.
 */
export type FinishReason = "stop" | "tool-calls" | "pause" | "length" | "refusal" | "content-filter" | "error";

/** A streamed part of a turn. A turn without `finish` counts as truncated. */
export type ModelDelta =
  | { readonly kind: "text"; readonly text: string }
  /** A complete call. */
  | { readonly kind: "call"; readonly call: ModelCall }
  /** A part of a call: parts with the same index form one call, and their `arguments` are joined. */
  | {
      readonly kind: "call-part";
      readonly index: number;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly arguments?: string | undefined;
    }
  | {
      readonly kind: "finish";
      readonly reason: FinishReason;
      readonly provider?: ProviderTurn | undefined;
      /** With reason `error`: the provider's error. It is never shown. */
      readonly error?: unknown;
      /** Tokens of this turn, if the provider reports them. */
      readonly usage?: TokenUsage | undefined;
    };

/** A request to the model. */
export interface ModelRequest {
  /** Every call has exactly one result, and call ids are unique. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: "auto" | "none";
  readonly signal: AbortSignal;
  /** From 1. */
  readonly round: number;
}

type Deltas = AsyncIterable<ModelDelta> | Iterable<ModelDelta>;

/** Any model behind any API. May throw: the loop converts provider errors to safe categories. */
export type ModelFunction = (request: ModelRequest) => Deltas | Promise<Deltas>;

/** A complete turn. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** `undefined`: the stream ended without a finish reason. */
  readonly finish: FinishReason | undefined;
  readonly provider?: ProviderTurn | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly error?: unknown;
}
