import { type Hasher, isValidId, ROOT_AGENT } from "../model/call-key.ts";
import { isObject, parseJson, text } from "./json.ts";
import type { DecodedRequest } from "./turn.ts";

/** The headers of a request, lower case, one value each. */
export type HeaderLookup = (name: string) => string | undefined;

/** Whose request this is. `session_id` is absent when only the first answer, or an earlier one, can tell. */
export interface Identity {
  readonly project: string;
  readonly agent_id: string;
  readonly session_id?: string;
  /** The answer that this request goes on from, where the provider holds the history. */
  readonly previous_response_id?: string;
  /** The conversation that the provider holds. */
  readonly conversation_id?: string;
}

const SESSION_HEADERS_BEFORE_BODY = ["x-toolmend-session", "x-claude-code-session-id"] as const;
const SESSION_HEADERS_AFTER_BODY = ["session-id", "session_id", "x-session-id", "x-session-affinity"] as const;

/** Clients whose `prompt_cache_key` is their session; for all others it is a bucket that a whole application may share. */
const CACHE_KEY_IS_SESSION = /^(?:codex|opencode|zed)\b|^codex_/i;

/** Reads who is talking, by what the client says of itself; see {@link derivedSession} for those who say nothing. */
export function readIdentity(head: HeaderLookup, body: unknown): Identity {
  const fields = isObject(body) ? body : {};
  const conversation = conversationId(fields.conversation);
  const previous = valid(text(fields.previous_response_id));
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
  };
}

/** The agent inside a session. Codex names its threads, and gives the root one the session's own id. */
function agentOf(head: HeaderLookup, session: string | undefined): string {
  const stated = firstValid(head, ["x-toolmend-agent", "x-claude-code-agent-id"]);
  if (stated !== undefined) return stated;
  const metadata = head("x-codex-turn-metadata");
  const turn = metadata === undefined ? undefined : parseJson(metadata);
  const { agent_name, thread_id } = isObject(turn) ? turn : {};
  if (agent_name === "/root") return ROOT_AGENT;
  const thread = valid(head("thread-id")) ?? valid(text(thread_id)) ?? valid(text(agent_name)?.replace(/^\/+/, ""));
  return thread === undefined || thread === session ? ROOT_AGENT : thread;
}

type FirstWords = Pick<DecodedRequest, "firstUserText">;

/**
 * The id of a session whose client sends none: whose key, which first message, which first answer. Every later request carries all
 * three in its history, so no state is needed, and parallel runs of one prompt stay apart.
 */
export function derivedSession(credential: string, request: FirstWords, firstTurn: string, hash: Hasher): string {
  return `derived-${hash(["session", hash(credential), request.firstUserText, firstTurn].join("\u0000")).slice(0, 24)}`;
}

/** The id of a session of which only the middle is seen: nobody remembers the answer that it goes on from. */
export function continuedSession(credential: string, previousResponse: string, hash: Hasher): string {
  return `derived-${hash(["continued", hash(credential), previousResponse].join("\u0000")).slice(0, 24)}`;
}

/** Names the conversation inside a thread: a compaction begins a new one. */
export function conversationOf(request: FirstWords, hash: Hasher): string {
  return hash(`conversation\u0000${request.firstUserText}`).slice(0, 12);
}

function firstValid(head: HeaderLookup, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = head(name);
    if (value !== undefined && isValidId(value)) return value;
  }
  return undefined;
}

/** Claude Code's `metadata.user_id`: an object, a JSON text, or the older `user_…_session_…`. */
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

/** An id, or an object with one. */
function conversationId(conversation: unknown): string | undefined {
  return valid(text(isObject(conversation) ? conversation.id : conversation));
}

function valid(id: string | undefined): string | undefined {
  return id !== undefined && isValidId(id) ? id : undefined;
}
