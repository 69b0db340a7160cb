/** Turns text into a short hex digest. Core has no crypto of its own: the caller passes one in. */
export type Hasher = (text: string) => string;

/** Whose conversation a call belongs to: one agent of one session of one project. */
export interface ThreadKey {
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
}

/** All calls that share an id within one thread; nearly always a single one. */
export interface GroupKey extends ThreadKey {
  readonly tool_call_id: string;
}

/** What names exactly one call. */
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

/** The id under which records, spans and scores of this call are known everywhere. */
export function recordId(key: CallKey, hash: Hasher): string {
  // Asked several times for every call of a batch; keys are never changed.
  const known = IDS.get(hash) ?? new WeakMap<CallKey, string>();
  IDS.set(hash, known);
  const id = known.get(key) ?? hash(callKeyText(key)).slice(0, 16);
  known.set(key, id);
  return id;
}

const IDS = new WeakMap<Hasher, WeakMap<CallKey, string>>();

/** The id of a session's trace: what scores and spans of the whole session hang on. */
export function traceId(key: { readonly project: string; readonly session_id: string }, hash: Hasher): string {
  return hash(`trace${SEPARATOR}${key.project}${SEPARATOR}${key.session_id}`).slice(0, 32);
}

/** Session id and agent id that were given by a client: bounded, printable, and harmless in paths and labels. */
export function isValidId(id: string): boolean {
  return id.length > 0 && id.length <= 255 && /^[A-Za-z0-9][A-Za-z0-9._:@/+=-]*$/.test(id) && !id.includes("..");
}

/** The agent id of a thread that is nobody's sub-agent. */
export const ROOT_AGENT = "root";
