import type { HistoryPrompt } from "./human-prompt.ts";

/** The APIs whose bodies we understand; everything else passes unread. */
export const APIS = ["anthropic", "chat", "responses"] as const;
export type Api = (typeof APIS)[number];

/** A call as it stands in a request's history, with its result when that is there too. */
export interface HistoryCall {
  readonly id: string;
  /** How often the same id stood earlier in this history. */
  readonly n: number;
  /** Absent when only the result is in the history: the call was compacted away. */
  readonly name?: string;
  readonly arguments?: unknown;
  readonly result?: HistoryResult;
  /** The first call of the message it stands in (`id`, or `id/n` where the id was used before), and which of its calls it is. */
  readonly turn?: string;
  readonly turnIndex?: number;
  /** The conversation went on without a result for it. */
  readonly unanswered?: true;
}

/** A result as the client sent it; `content` may be text, parts, or nothing. */
export interface HistoryResult {
  readonly content: unknown;
  readonly is_error?: boolean;
}

export interface DeclaredTool {
  readonly name: string;
  readonly parameters?: unknown;
}

/** A request, whichever API it came through. */
export interface DecodedRequest {
  readonly model?: string;
  readonly streaming: boolean;
  readonly messageCount: number;
  readonly tools: readonly DeclaredTool[];
  readonly calls: readonly HistoryCall[];
  /** What people said, in order. */
  readonly prompts: readonly HistoryPrompt[];
  /** Text of the first user message: what stays the same as long as the conversation is the same. */
  readonly firstUserText: string;
  /** The first assistant turn as {@link turnSignature} writes it; absent in a first request. */
  readonly firstTurn?: string;
}

/** A call as the model made it. Arguments are the text the model wrote, or the object where the API gives one. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_creation_tokens?: number;
}

/** An answer, streamed or not. */
export interface DecodedResponse {
  readonly id?: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly text: string;
  readonly calls: readonly MadeCall[];
  /** The turn as a later request's {@link DecodedRequest.firstTurn} will have it, where that is not the {@link turnSignature} of all its calls. */
  readonly signature?: string;
  readonly usage: Usage;
  /** An error the API reported, also inside a stream that began with 200. */
  readonly error?: string;
  /** The stream said that it was over. Always true for a whole body. */
  readonly finished: boolean;
}

/** Reads a stream event by event. */
export interface StreamDecoder {
  push(data: string): void;
  end(): DecodedResponse;
}

/** What one API's folder offers. */
export interface WireApi {
  readonly decodeRequest: (body: unknown) => DecodedRequest | undefined;
  readonly decodeResponse: (body: unknown) => DecodedResponse | undefined;
  readonly createStreamDecoder: () => StreamDecoder;
}

/** What tells two runs of one prompt apart: the ids and names of the first calls, else the first words, white space squeezed. */
export function turnSignature(calls: readonly { readonly id: string; readonly name?: string }[], text: string): string {
  if (calls.length > 0) return calls.map(({ id, name }) => `${id} ${name ?? ""}`).join("\n");
  return text.replace(/\s+/g, " ").trim();
}
