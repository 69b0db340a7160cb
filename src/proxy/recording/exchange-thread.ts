import { type Hasher, isValidId, ROOT_AGENT } from "../../core/model/call-key.ts";
import { isReusableId } from "../../core/model/locate-call.ts";
import type { StoredResponseRef } from "../../core/model/observation.ts";
import { continuedSession, conversationOf, derivedSession, type Identity } from "../../core/wire/identity.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type HeaderLookup,
  readIdentity,
  turnSignature,
  WIRE,
} from "../../core/wire/index.ts";
import type { BodyText } from "../body/body-text.ts";
import type { PromptPosition } from "./prompt-cache.ts";
import { type CachedTurn, onlyReusable, type ResponseCache, trimCalls } from "./response-cache.ts";
import { type ConversationLookup, countOwnResults, type StoredConversations } from "./stored-conversations.ts";

/** Session, agent and conversation of an exchange. */
export interface Thread {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The response that the request continues, if the provider stores the history. */
  readonly before?: CachedTurn;
}

export interface ThreadFinderOptions {
  readonly api: Api;
  readonly head: HeaderLookup;
  readonly provider: string;
  readonly responses: ResponseCache;
  readonly hash: Hasher;
  readonly now: () => number;
  /** Looks up responses that are not cached. If absent, the store is not queried. */
  readonly storedConversations?: StoredConversations | undefined;
}

type FirstMessages = Pick<DecodedRequest, "firstUserText" | "firstTurn">;

/** Finds the thread of one exchange: by the client's headers, by the response it continues, or by its first turn. */
export class ThreadFinder {
  readonly #options: ThreadFinderOptions;
  readonly #request: FirstMessages;
  readonly #identity: Identity;
  readonly #results: readonly string[];

