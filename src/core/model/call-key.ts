/** Turns text into a hex digest. Core is isomorphic and has no crypto, so the caller passes a hash function. */
export type Hasher = (text: string) => string;

/** Identifies a thread: one agent in one session of one project. */
export interface ThreadKey {
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
}

/** Identifies the calls that share an id within one thread; nearly always a single call. */
export interface GroupKey extends ThreadKey {
  readonly tool_call_id: string;
}

/** Identifies exactly one call. */
export interface CallKey extends GroupKey {
  /** 0 for the first call with this id in its thread, 1 for the next, … */
  readonly occurrence: number;
}

const SEPARATOR = "\u0000";

export function threadKeyText(key: ThreadKey): string {
  return key.project + SEPARATOR + key.session_id + SEPARATOR + key.agent_id;
}

export function groupKeyText(key: GroupKey): string {
  return threadKeyText(key) + SEPARATOR + key.tool_call_id;
}

export function callKeyText(key: CallKey): string {
  return groupKeyText(key) + SEPARATOR + key.occurrence;
}

/** The id of a call in records, spans and scores. */
export function recordId(key: CallKey, hash: Hasher): string {
  // Cached because it is needed several times for every call of a batch. Keys are immutable.
  const known = IDS.get(hash) ?? new WeakMap<CallKey, string>();
  IDS.set(hash, known);
  const id = known.get(key) ?? hash(callKeyText(key)).slice(0, 16);
  known.set(key, id);
  return id;
}

const IDS = new WeakMap<Hasher, WeakMap<CallKey, string>>();

/**
 * The trace id of a session, to which its scores and spans belong. In the default project it equals the id that
 * Langfuse's SDK derives from the session id, so that both find the same trace.
 */
export function traceId(key: { readonly project: string; readonly session_id: string }, hash: Hasher): string {
  const { project, session_id } = key;
  return hash(project === "default" ? session_id : project + SEPARATOR + session_id).slice(0, 32);
}

/** The span id of a part of a session other than a call: its root, or one of its responses. */
export function spanId(
  { project, session_id }: { readonly project: string; readonly session_id: string },
  part: string,
  hash: Hasher,
): string {
  return hash(["span", project, session_id, part].join(SEPARATOR)).slice(0, 16);
}

/** Whether an id given by a client is bounded, printable, and safe in paths and labels. */
export function isValidId(id: string): boolean {
  return id.length > 0 && id.length <= 255 && /^[A-Za-z0-9][A-Za-z0-9._:@/+=-]*$/.test(id) && !id.includes("..");
}

/** The agent id of a session's main thread. */
export const ROOT_AGENT = "root";
