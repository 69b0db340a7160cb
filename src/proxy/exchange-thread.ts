import { type Hasher, ROOT_AGENT } from "../core/model/call-key.ts";
import { continuedSession, conversationOf, derivedSession, type Identity } from "../core/wire/identity.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type RequestHead,
  readIdentity,
  turnSignature,
  WIRE,
} from "../core/wire/index.ts";
import type { BodyText } from "./body-text.ts";
import type { AskedSoFar } from "./request-prompts.ts";
import { onlyReusable, type RememberedTurn, type ResponseMemory } from "./response-memory.ts";

/** Where an exchange belongs. */
export interface Thread {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The answer that the request goes on from, where the provider holds the history. */
  readonly before?: RememberedTurn;
}

export interface ThreadFinderOptions {
  readonly head: RequestHead;
  readonly provider: string;
  readonly memory: ResponseMemory;
  readonly hash: Hasher;
  readonly now: () => number;
}

type FirstWords = Pick<DecodedRequest, "firstUserText" | "firstTurn">;

/** Finds the thread of one exchange: by what the client says, by an earlier answer, or by its own first turn. */
export class ThreadFinder {
  readonly #options: ThreadFinderOptions;
  readonly #request: FirstWords;
  readonly #identity: Identity;

  constructor(options: ThreadFinderOptions, request: FirstWords, identity: Identity) {
    this.#options = options;
    // Not the whole request: nothing of its texts is held while the answer takes its time.
    this.#request = {
      firstUserText: request.firstUserText,
      ...(request.firstTurn !== undefined && { firstTurn: request.firstTurn }),
    };
    this.#identity = identity;
  }

  /** When the request is known. Undefined while only an answer can tell: this one, or an earlier one that is still being read. */
  atRequest(): Thread | undefined {
    const { previous_response_id, session_id } = this.#identity;
    const before = this.#recall();
    if (before === undefined && previous_response_id !== undefined) return undefined;
    return this.#thread(session_id ?? before?.session_id ?? this.#derive(this.#request.firstTurn), before);
  }

  /** When the answer has ended: there is always one. */
  atEnd(answer: DecodedResponse | undefined): Thread {
    const { previous_response_id, session_id } = this.#identity;
    const before = this.#recall();
    const derived = () =>
      previous_response_id === undefined
        ? this.#derive(answer === undefined ? "" : (answer.signature ?? turnSignature(answer.calls, answer.text)))
        : continuedSession(this.#credential(), previous_response_id, this.#options.hash);
    return this.#thread(session_id ?? before?.session_id ?? derived(), before) as Thread;
  }

  /** Keeps what a request needs that goes on from this answer. `ids`: how often each id stands in the history with it. */
  remember(thread: Thread, answer: DecodedResponse, ids: ReadonlyMap<string, number>, asked: AskedSoFar): void {
    const { memory, now } = this.#options;
    const { session_id, agent_id, conversation } = thread;
    const calls = answer.calls.map(light);
    const counts = onlyReusable(ids);
    for (const id of [answer.id, this.#identity.conversation_id]) {
      if (id !== undefined)
        memory.add(this.#key(id), { session_id, agent_id, conversation, calls, counts, asked }, now());
    }
  }

  #thread(session: string | undefined, before: RememberedTurn | undefined): Thread | undefined {
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

  #recall(): RememberedTurn | undefined {
    const { memory, now } = this.#options;
    const held = this.#identity.previous_response_id ?? this.#identity.conversation_id;
    return held === undefined ? undefined : memory.find(this.#key(held), now());
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
  const words = restore({ firstUserText, ...(firstTurn !== undefined && { firstTurn }) });
  const thread = new ThreadFinder(options, words, identity).atRequest();
  return thread && { project: identity.project, session_id: thread.session_id };
}

const KEPT_ARGUMENTS = 4096;

/** Long arguments are not worth their memory: the record has them from the answer. */
function light(call: DecodedResponse["calls"][number]): DecodedResponse["calls"][number] {
  const { id, name, arguments: args } = call;
  const size = typeof args === "string" ? args.length : JSON.stringify(args ?? "").length;
  return size > KEPT_ARGUMENTS ? { id, name, arguments: undefined } : { id, name, arguments: args };
}
