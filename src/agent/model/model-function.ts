import type { Message, ModelCall, ProviderTurn } from "./message.ts";

/** A JSON Schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A tool as it is declared to a model, neutral between the APIs. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
}

/** How a turn ended. Only `stop` and `tool-calls` let its calls run. */
export type FinishReason = "stop" | "tool-calls" | "length" | "refusal" | "content-filter" | "error";

/** A piece of a turn, as it streams in. A turn without `finish` counts as cut off. */
export type ModelDelta =
  | { readonly kind: "text"; readonly text: string }
  /** A whole call. */
  | { readonly kind: "call"; readonly call: ModelCall }
  /** A piece of a call: pieces with the same index are one call, their `arguments` are joined. */
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
      /** With reason `error`: what the provider said. Stays on this side. */
      readonly error?: unknown;
    };

/** What a model is asked. */
export interface ModelRequest {
  /** Every call in it is answered exactly once, and call ids are unique. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: "auto" | "none";
  readonly signal: AbortSignal;
  /** From 1. */
  readonly round: number;
}

type Deltas = AsyncIterable<ModelDelta> | Iterable<ModelDelta>;

/** Any model behind any API. May throw: the loop turns errors of providers into safe categories. */
export type ModelFunction = (request: ModelRequest) => Deltas | Promise<Deltas>;

/** A turn, put together from its pieces. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** `undefined`: the stream ended without saying why. */
  readonly finish: FinishReason | undefined;
  readonly provider?: ProviderTurn | undefined;
  readonly error?: unknown;
}
