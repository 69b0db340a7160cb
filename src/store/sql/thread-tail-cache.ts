import { type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import type { CallChanges, Changes } from "../../core/model/changes.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { LinkedOrderedCall, ThreadChange, ThreadWindow } from "../../core/model/thread-change.ts";
import { estimateBytes, toCachedCall } from "../../core/score/cached-call.ts";
import { compareOrder, LINK_WINDOW } from "../../core/score/chain-call.ts";
import type { NewLinks } from "../../core/score/relink.ts";

/** A call of a thread with the parts that links use, and the rest of its key. */
export interface StoredLinkedCall extends LinkedOrderedCall {
  readonly tool_call_id: string;
  readonly occurrence: number;
}

interface CachedCall extends StoredLinkedCall {
  /** See {@link estimateBytes}. */
  readonly bytes: number;
}

/** The last settled calls of one thread, in order. */
export interface ThreadTail {
  readonly calls: readonly CachedCall[];
  /** Whether they are all calls of the thread. */
  readonly isComplete: boolean;
}

interface CachedTail extends ThreadTail {
  readonly session: string;
  readonly weight: number;
  /** The batch that last linked a call of this thread. */
  readonly used: number;
}

/** The changes of a committed batch. */
export interface Committed {
  /** The new stamp of its sessions. */
  readonly stamp: number;
  /** The previous stamps of its sessions; missing for new ones. */
  readonly stamps: ReadonlyMap<string, number>;
  readonly calls: CallChanges;
  /** The sessions that got the new stamp. */
  readonly sessions: Iterable<string>;
  /** The new ends of the threads that were relinked. */
  readonly tails: ReadonlyMap<string, ThreadTail>;
}

/** More than the link window, because a few calls may settle after later ones. */
const MAX_CALLS_PER_THREAD = LINK_WINDOW + 16;
const MAX_CACHE_BYTES = 20 << 20;
/** Assumed number of batches between two calls of a thread without history. */
const TYPICAL_GAP = 60;
/** Evicted threads whose last use is remembered. */
const MAX_EVICTED_THREADS = 10_000;

/**
 * Caches the last calls of recently written threads: live sessions add one call at a time, and each is linked to the
 * calls before it. The stamp of a session, read in the transaction, shows whether another server has written it since.
 * In SQLite all stamps are 0, and the store clears the cache when another connection has written.
 */
export class ThreadTailCache {
  /** Least recently used first. */
  readonly #tails = new Map<string, CachedTail>();
  /** The stamp and the cached threads of each session. */
  readonly #sessions = new Map<string, { stamp: number; readonly threads: Set<string> }>();
  readonly #maxBytes: number;
  /** Threads that did not fit, with the batch that last linked a call of each. Least recently evicted first. */
  readonly #evicted = new Map<string, number>();
  #weight = 0;
  #batch = 0;

  constructor(maxBytes: number = MAX_CACHE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  clear(): void {
    this.#tails.clear();
    this.#sessions.clear();
    this.#weight = 0;
  }

  /** The cached end of a thread, if it is valid for this stamp of the session. */
  find(thread: ThreadKey, stamp: number | undefined): ThreadTail | undefined {
    const tail = this.#tails.get(threadKeyText(thread));
    return tail !== undefined && this.#sessions.get(tail.session)?.stamp === stamp ? tail : undefined;
  }

  /** Must be called after the commit, because a rollback would leave wrong calls in the cache. */
  remember({ stamp, stamps, calls, sessions, tails }: Committed): void {
    this.#batch += 1;
    for (const session of sessions) {
      const known = this.#sessions.get(session);
      if (known === undefined) continue;
      if (known.stamp === stamps.get(session)) known.stamp = stamp;
      else for (const thread of known.threads) this.#drop(thread);
    }
    for (const [thread, tail] of tails) this.#cache(thread, tail, stamp);
    for (const thread of renumberedThreads(calls)) this.#drop(thread);
  }

  #cache(thread: string, { calls, isComplete }: ThreadTail, stamp: number): void {
    this.#drop(thread);
    const kept = calls.length <= MAX_CALLS_PER_THREAD ? calls : calls.slice(-MAX_CALLS_PER_THREAD);
    let weight = 0;
    for (const one of kept) weight += one.bytes;
    if (!this.#makeRoom(thread, weight)) {
      this.#rememberEvicted(thread, this.#batch);
      return;
    }
    this.#weight += weight;
    const session = thread.slice(0, thread.lastIndexOf("\u0000"));
    this.#tails.set(thread, {
      calls: kept,
      isComplete: isComplete && kept === calls,
      session,
      weight,
      used: this.#batch,
    });
    const known = this.#sessions.get(session);
    if (known === undefined) this.#sessions.set(session, { stamp, threads: new Set([thread]) });
    else known.threads.add(thread);
  }

  /**
   * Evicts idle threads, but only for a thread that returns sooner than they do. With more active threads than fit,
   * plain LRU would evict each thread right before its next use.
   */
  #makeRoom(thread: string, weight: number): boolean {
    const last = this.#evicted.get(thread);
    const gap = last === undefined ? TYPICAL_GAP : this.#batch - last;
    for (const [oldest, { used }] of this.#tails) {
      if (this.#weight + weight <= this.#maxBytes || this.#batch - used <= gap) break;
      this.#drop(oldest);
      this.#rememberEvicted(oldest, used);
    }
    if (this.#weight + weight > this.#maxBytes) return false;
    this.#evicted.delete(thread);
    return true;
  }

  #rememberEvicted(thread: string, used: number): void {
    this.#evicted.delete(thread);
    this.#evicted.set(thread, used);
    for (const [oldest] of this.#evicted) {
      if (this.#evicted.size <= MAX_EVICTED_THREADS) break;
      this.#evicted.delete(oldest);
    }
  }

  #drop(thread: string): void {
    const tail = this.#tails.get(thread);
    if (tail === undefined) return;
    this.#weight -= tail.weight;
    this.#tails.delete(thread);
    const session = this.#sessions.get(tail.session);
    session?.threads.delete(thread);
    if (session?.threads.size === 0) this.#sessions.delete(tail.session);
  }
}

