import { type Hasher, isValidId, ROOT_AGENT } from "../model/call-key.ts";
import { type Fields, isObject, parseJson, text } from "./json.ts";
import type { DecodedRequest } from "./turn.ts";

/** Returns a request header by its lower-case name. */
export type HeaderLookup = (name: string) => string | undefined;

/**
 * Who sent the request. `session_id` is absent if the request alone does not determine it; then the first response, or
 * the one this request continues, does.
 */
export interface Identity {
  readonly project: string;
  readonly agent_id: string;
  readonly session_id?: string;
  /** The response this request continues, if the provider stores the history. */
  readonly previous_response_id?: string;
  /** The conversation stored by the provider. */
  readonly conversation_id?: string;
  /** Whether the provider stores this response for a later request, as a message thread of the Messages API. */
  readonly is_thread?: true;
}

const SESSION_HEADERS_BEFORE_BODY = ["x-toolmend-session", "x-claude-code-session-id"] as const;
const SESSION_HEADERS_AFTER_BODY = ["session-id", "session_id", "x-session-id", "x-session-affinity"] as const;

/**
 * Clients that send their session id as `prompt_cache_key`. For all others it is a cache bucket that a whole
 * application may share.
 */
const CACHE_KEY_IS_SESSION = /^(?:codex|opencode|zed)\b|^codex_/i;

/**
 * Determines the sender from what the client sends. For clients that send no session id, see {@link derivedSession}.
 */
export function readIdentity(head: HeaderLookup, body: unknown): Identity {
  const fields = isObject(body) ? body : {};
  const conversation = conversationId(fields.conversation);
  const previous = valid(text(fields.previous_response_id) ?? previousMessage(fields.thread));
  const session =
    firstValid(head, SESSION_HEADERS_BEFORE_BODY) ??
    sessionOfMetadata(fields.metadata) ??
    firstValid(head, SESSION_HEADERS_AFTER_BODY) ??
    sessionOfCacheKey(head, fields.prompt_cache_key) ??
    conversation;
  return {
    project: valid(head("x-toolmend-project")) ?? "default",
    agent_id: agentOf(head, session),
    ...(session !== undefined && { session_id: session }),
    ...(previous !== undefined && { previous_response_id: previous }),
    ...(conversation !== undefined && { conversation_id: conversation }),
    ...(isMessageThread(fields) && { is_thread: true }),
  };
}

/** Whether a Messages request belongs to a thread, of which the provider stores the messages. */
export function isMessageThread({ thread }: Fields): boolean {
  return isObject(thread);
}

/** A request that continues a thread has only the new messages. */
function previousMessage(thread: unknown): string | undefined {
  return isObject(thread) && thread.type === "continue" ? text(thread.previous_message_id) : undefined;
}

/** The agent within a session. Codex names its threads, and the root thread has the session's id. */
function agentOf(head: HeaderLookup, session: string | undefined): string {
  const explicit = firstValid(head, ["x-toolmend-agent", "x-claude-code-agent-id"]);
  if (explicit !== undefined) return explicit;
  const metadata = head("x-codex-turn-metadata");
  const turn = metadata === undefined ? undefined : parseJson(metadata);
  const { agent_name, thread_id } = isObject(turn) ? turn : {};
  if (agent_name === "/root") return ROOT_AGENT;
  const thread = valid(head("thread-id")) ?? valid(text(thread_id)) ?? valid(text(agent_name)?.replace(/^\/+/, ""));
  return thread === undefined || thread === session ? ROOT_AGENT : thread;
}

type FirstMessage = Pick<DecodedRequest, "firstUserText">;

/**
 * Session id for clients that send none, derived from the credential, the first message and the first response. Every
 * later request contains all three in its history, so no state is needed, and parallel runs of one prompt get different
 * ids.
 */
export function derivedSession(credential: string, request: FirstMessage, firstTurn: string, hash: Hasher): string {
  return `derived-${hash(["session", hash(credential), request.firstUserText, firstTurn].join("\u0000")).slice(0, 24)}`;
}

/** Session id for a request that continues a response Toolmend has no record of. */
export function continuedSession(credential: string, previousResponse: string, hash: Hasher): string {
  return `derived-${hash(["continued", hash(credential), previousResponse].join("\u0000")).slice(0, 24)}`;
}

/** Identifies the conversation within a thread; a compaction starts a new one. */
export function conversationOf(request: FirstMessage, hash: Hasher): string {
  return hash(`conversation\u0000${request.firstUserText}`).slice(0, 12);
}

function firstValid(head: HeaderLookup, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = head(name);
    if (value !== undefined && isValidId(value)) return value;
  }
  return undefined;
}

/** Session id in Claude Code's `metadata.user_id`: an object, a JSON string, or the older `user_…_session_…`. */
function sessionOfMetadata(metadata: unknown): string | undefined {
  const userId = isObject(metadata) ? metadata.user_id : undefined;
  const value = typeof userId === "string" && userId.startsWith("{") ? parseJson(userId) : userId;
  if (isObject(value)) return valid(text(value.session_id));
  if (typeof value !== "string") return undefined;
  const at = value.lastIndexOf("_session_");
  return at === -1 ? undefined : valid(value.slice(at + "_session_".length));
}

function sessionOfCacheKey(head: HeaderLookup, key: unknown): string | undefined {
  const isSession = [head("originator"), head("user-agent")].some((name) => CACHE_KEY_IS_SESSION.test(name ?? ""));
  return isSession ? valid(text(key)) : undefined;
}

/** Accepts an id, or an object with one. */
function conversationId(conversation: unknown): string | undefined {
  return valid(text(isObject(conversation) ? conversation.id : conversation));
}

function valid(id: string | undefined): string | undefined {
  return id !== undefined && isValidId(id) ? id : undefined;
}
