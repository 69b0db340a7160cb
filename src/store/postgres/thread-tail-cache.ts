import { recordId, type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import { isCounted } from "../../core/model/call-record.ts";
import type { Changes } from "../../core/model/changes.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { StoredCall, ThreadChange } from "../../core/model/thread-change.ts";
import { compareOrder, LINK_WINDOW, orderOf } from "../../core/score/chain-call.ts";
import { hashText } from "../hash-text.ts";

/** A call with its stamp when it was read or written. */
export interface VersionedCall extends StoredCall {
  readonly stamp: number;
}

/** The last settled calls of one thread, in order. */
export interface ThreadTail {
  readonly calls: readonly VersionedCall[];
  /** Whether they are all calls of the thread. */
  readonly isComplete: boolean;
}

/** The changes of a committed batch. */
export interface Committed {
  /** The new stamp of its sessions. */
  readonly stamp: number;
  /** The previous stamps of its sessions; missing for new ones. */
  readonly stamps: ReadonlyMap<string, number>;
  /** Ends of threads that were loaded for it. */
  readonly read: ReadonlyMap<string, ThreadTail>;
  readonly changes: Changes;
}

/** More than the link window, because a few calls may settle after later ones. */
const MAX_CALLS_PER_THREAD = LINK_WINDOW + 16;
const MAX_CACHED_CALLS = 5000;

interface KnownSession {
  readonly stamp: number;
  readonly threads: Map<string, ThreadTail>;
}

/**
 * Caches the last calls of threads that this server wrote recently: live sessions add one call at a time, and each is
 * linked to the calls before it. The stamp of a session, read under its lock, shows whether another server has written
 * it since.
 */
export class ThreadTailCache {
  readonly #sessions = new Map<string, KnownSession>();
  #size = 0;

  /**
   * The cached end of a thread, and whether it is valid for this stamp of the session. If not, single calls may still
   * be.
   */
  find(
    thread: ThreadKey,
    stamp: number | undefined,
  ): { readonly end: ThreadTail; readonly holds: boolean } | undefined {
    const known = this.#sessions.get(sessionKeyText(thread));
    const end = known?.threads.get(threadKeyText(thread));
    return end && { end, holds: known?.stamp === stamp };
  }

  /** Must be called after the commit, because a rollback would leave wrong calls in the cache. */
  remember({ stamp, stamps, read, changes }: Committed): void {
    for (const session of stampedSessions(changes)) {
      const known = this.#sessions.get(session);
      const valid = known !== undefined && known.stamp === stamps.get(session);
      if (!valid) this.#forget(session);
      // Moves the session to the end: most recently used.
      this.#sessions.delete(session);
      this.#sessions.set(session, { stamp, threads: valid ? known.threads : new Map() });
    }
    for (const [thread, end] of read) this.#cache(thread, end);
    for (const [thread, edit] of editsOf(changes, stamp)) {
      const end = this.#threadsOf(thread)?.get(thread);
      if (end !== undefined) this.#cache(thread, editedEnd(end, edit));
    }
    for (const session of this.#sessions.keys()) {
      if (this.#size <= MAX_CACHED_CALLS) break;
      this.#forget(session);
    }
  }

  #threadsOf(thread: string): Map<string, ThreadTail> | undefined {
    return this.#sessions.get(thread.slice(0, thread.lastIndexOf("\u0000")))?.threads;
  }

  #cache(thread: string, end: ThreadTail): void {
    const threads = this.#threadsOf(thread);
    this.#size += end.calls.length - (threads?.get(thread)?.calls.length ?? 0);
    threads?.set(thread, end);
  }

  #forget(session: string): void {
    for (const { calls } of this.#sessions.get(session)?.threads.values() ?? []) this.#size -= calls.length;
    this.#sessions.delete(session);
  }
}

/** The sessions for which a batch changes anything that cached ends depend on. */
export function stampedSessions({ sessions, written, relinked, removed }: Changes): ReadonlySet<string> {
  return new Set([
    ...sessions.map(sessionKeyText),
    ...[...written, ...relinked].map(({ record }) => sessionKeyText(record.key)),
    ...removed.map(sessionKeyText),
  ]);
}

/** The window of a change; undefined if it starts before the cached calls. */
export function windowOf(
  { calls, isComplete: whole }: ThreadTail,
  { from }: ThreadChange,
):
  | { readonly before: readonly StoredCall[]; readonly after: readonly StoredCall[]; readonly complete: true }
  | undefined {
  const last = calls.findLastIndex(({ record, id }) => compareOrder(orderOf(record, id), from) < 0);
  if (last + 1 < LINK_WINDOW && !whole) return undefined;
  const before = calls.slice(Math.max(0, last + 1 - LINK_WINDOW), last + 1);
  return { before, after: calls.slice(last + 1), complete: true };
}

interface Edit {
  readonly put: Map<string, VersionedCall>;
  readonly removed: Set<string>;
}

function editsOf({ written, relinked, removed }: Changes, stamp: number): ReadonlyMap<string, Edit> {
  const edits = new Map<string, Edit>();
  const of = (thread: ThreadKey): Edit => {
    const edit = edits.get(threadKeyText(thread)) ?? { put: new Map(), removed: new Set() };
    edits.set(threadKeyText(thread), edit);
    return edit;
  };
  for (const key of removed) of(key).removed.add(recordId(key, hashText));
  for (const { record, after } of relinked) {
    const id = recordId(record.key, hashText);
    of(record.key).put.set(id, { id, record, links: after, stamp });
  }
  for (const { record, links } of written) {
    const id = recordId(record.key, hashText);
    if (isCounted(record)) of(record.key).put.set(id, { id, record, links, stamp });
    else of(record.key).removed.add(id);
  }
  return edits;
}

function editedEnd({ calls, isComplete: whole }: ThreadTail, { put, removed: gone }: Edit): ThreadTail {
  const first = calls[0];
  const next = calls.filter(({ id }) => !put.has(id) && !gone.has(id));
  for (const call of put.values()) {
    // A call before all cached ones is not part of the end.
    const inside = whole || (first !== undefined && compareOrder(placeOf(first), placeOf(call)) <= 0);
    if (inside) next.push(call);
  }
  next.sort((a, b) => compareOrder(placeOf(a), placeOf(b)));
  return next.length <= MAX_CALLS_PER_THREAD
    ? { calls: next, isComplete: whole }
    : { calls: next.slice(-MAX_CALLS_PER_THREAD), isComplete: false };
}

function placeOf({ record, id }: StoredCall): ReturnType<typeof orderOf> {
  return orderOf(record, id);
}