/** Threads whose calls were removed, joined or renumbered. */
function renumberedThreads({ calls, removed, joined }: CallChanges): ReadonlySet<string> {
  const threads = new Set([...removed, ...joined.map(({ key }) => key)].map(threadKeyText));
  for (const { before, after } of calls) {
    if (before !== undefined && before.key.occurrence !== after.key.occurrence) threads.add(threadKeyText(after.key));
  }
  return threads;
}

/** The sessions for which a batch changes anything that cached ends depend on. */
export function stampedSessions({
  sessions,
  written,
  relinked,
  removed,
}: Pick<Changes, "sessions" | "written" | "relinked" | "removed">): ReadonlySet<string> {
  const texts = new Set(sessions.map(sessionKeyText));
  for (const { record } of written) texts.add(sessionKeyText(record.key));
  for (const { record } of relinked) texts.add(sessionKeyText(record.key));
  for (const key of removed) texts.add(sessionKeyText(key));
  return texts;
}

/** The window of a change; undefined if it starts before the cached calls. */
export function windowOf(
  { calls, isComplete }: ThreadTail,
  { from }: ThreadChange,
): ThreadWindow<StoredLinkedCall> | undefined {
  const at = calls.findLastIndex(({ order }) => compareOrder(order, from) < 0) + 1;
  if (at < LINK_WINDOW && !isComplete) return undefined;
  return { before: calls.slice(Math.max(0, at - LINK_WINDOW), at), after: calls.slice(at), complete: true };
}

/** The end of a thread after a change. */
export function nextTail(
  { calls, isComplete }: ThreadTail,
  { now, removed, from }: ThreadChange,
  newLinks: readonly NewLinks[],
): ThreadTail {
  const linked = new Map(newLinks.map(({ id, after }) => [id, after]));
  const last = calls.at(-1);
  const isAppended = last === undefined || compareOrder(last.order, from) < 0;
  // The usual case: nothing that was cached changes.
  const next = linked.size === now.size && isAppended ? calls.slice() : unchangedCalls(calls, now, removed, linked);
  const previous = isAppended ? undefined : new Map(calls.map((one) => [one.call.id, one]));
  const fresh = [...now].map(([id, { call, order, record }]) => {
    const links = linked.get(id) ?? previous?.get(id)?.links;
    const { tool_call_id, occurrence } = record.key;
    return cachedCallOf({ call, order, links, tool_call_id, occurrence });
  });
  if (fresh.length > 1) fresh.sort((a, b) => compareOrder(a.order, b.order));
  for (const one of fresh) next.push(one);
  return { calls: isAppended ? next : next.sort((a, b) => compareOrder(a.order, b.order)), isComplete };
}

/** The cached calls that are not part of the change, with their new links. */
function unchangedCalls(
  calls: readonly CachedCall[],
  now: ThreadChange["now"],
  removed: ThreadChange["removed"],
  linked: ReadonlyMap<string, CachedCall["links"]>,
): CachedCall[] {
  const rest = calls.filter(({ call: { id } }) => !now.has(id) && !removed.has(id));
  return rest.map((one) => (linked.has(one.call.id) ? { ...one, links: linked.get(one.call.id) } : one));
}

export function cachedCallOf(one: StoredLinkedCall): CachedCall {
  const call = toCachedCall(one.call);
  return { ...one, call, bytes: estimateBytes(call) };
}
