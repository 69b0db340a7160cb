import type { CallOrigin } from "../../core/model/tool-call.ts";
import type { ContentPart } from "./content-part.ts";

/** A tool call as the model made it; nothing is validated yet. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the raw text the model wrote. */
  readonly arguments: unknown;
  /** Absent for native calls. */
  readonly origin?: CallOrigin;
  /** Leak format it was written in; only for recovered calls. */
  readonly format?: string;
  /** Repairs needed to parse it; only for recovered calls. */
  readonly repairs?: readonly string[];
}

/** Opaque data that a provider expects back with a turn, such as a reasoning item or a thinking block. */
export interface ProviderBlock {
  readonly data: unknown;
  /** The calls it belongs to. If none of them is kept, the block is dropped too. */
  readonly callIds?: readonly string[];
}

/** Data that a provider expects back with an assistant message. */
export interface ProviderTurn {
  /**
   * The provider verifies the message unchanged (Anthropic's signed thinking): its calls are kept or dropped together.
   */
  readonly sealed?: boolean;
  readonly blocks: readonly ProviderBlock[];
}

/** A call that was removed from the model's history and is kept for the page. */
export interface DroppedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Its index among the calls of its turn. */
  readonly index: number;
  readonly error: SafeError;
  /** Present only if a note reports the call to the model, in this run and in later ones. */
  readonly summary?: FailureSummary;
}

/** What a note needs to know about a failed call. */
export interface FailureSummary {
  readonly category: string;
  readonly retryable: boolean;
  readonly permanent: boolean;
  /** Whether the tool ran, so that side effects are possible. */
  readonly executed: boolean;
}

/** A failure as shown to end users; never contains raw error text. */
export interface SafeError {
  readonly category: string;
  readonly message: string;
  readonly tool?: string;
  readonly retryable: boolean;
  /** Links the message to the log. */
  readonly ref?: string;
}

/** A message in an API-independent format. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** The text; for parts that are not text, a placeholder. */
  readonly content: string;
  /** The whole content in order, if it is more than text: images, files, links. */
  readonly parts?: readonly ContentPart[];
  /** Only on assistant messages. */
  readonly toolCalls?: readonly ModelCall[];
  /** Only on tool messages: id of the call. */
  readonly toolCallId?: string;
  /** Only on tool messages: the tool's name. */
  readonly name?: string;
  /** Only on tool messages: the call failed. */
  readonly isError?: boolean;
  /** Only on tool messages: what the page shows; the model receives `content`. */
  readonly shown?: { readonly result: unknown } | { readonly error: SafeError };
  /** Only on assistant messages. */
  readonly provider?: ProviderTurn;
  /** The round and run it belongs to: call ids are unique only within a round. */
  readonly turn?: string;
  /** A note from the loop to the model: not stored, not shown, removed when the run ends. */
  readonly note?: true;
  /** Only on assistant messages: ids of calls that waited for an approval when the run ended. */
  readonly pending?: readonly string[];
  /** Only on assistant messages: failed calls that were removed from the model's history. */
  readonly dropped?: readonly DroppedCall[];
}
