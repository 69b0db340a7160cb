import { isValidId, ROOT_AGENT } from "../../core/model/call-key.ts";
import { type Fields, isObject, text } from "../../core/wire/json.ts";

/** Whose lines a rollout holds. A fork begins with the lines of its origin, written anew: those are the origin's. */
export interface CodexThread {
  readonly session_id: string;
  readonly agent_id: string;
  readonly provider: string;
  readonly id: string;
  readonly startedAt: number;
  /** When the thread was made, by its id; else when its first line was written. */
  readonly madeAt: number;
  /** The session whose lines are being passed. */
  readonly carriedFrom?: string;
  /** Turns of the origin were passed that tell their time. */
  readonly turnsTellTime?: true;
  readonly turn_id?: string;
}

export interface CodexLine {
  readonly type: unknown;
  readonly item: Fields;
  readonly at: number;
}

/** Without turns that tell their time: a fork is written at once, and nobody answers within this. */
const FORK_COPY_MS = 1000;

/** The first line of a rollout of 2025. */
export function isBareMeta(line: Fields): boolean {
  return (
    line.type === undefined &&
    "instructions" in line &&
    isValidId(text(line.id) ?? "") &&
    text(line.timestamp) !== undefined
  );
}

/** By the first line of a rollout; the ids are those that the client also sends with its requests. */
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

/** Follows a thread past a line: where do the lines of its origin begin and end? */
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

/** Sub-agents of versions that do not name the session they belong to. */
function parentOf({ source, parent_thread_id }: Fields): string | undefined {
  const spawned = isObject(source) && isObject(source.subagent) ? source.subagent.thread_spawn : undefined;
  return valid(parent_thread_id) ?? (isObject(spawned) ? valid(spawned.parent_thread_id) : undefined);
}

/** Ids of version 7 begin with the time they were made at, in ms. */
function timeOfId(id: string | undefined): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id ?? "");
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}

function valid(id: unknown): string | undefined {
  return typeof id === "string" && isValidId(id) ? id : undefined;
}
