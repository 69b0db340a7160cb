import { type Hasher, isValidId, ROOT_AGENT } from "../model/call-key.ts";
import { isObject, parseJson, text } from "./json.ts";
import type { DecodedRequest } from "./turn.ts";

/** The headers of a request, lower case, one value each. */
export type RequestHead = (name: string) => string | undefined;

/** Whose request this is. `session_id` is absent when only the first answer can tell. */
export interface Identity {
  readonly project: string;
  readonly agent_id: string;
  readonly session_id?: string;
}

const SESSION_HEADERS_BEFORE_BODY = ["x-toolmend-session", "x-claude-code-session-id"] as const;
const SESSION_HEADERS_AFTER_BODY = ["session-id", "session_id", "x-session-id", "x-session-affinity"] as const;
const AGENT_HEADERS = ["x-toolmend-agent", "x-claude-code-agent-id", "thread-id"] as const;

/** Reads who is talking, by what the client says of itself; see {@link derivedSession} for those who say nothing. */
export function readIdentity(head: RequestHead, body: unknown): Identity {
  const session =
    firstValid(head, SESSION_HEADERS_BEFORE_BODY) ??
    sessionOfMetadata(body) ??
    firstValid(head, SESSION_HEADERS_AFTER_BODY);
  const agent = firstValid(head, AGENT_HEADERS);
  const project = head("x-toolmend-project");
  return {
    project: project !== undefined && isValidId(project) ? project : "default",
    // Codex puts the session's own id into thread-id of the root thread.
    agent_id: agent === undefined || agent === session ? ROOT_AGENT : agent,
    ...(session !== undefined && { session_id: session }),
  };
}

/**
 * The id of a session whose client sends none: whose key, which first message, which first answer. Every later request carries all
 * three in its history, so no state is needed, and parallel runs of one prompt stay apart.
 */
export function derivedSession(credential: string, request: DecodedRequest, firstTurn: string, hash: Hasher): string {
  return `derived-${hash(["session", hash(credential), request.firstUserText, firstTurn].join("\u0000")).slice(0, 24)}`;
}

/** Names the conversation inside a thread: a compaction begins a new one. */
export function conversationOf(request: DecodedRequest, hash: Hasher): string {
  return hash(`conversation\u0000${request.firstUserText}`).slice(0, 12);
}

function firstValid(head: RequestHead, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = head(name);
    if (value !== undefined && isValidId(value)) return value;
  }
  return undefined;
}

/** Claude Code's `metadata.user_id`: an object, a JSON text, or the older `user_…_session_…`. */
function sessionOfMetadata(body: unknown): string | undefined {
  const metadata = isObject(body) && isObject(body.metadata) ? body.metadata : undefined;
  const userId = metadata?.user_id;
  const value = typeof userId === "string" && userId.startsWith("{") ? parseJson(userId) : userId;
  if (isObject(value)) return valid(text(value.session_id));
  if (typeof value !== "string") return undefined;
  const at = value.lastIndexOf("_session_");
  return at === -1 ? undefined : valid(value.slice(at + "_session_".length));
}

function valid(id: string | undefined): string | undefined {
  return id !== undefined && isValidId(id) ? id : undefined;
}
