import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import type { Fault } from "./faults.ts";

/** The upstream's response to one request. */
export type Turn = ModelTurn | ErrorTurn | RawTurn;

/** How the response is delivered; the same for every kind of turn. */
export interface Delivery {
  readonly delays?: Delays;
  readonly faults?: readonly Fault[];
  /** Added to the provider's own headers, or replacing them. */
  readonly headers?: { readonly [name: string]: string };
  /** Splits the body into socket writes of this many bytes, so that reads end inside events, lines and characters. */
  readonly writeBytes?: number;
}

interface Delays {
  /** Delay before the status line. */
  readonly headersMs?: number;
  /** Delay between two events of a stream. */
  readonly eventMs?: number;
}

/** The model's turn, in blocks that each API encodes its own way. */
export interface ModelTurn extends Delivery {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  /** Further choices of a chat completion (`n` > 1); the other APIs have none and ignore them. */
  readonly alternatives?: readonly (readonly Block[])[];
  /** By default `calls` when the turn has a call, else `end`. */
  readonly stopReason?: StopReason | VerbatimStopReason;
  /** By default the requested model. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly chunking?: Chunking;
}

/** An HTTP error in the provider's shape, or with a custom body. */
export interface ErrorTurn extends Delivery {
  readonly kind: "error";
  readonly status: number;
  /** By default the provider's type for this status. */
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  /** Seconds, or an HTTP date, for the `retry-after` header. */
  readonly retryAfter?: number | string;
  /** Sent unchanged instead of the provider's shape. */
  readonly body?: string;
}

/** Captured bytes, sent unchanged. */
export interface RawTurn extends Delivery {
  readonly kind: "raw";
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export type Block = TextBlock | ThinkingBlock | CallBlock | FillerBlock;

export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  /** Characters in a delta of this block; by default the turn's chunking. */
  readonly characters?: number;
  /** Sources of the text in the API's own shape: `citations` on Messages, `annotations` on the other two. */
  readonly citations?: readonly JsonObject[];
}

/** Anthropic: a thinking block. Chat: `reasoning_content`. Responses: a reasoning item with a summary. */
export interface ThinkingBlock {
  readonly kind: "thinking";
  readonly text: string;
  readonly signature?: string;
}

export interface CallBlock {
  readonly kind: "call";
  readonly name: string;
  /** A string is sent unchanged: malformed JSON, odd spacing, or the free text of a custom tool. */
  readonly arguments: JsonObject | string;
  /** By default the next id of the upstream. Set to imitate servers that reuse `call_0`. */
  readonly id?: string;
  /** A `custom_tool_call` on the Responses API and `type: "custom"` on Chat; Anthropic has no equivalent. */
  readonly custom?: boolean;
}

/** A text of this many bytes, generated while it is sent. */
export interface FillerBlock {
  readonly kind: "filler";
  readonly bytes: number;
}

export type StopReason = "end" | "calls" | "length" | "stop-sequence" | "refusal" | "content-filter";

/** A server-specific value (`eos`, `function_call`, null). The Responses API has no field for it and ignores it. */
interface VerbatimStopReason {
  readonly verbatim: string | null;
}

interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** How texts and arguments are split into deltas. */
export interface Chunking {
  readonly characters?: number;
  /** Chat only: id, name and all arguments of a call in one chunk, as many local servers send them. */
  readonly wholeCalls?: boolean;
}

export function say(text: string): TextBlock {
  return { kind: "text", text };
}

export function think(text: string): ThinkingBlock {
  return { kind: "thinking", text };
}

export function call(name: string, args: JsonObject | string = {}, id?: string): CallBlock {
  return id === undefined ? { kind: "call", name, arguments: args } : { kind: "call", name, arguments: args, id };
}

/**
 * A turn of these blocks; a string is a text.
 *
 * @example
 * const turn = respond("Let me look.", call("Read", { path: "a.txt" }));
 */
export function respond(...blocks: readonly (Block | string)[]): ModelTurn {
  return { kind: "answer", blocks: blocks.map((block) => (typeof block === "string" ? say(block) : block)) };
}

/** An HTTP error in the provider's own shape. */
export function refuse(status: number, details: Omit<ErrorTurn, "kind" | "status"> = {}): ErrorTurn {
  return { kind: "error", status, ...details };
}

/** The same turn, with these faults in its delivery. */
export function withFaults<T extends Turn>(turn: T, ...faults: readonly Fault[]): T {
  return { ...turn, faults: [...(turn.faults ?? []), ...faults] };
}
