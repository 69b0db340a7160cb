import { isValidId, ROOT_AGENT } from "../../core/model/call-key.ts";
import { type Fields, isObject, text } from "../../core/wire/json.ts";

/** The thread that the lines of a rollout belong to. A fork starts with copied lines, which belong to its origin. */
export interface CodexThread {
  readonly session_id: string;
  readonly agent_id: string;
  readonly provider: string;
  readonly id: string;
  readonly startedAt: number;
  /** Creation time encoded in the thread's id, or else the time of its first line. */
  readonly madeAt: number;
  /** Original session of the copied lines, while those are being read. */
  readonly carriedFrom?: string;
  /** Copied turns had ids that encode a time. */
  readonly turnsTellTime?: true;
  readonly turn_id?: string;
}

export interface CodexLine {
  readonly type: unknown;
  readonly item: Fields;
  readonly at: number;
}

/** Without times in turn ids: copying takes less than this, and a response of the model takes longer. */
const FORK_COPY_MS = 1000;

/** Whether this is the first line of a 2025 rollout, which has no envelope. */
export function isBareMeta(line: Fields): boolean {
  return (
    line.type === undefined &&
    "instructions" in line &&
    isValidId(text(line.id) ?? "") &&
    text(line.timestamp) !== undefined
  );
}

/** Reads the first line of a rollout. Its ids equal those in the client's requests. */
export function openThread(meta: Fields, at: number): CodexThread | undefined {
  const id = valid(meta.id);
  if (id === undefined) return undefined;
  const session = valid(meta.session_id) ?? parentOf(meta) ?? id;
  const origin = valid(meta.forked_from_id);
  return {
    id,
    session_id: session,
    agent_id: session === id ? ROOT_AGENT : id,
    provider: valid(meta.model_provider) ?? "openai",
    startedAt: at,
    madeAt: timeOfId(id) ?? at,
    ...(origin !== undefined && origin !== id && { carriedFrom: origin }),
  };
}

/** Updates the thread for a line: detects where copied lines start and end. */
export function passLine(thread: CodexThread | undefined, { type, item, at }: CodexLine): CodexThread | undefined {
  if (thread === undefined) return undefined;
  if (type === "session_meta") {
    const id = valid(item.id);
    return id === undefined || id === thread.id ? withoutOrigin(thread) : { ...thread, carriedFrom: id };
  }
  const turn = type === "turn_context" || item.type === "task_started" ? text(item.turn_id) : undefined;
  const named = turn === undefined || turn === "" ? thread : { ...thread, turn_id: turn };
  if (thread.carriedFrom === undefined) return named;
  const turnAt = timeOfId(turn);
  if (turnAt !== undefined) return turnAt >= thread.madeAt ? withoutOrigin(named) : { ...named, turnsTellTime: true };
  return thread.turnsTellTime === undefined && at > thread.startedAt + FORK_COPY_MS ? withoutOrigin(named) : named;
}

function withoutOrigin({ carriedFrom: _origin, ...thread }: CodexThread): CodexThread {
  return thread;
}

/** Session of a subagent, for versions that do not name it directly. */
function parentOf({ source, parent_thread_id }: Fields): string | undefined {
  const spawned = isObject(source) && isObject(source.subagent) ? source.subagent.thread_spawn : undefined;
  return valid(parent_thread_id) ?? (isObject(spawned) ? valid(spawned.parent_thread_id) : undefined);
}

/** UUIDs of version 7 start with their creation time in ms. */
function timeOfId(id: string | undefined): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id ?? "");
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}

function valid(id: unknown): string | undefined {
  return typeof id === "string" && isValidId(id) ? id : undefined;
}