  /** `results` returns the ids of results that the request contains without their calls. */
  constructor(
    options: ThreadFinderOptions,
    request: FirstMessages,
    identity: Identity,
    results: () => readonly string[] = () => [],
  ) {
    this.#options = options;
    // Copies only these fields, so that the texts of the request can be collected while the response is pending.
    this.#request = {
      firstUserText: request.firstUserText,
      ...(request.firstTurn !== undefined && { firstTurn: request.firstTurn }),
    };
    this.#identity = identity;
    this.#results = continuedId(identity) === undefined ? [] : results();
  }

  /**
   * Called with the request. Returns undefined if the thread depends on this response, or on an earlier one still being
   * read.
   */
  atRequest(): Thread | undefined {
    const before = this.#recall();
    if (!this.#isAllKnown(before)) return undefined;
    const { session_id } = this.#identity;
    return this.#thread(session_id ?? before?.session_id ?? this.#derive(this.#request.firstTurn), before);
  }

  /** Called at the end of the response. Returns undefined if the store must be queried with {@link lookUp}. */
  atEnd(response: DecodedResponse | undefined): Thread | undefined {
    const before = this.#recall();
    return this.#options.storedConversations === undefined || this.#isAllKnown(before)
      ? this.#threadAtEnd(response, before)
      : undefined;
  }

  /** Queries the store for the response that the request continues. Calls `onThread` whether or not it is found. */
  lookUp(
    response: DecodedResponse | undefined,
    options: Pick<ConversationLookup, "size" | "isUrgent">,
    onThread: (thread: Thread) => void,
  ): void {
    const { previous_response_id: previous, project } = this.#identity;
    const kind = previous === undefined ? "conversation" : "answer";
    const key = { project, kind, key: this.#storeKey(continuedId(this.#identity) ?? "") } as const;
    const lookup = { ...options, key, results: this.#results, recall: () => this.#recall() };
    this.#options.storedConversations?.find(lookup, (before) => onThread(this.#threadAtEnd(response, before)));
  }

  /**
   * Caches the data that a continuing request needs, and returns it for the store; undefined if the provider does not
   * store the response. `ids` returns the number of occurrences of each call id in the history, including this response.
   */
  remember(
    thread: Thread,
    response: DecodedResponse,
    ids: () => ReadonlyMap<string, number>,
    promptPosition: PromptPosition,
    at: number,
  ): StoredResponseRef | undefined {
    if (!this.#isStored) return undefined;
    // Without a valid id, no request can continue this response. Errors have none.
    if (response.id === undefined || !isValidId(response.id)) return undefined;
    const { responses, now } = this.#options;
    const { conversation_id } = this.#identity;
    const { session_id, agent_id, conversation } = thread;
    const counts = onlyReusable(ids());
    const turn = { session_id, agent_id, conversation, calls: trimCalls(response.calls), counts, promptPosition, at };
    responses.add(this.#key(response.id), turn, now());
    if (conversation_id !== undefined) responses.add(this.#key(conversation_id), turn, now());
    return {
      answer_key: this.#storeKey(response.id),
      ...(conversation_id !== undefined && { conversation_key: this.#storeKey(conversation_id) }),
      ...(counts.size > 0 && { counts: Object.fromEntries([...counts].slice(-MAX_COUNTS)) }),
      ...(promptPosition.count > 0 && { prompt_position: { count: promptPosition.count, ...promptPosition.last } }),
    };
  }

  /** Whether a later request may continue the response of this one. */
  get #isStored(): boolean {
    return this.#options.api === "responses" || this.#identity.is_thread === true;
  }

  #threadAtEnd(response: DecodedResponse | undefined, before: CachedTurn | undefined): Thread {
    const { previous_response_id, session_id } = this.#identity;
    const derived = () =>
      previous_response_id === undefined
        ? this.#derive(
            response === undefined ? "" : (response.signature ?? turnSignature(response.calls, response.text)),
          )
        : continuedSession(this.#credential(), previous_response_id, this.#options.hash);
    // At the end there is always a first turn to derive a session from.
    return this.#thread(session_id ?? before?.session_id ?? derived(), before) as Thread;
  }

  /** Whether neither the cache, later, nor the store could add anything. */
  #isAllKnown(before: CachedTurn | undefined): boolean {
    const { previous_response_id, conversation_id } = this.#identity;
    const { storedConversations } = this.#options;
    if (previous_response_id !== undefined) return before !== undefined;
    if (conversation_id === undefined || storedConversations === undefined) return true;
    if (before === undefined || !storedConversations.isShared) return before !== undefined;
    // Another server may have handled a later response of this conversation, unless the results can only belong to the
    // cached one.
    if (this.#results.length === 0 || this.#results.some(isReusableId)) return false;
    return countOwnResults(this.#results, before) === this.#results.length;
  }

  #thread(session: string | undefined, before: CachedTurn | undefined): Thread | undefined {
    if (session === undefined) return undefined;
    const { agent_id, session_id } = this.#identity;
    return {
      session_id: session,
      // A request that names no session or agent belongs to the agent of the response it continues.
      agent_id: session_id === undefined && agent_id === ROOT_AGENT ? (before?.agent_id ?? agent_id) : agent_id,
      conversation: before?.conversation ?? this.#conversation(),
      ...(before !== undefined && { before }),
    };
  }

  #recall(): CachedTurn | undefined {
    const { responses, now } = this.#options;
    const continued = continuedId(this.#identity);
    return continued === undefined ? undefined : responses.find(this.#key(continued), now());
  }

  #conversation(): string {
    const { previous_response_id: previous } = this.#identity;
    // The first text of a continuing request is not the first text of its conversation.
    const firstUserText = previous === undefined ? this.#request.firstUserText : `continued ${previous}`;
    return conversationOf({ firstUserText }, this.#options.hash);
  }

  #derive(firstTurn: string | undefined): string | undefined {
    if (firstTurn === undefined) return undefined;
    return derivedSession(this.#credential(), this.#request, firstTurn, this.#options.hash);
  }

  /**
   * Includes the provider and the hashed credential: a response id belongs to one provider and is only as secret as its
   * key.
   */
  #key(id: string): string {
    return [this.#options.provider, this.#identity.project, this.#options.hash(this.#credential()), id].join("\u0000");
  }

  /** The key for the store. Salted, so that it reveals nothing and cannot be tested by brute force. */
  #storeKey(id: string): string {
    return this.#options.hash(`held\u0000${this.#key(id)}`).slice(0, 32);
  }

  #credential(): string {
    const { head } = this.#options;
    return head("x-api-key") ?? head("x-goog-api-key") ?? head("authorization") ?? "";
  }
}

/** Returns the session of a request before its response. Undefined if the session depends on the response. */
export function sessionOfRequest(
  body: unknown,
  restore: BodyText["restore"],
  options: ThreadFinderOptions,
): { readonly project: string; readonly session_id: string } | undefined {
  const decoded = WIRE[options.api].decodeRequest(body);
  if (decoded === undefined) return undefined;
  const { firstUserText, firstTurn } = decoded;
  const identity = readIdentity(options.head, body);
  const messages = restore({ firstUserText, ...(firstTurn !== undefined && { firstTurn }) });
  const thread = new ThreadFinder(options, messages, identity).atRequest();
  return thread && { project: identity.project, session_id: thread.session_id };
}

/** Returns the id of the stored response or conversation that a request continues. */
function continuedId({ previous_response_id, conversation_id }: Identity): string | undefined {
  return previous_response_id ?? conversation_id;
}

/**
 * Keeps the counts of the latest reusable ids. A server that numbers calls through a conversation does not reuse the
 * first ones.
 */
const MAX_COUNTS = 256;
