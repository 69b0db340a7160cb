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
import type { PromptPosition } from "./request-prompts.ts";
import { type CachedTurn, onlyReusable, type ResponseCache, trimCalls } from "./response-cache.ts";
import { type ConversationLookup, countOwnResults, type StoredConversations } from "./stored-conversations.ts";

/** Where an exchange belongs. */
export interface Thread {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The answer that the request goes on from, where the provider holds the history. */
  readonly before?: CachedTurn;
}

export interface ThreadFinderOptions {
  readonly head: HeaderLookup;
  readonly provider: string;
  readonly responses: ResponseCache;
  readonly hash: Hasher;
  readonly now: () => number;
  /** Answers that only the store knows; absent: it is not asked. */
  readonly storedConversations?: StoredConversations | undefined;
}

type FirstMessages = Pick<DecodedRequest, "firstUserText" | "firstTurn">;

/** Finds the thread of one exchange: by what the client says, by an earlier answer, or by its own first turn. */
export class ThreadFinder {
  readonly #options: ThreadFinderOptions;
  readonly #request: FirstMessages;
  readonly #identity: Identity;
  readonly #results: readonly string[];

  /** `results`: ids of the results that the request brings without their calls. */
  constructor(
    options: ThreadFinderOptions,
    request: FirstMessages,
    identity: Identity,
    results: () => readonly string[] = () => [],
  ) {
    this.#options = options;
    // Not the whole request: nothing of its texts is held while the answer takes its time.
    this.#request = {
      firstUserText: request.firstUserText,
      ...(request.firstTurn !== undefined && { firstTurn: request.firstTurn }),
    };
    this.#identity = identity;
    this.#results = continuedId(identity) === undefined ? [] : results();
  }

  /** When the request is known. Undefined while only an answer can tell: this one, or an earlier one that is still being read. */
  atRequest(): Thread | undefined {
    const before = this.#recall();
    if (!this.#isAllKnown(before)) return undefined;
    const { session_id } = this.#identity;
    return this.#thread(session_id ?? before?.session_id ?? this.#derive(this.#request.firstTurn), before);
  }

  /** When the answer has ended. Undefined where only the store can tell: {@link lookUp}. */
  atEnd(response: DecodedResponse | undefined): Thread | undefined {
    const before = this.#recall();
    return this.#options.storedConversations === undefined || this.#isAllKnown(before)
      ? this.#threadAtEnd(response, before)
      : undefined;
  }

  /** Asks the store for the answer that the request goes on from, and tells the thread, found or not. */
  lookUp(
    response: DecodedResponse | undefined,
    waiting: Pick<ConversationLookup, "size" | "isUrgent">,
    onThread: (thread: Thread) => void,
  ): void {
    const { previous_response_id: previous, project } = this.#identity;
    const kind = previous === undefined ? "conversation" : "answer";
    const key = { project, kind, key: this.#storeKey(continuedId(this.#identity) ?? "") } as const;
    const lookup = { ...waiting, key, results: this.#results, recall: () => this.#recall() };
    this.#options.storedConversations?.find(lookup, (before) => onThread(this.#threadAtEnd(response, before)));
  }

  /** Keeps what a request needs that goes on from this answer, and says it for the record. `ids`: how often each id stands in the history with it. */
  remember(
    thread: Thread,
    response: DecodedResponse,
    ids: ReadonlyMap<string, number>,
    promptPosition: PromptPosition,
    at: number,
  ): StoredResponseRef | undefined {
    // What a client could not name will not be asked for; an error has no id, and nobody goes on from it.
    if (response.id === undefined || !isValidId(response.id)) return undefined;
    const { responses, now } = this.#options;
    const { conversation_id } = this.#identity;
    const { session_id, agent_id, conversation } = thread;
    const counts = onlyReusable(ids);
    const turn = { session_id, agent_id, conversation, calls: trimCalls(response.calls), counts, promptPosition, at };
    responses.add(this.#key(response.id), turn, now());
    if (conversation_id !== undefined) responses.add(this.#key(conversation_id), turn, now());
    return {
      answer_key: this.#storeKey(response.id),
      ...(conversation_id !== undefined && { conversation_key: this.#storeKey(conversation_id) }),
      ...(counts.size > 0 && { counts: Object.fromEntries([...counts].slice(-MAX_COUNTS)) }),
      ...(promptPosition.count > 0 && { asked: { count: promptPosition.count, ...promptPosition.last } }),
    };
  }

  #threadAtEnd(response: DecodedResponse | undefined, before: CachedTurn | undefined): Thread {
    const { previous_response_id, session_id } = this.#identity;
    const derived = () =>
      previous_response_id === undefined
        ? this.#derive(
            response === undefined ? "" : (response.signature ?? turnSignature(response.calls, response.text)),
          )
        : continuedSession(this.#credential(), previous_response_id, this.#options.hash);
    return this.#thread(session_id ?? before?.session_id ?? derived(), before) as Thread;
  }

  /** Is there nothing that a later look at the memory, or one at the store, could add? */
  #isAllKnown(before: CachedTurn | undefined): boolean {
    const { previous_response_id, conversation_id } = this.#identity;
    const { storedConversations } = this.#options;
    if (previous_response_id !== undefined) return before !== undefined;
    if (conversation_id === undefined || storedConversations === undefined) return true;
    if (before === undefined || !storedConversations.isShared) return before !== undefined;
    // Another server may have answered in the same conversation since; not if these results can only be for our own answer.
    if (this.#results.length === 0 || this.#results.some(isReusableId)) return false;
    return countOwnResults(this.#results, before) === this.#results.length;
  }

  #thread(session: string | undefined, before: CachedTurn | undefined): Thread | undefined {
    if (session === undefined) return undefined;
    const { agent_id, session_id } = this.#identity;
    return {
      session_id: session,
      // A request that says nothing of itself is its predecessor's.
      agent_id: session_id === undefined && agent_id === ROOT_AGENT ? (before?.agent_id ?? agent_id) : agent_id,
      conversation: before?.conversation ?? this.#conversation(),
      ...(before !== undefined && { before }),
    };
  }

  #recall(): CachedTurn | undefined {
    const { responses, now } = this.#options;
    const storedConversations = continuedId(this.#identity);
    return storedConversations === undefined ? undefined : responses.find(this.#key(storedConversations), now());
  }

  #conversation(): string {
    const { previous_response_id: previous } = this.#identity;
    // What is new in a request does not name what it continues.
    const firstUserText = previous === undefined ? this.#request.firstUserText : `continued ${previous}`;
    return conversationOf({ firstUserText }, this.#options.hash);
  }

  #derive(firstTurn: string | undefined): string | undefined {
    if (firstTurn === undefined) return undefined;
    return derivedSession(this.#credential(), this.#request, firstTurn, this.#options.hash);
  }

  /** Ids of answers are the provider's, and only as secret as its key. */
  #key(id: string): string {
    return [this.#options.provider, this.#identity.project, this.#options.hash(this.#credential()), id].join("\u0000");
  }

  /** The same for a store: nothing of it can be read there, nor tried without the salt. */
  #storeKey(id: string): string {
    return this.#options.hash(`held\u0000${this.#key(id)}`).slice(0, 32);
  }

  #credential(): string {
    const { head } = this.#options;
    return head("x-api-key") ?? head("authorization") ?? "";
  }
}

/** The session of a request whose answer has not come; undefined where only that will tell. */
export function sessionOfRequest(
  api: Api,
  body: unknown,
  restore: BodyText["restore"],
  options: ThreadFinderOptions,
): { readonly project: string; readonly session_id: string } | undefined {
  const decoded = WIRE[api].decodeRequest(body);
  if (decoded === undefined) return undefined;
  const { firstUserText, firstTurn } = decoded;
  const identity = readIdentity(options.head, body);
  const messages = restore({ firstUserText, ...(firstTurn !== undefined && { firstTurn }) });
  const thread = new ThreadFinder(options, messages, identity).atRequest();
  return thread && { project: identity.project, session_id: thread.session_id };
}

/** What a request goes on from. */
function continuedId({ previous_response_id, conversation_id }: Identity): string | undefined {
  return previous_response_id ?? conversation_id;
}

/** Of ids that are handed out again, the last ones: a server that counts through the whole conversation does not come back to the first. */
const MAX_COUNTS = 256;
