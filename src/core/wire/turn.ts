import type { TokenUsage } from "../model/token-usage.ts";
import type { HistoryPrompt } from "./human-prompt.ts";

export type { TokenUsage } from "../model/token-usage.ts";

/** The APIs that Toolmend parses; all other traffic is passed through. */
export const APIS = ["anthropic", "chat", "responses", "gemini", "ollama"] as const;
export type Api = (typeof APIS)[number];

/** The APIs from whose histories leaks are removed. In Gemini's, parts may have a signature of their content. */
export const CLEANABLE_APIS = ["anthropic", "chat", "responses", "ollama"] as const satisfies readonly Api[];
export type CleanableApi = (typeof CLEANABLE_APIS)[number];

export function isCleanable(api: Api): api is CleanableApi {
  return api !== "gemini";
}

/** The field with the messages or items of a request. */
export function historyField(api: Api): "messages" | "input" | "contents" {
  return api === "responses" ? "input" : api === "gemini" ? "contents" : "messages";
}

/** A call in a request's history, with its result if the history contains one. */
export interface HistoryCall {
  readonly id: string;
  /** How often the same id occurred earlier in this history. */
  readonly n: number;
  /** Absent when only the result is in the history: the call was compacted away. */
  readonly name?: string;
  readonly arguments?: unknown;
  readonly result?: HistoryResult;
  /** Index of the message or item with the result. */
  readonly resultAt?: number;
  /**
   * The turn, named after the first call of the message (`id`, or `id/n` if the id was used before), and the position
   * within it.
   */
  readonly turn?: string;
  readonly turnIndex?: number;
  /** The conversation continued without a result for this call. */
  readonly unanswered?: true;
}

/** A result as the client sent it; `content` may be a string, parts, or absent. */
export interface HistoryResult {
  readonly content: unknown;
  readonly is_error?: boolean;
}

export interface DeclaredTool {
  readonly name: string;
  readonly parameters?: unknown;
}

/** A decoded request of any API. */
export interface DecodedRequest {
  readonly model?: string;
  readonly streaming: boolean;
  readonly messageCount: number;
  readonly tools: readonly DeclaredTool[];
  readonly calls: readonly HistoryCall[];
  /** Messages written by people, in order. */
  readonly prompts: readonly HistoryPrompt[];
  /**
   * Text of the first user message. It identifies the conversation, because it stays the same while the history grows.
   */
  readonly firstUserText: string;
  /** The first assistant turn in the form of {@link turnSignature}; absent in a first request. */
  readonly firstTurn?: string;
}

/** A call made by the model. `arguments` is the text the model wrote, or an object if the API sends one. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** A decoded response, streamed or not. */
export interface DecodedResponse {
  readonly id?: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly text: string;
  readonly calls: readonly MadeCall[];
  /**
   * The turn as {@link DecodedRequest.firstTurn} of a later request will contain it. Absent if that is the {@link
   * turnSignature} of all calls.
   */
  readonly signature?: string;
  /** Empty if the response reports none. */
  readonly usage: TokenUsage;
  /** An error reported by the API, also inside a stream that started with status 200. */
  readonly error?: string;
  /** The stream signaled its end. Always true for a JSON body. */
  readonly finished: boolean;
}

/** Decodes a stream event by event. */
export interface StreamDecoder {
  /** `json`: the parsed data, if the caller has parsed it already. */
  push(data: string, json?: unknown): void;
  end(): DecodedResponse;
}

/** What the folder of each API provides. */
export interface WireApi {
  readonly decodeRequest: (body: unknown) => DecodedRequest | undefined;
  readonly decodeResponse: (body: unknown) => DecodedResponse | undefined;
  readonly createStreamDecoder: () => StreamDecoder;
}

/**
 * Distinguishes two runs of one prompt: the ids and names of the first calls, or else the first text with whitespace
 * collapsed.
 */
export function turnSignature(
  calls: readonly { readonly id: string; readonly name?: string | undefined }[],
  text: string,
): string {
  if (calls.length > 0) return calls.map(({ id, name }) => `${id} ${name ?? ""}`).join("\n");
  return text.replace(/\s+/g, " ").trim();
}
