import type { CallOrigin } from "../../core/model/tool-call.ts";

/** One call of a tool as a model made it: nothing in it is checked yet. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the raw text the model wrote. */
  readonly arguments: unknown;
  /** Absent for native calls. */
  readonly origin?: CallOrigin;
  /** Which leaked format it was written in; only when recovered. */
  readonly format?: string;
  /** What had to be mended to read it; only when recovered. */
  readonly repairs?: readonly string[];
}

/** Something a provider wants back with a turn, unread: a reasoning item, a thinking block. */
export interface ProviderBlock {
  readonly data: unknown;
  /** The calls it stands in front of. When none of them is left, it goes too. */
  readonly callIds?: readonly string[];
}

/** What a provider wants back with an assistant message. */
export interface ProviderTurn {
  /**
   * The provider verifies the message as it was (Anthropic's signed thinking): its calls stay or go together, never one
   * by one.
   */
  readonly sealed?: boolean;
  readonly blocks: readonly ProviderBlock[];
}

/** A call that the model no longer sees, kept for the page. */
export interface DroppedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Where it stood among the calls of its turn. */
  readonly index: number;
  readonly error: SafeError;
}

/** What an end user may read about a failure; never raw. */
export interface SafeError {
  readonly category: string;
  readonly message: string;
  readonly tool?: string;
  readonly retryable: boolean;
  /** Links the text to the log. */
  readonly ref?: string;
}

/** One message of a conversation, neutral between the APIs. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** Only on assistant messages. */
  readonly toolCalls?: readonly ModelCall[];
  /** Only on tool messages: the call it answers. */
  readonly toolCallId?: string;
  /** Only on tool messages: the tool's name. */
  readonly name?: string;
  /** Only on tool messages: the call failed. */
  readonly isError?: boolean;
  /** Only on tool messages: what the page shows; the model reads `content`. */
  readonly shown?: { readonly result: unknown } | { readonly error: SafeError };
  /** Only on assistant messages. */
  readonly provider?: ProviderTurn;
  /** Which round of which run it belongs to: ids of calls are only unique within one. */
  readonly turn?: string;
  /** Written by the loop for the model alone: not stored, not shown, gone when the run ends. */
  readonly note?: true;
  /** Only on assistant messages: failed calls that were taken out of the model's history. */
  readonly dropped?: readonly DroppedCall[];
}
