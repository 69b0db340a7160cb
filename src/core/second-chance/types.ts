import type { StreamFrame } from "../repair/types.ts";
import type { Fields } from "../wire/json.ts";
import type { Api } from "../wire/turn.ts";

/** The APIs whose responses can be requested again. */
export type AskableApi = Extract<Api, "anthropic" | "chat" | "responses">;

/** Why a call is certain to fail. */
export const SECOND_CHANCE_REASONS = ["unknown_tool", "missing_parameter", "unreadable_arguments"] as const;
export type SecondChanceReason = (typeof SECOND_CHANCE_REASONS)[number];

/**
 * How a second chance ended. `healed`: the client received the calls of the second response. `text`: the second
 * response is a response without calls. In all other cases the client received the first response.
 */
export const SECOND_CHANCE_RESULTS = [
  "healed",
  "text",
  /** The second response has no call that could work. */
  "no_better",
  /** The upstream returned an error status. */
  "rejected",
  "timeout",
  /** The second response was cut off, unreadable, or never arrived. */
  "failed",
  "client_gone",
] as const;
export type SecondChanceResult = (typeof SECOND_CHANCE_RESULTS)[number];

/** A call as the model wrote it. */
export interface AttemptCall {
  readonly id: string;
  /** Includes its namespace. */
  readonly name: string;
  /** Source text of the model. */
  readonly arguments: string;
  /** Accepts free text: nothing is checked. */
  readonly isCustom: boolean;
}

/** A block of a message or an item of a response, as the API writes it. */
export type Part =
  | { readonly kind: "text"; readonly item: Fields; readonly text: string }
  | { readonly kind: "thinking"; readonly item: Fields }
  | { readonly kind: "call"; readonly item: Fields; readonly call: AttemptCall };

/** One response of the model, streamed or not. */
export interface Attempt {
  readonly parts: readonly Part[];
  readonly stopReason: string | undefined;
  /** As the API reported it. */
  readonly usage: Fields | undefined;
  /** Contains something that cannot be copied into another response, such as a call that the provider runs. */
  readonly hasOther: boolean;
  /** Whether it signaled its end, without an error. */
  readonly isComplete: boolean;
}

/** A call that cannot work, and the message about it for the model. */
export interface HopelessCall {
  readonly call: AttemptCall;
  readonly reason: SecondChanceReason;
  /** The error result for the model. Contains no values of arguments. */
  readonly message: string;
}

/** The response that the client receives: the kept part of the first one, then the second one. */
export interface JoinedAttempt {
  /** Parts of the first response that are not calls. */
  readonly kept: readonly Part[];
  readonly added: readonly Part[];
  readonly stopReason: string | undefined;
  /** The sum of both. */
  readonly usage: Fields | undefined;
}

/** How an event of the first response is handled. */
export type EventHandling =
  /** It is sent. */
  | "pass"
  /** It waits, with everything after it, until the turn is decided. */
  | "hold"
  /** The turn cannot be requested again: everything is sent unchanged. */
  | "release";

/** Reads a stream event by event. */
export interface AttemptReader {
  push(frame: StreamFrame): EventHandling;
  /** The calls whose arguments are complete. */
  readonly finishedCalls: readonly AttemptCall[];
  end(): Attempt;
}

/** How one API writes responses and histories. */
export interface AttemptFormat {
  /** Returns undefined for a body that is not a response. */
  readBody(source: string): Attempt | undefined;
  createReader(): AttemptReader;
  /**
   * The request, followed by the model's turn and an error result for each of its calls. The original part keeps its
   * bytes, so that the provider's cache stays valid. Undefined if the API would reject that.
   */
  appendTurn(source: string, first: Attempt, results: readonly HopelessCall[]): string | undefined;
  joinBody(source: string, joined: JoinedAttempt): string;
  /** Replaces the held events of the first response, from its first call to its end. */
  joinStream(held: readonly StreamFrame[], joined: JoinedAttempt): readonly Uint8Array[];
}
