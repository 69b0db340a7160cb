import { threadKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import type { CallChanges } from "../../core/model/changes.ts";
import { type LinkChange, relinkPlaces, type ThreadChange, type ThreadWindow } from "../../core/model/thread-change.ts";
import { estimateBytes, toCachedCall } from "../../core/score/cached-call.ts";
import { compareOrder, LINK_WINDOW } from "../../core/score/chain-call.ts";
import type { NewLinks } from "../../core/score/relink.ts";
import type { Database } from "./database.ts";
import { readRecord, readRelinked, type StoredLinkedCall } from "./load-window.ts";

/** A call with only the parts that links use. */
interface CachedCall extends StoredLinkedCall {
  /** See {@link estimateBytes}. */
  readonly bytes: number;
}

/** The last settled calls of one thread, in order. */
interface Tail {
  readonly calls: readonly CachedCall[];
  /** Whether they are all calls of the thread. */
  readonly isComplete: boolean;
  readonly weight: number;
  /** The transaction that last linked a call of this thread. */
  readonly used: number;
}

/** More than the link window, because a few calls may settle after later ones. */
const MAX_CALLS_PER_THREAD = LINK_WINDOW + 16;
const MAX_CACHE_BYTES = 20 << 20;
/** Assumed number of transactions between two calls of a thread without history. */
const TYPICAL_GAP = 60;
/** Evicted threads whose last use is remembered. */
const MAX_EVICTED_THREADS = 10_000;

/**
 * Caches the last calls of recently written threads: live sessions add one call at a time, and each is linked to the
 * calls before it. Cleared when another process has committed to the database since the last transaction.
 */
export class ThreadTailCache {
  /** Least recently used first. */
  readonly #tails = new Map<string, Tail>();
  readonly #maxBytes: number;
  /** Threads that did not fit, with the transaction that last linked a call of each. Least recently evicted first. */
  readonly #evicted = new Map<string, number>();
  #weight = 0;
  #version: number | undefined;
  #transaction = 0;

  constructor(mostWeight: number = MAX_CACHE_BYTES) {
    this.#maxBytes = mostWeight;
  }

  /**
   * Must be called at the start of every transaction. Returns whether no other process has written since the last one.
   */
  begin(db: Database): boolean {
    const version = Number(db.get("PRAGMA data_version")?.data_version);
    const isUnchanged = version === this.#version;
    if (!isUnchanged) this.clear();
    this.#version = version;
    this.#transaction += 1;
    return isUnchanged;
  }

  clear(): void {
    this.#tails.clear();
    this.#weight = 0;
  }

  /** Relinks a changed thread. */
  relinked(db: Database, change: ThreadChange): readonly LinkChange[] {
    const key = threadKeyText(change.thread);
    const tail = this.#tails.get(key);
    const window = tail && windowOf(tail, change);
    const newLinks = window && relinkPlaces(change, window);
    if (tail !== undefined && newLinks !== undefined) {
      this.#cache(key, nextCalls(tail.calls, change, newLinks), tail.isComplete);
      return linkChanges(db, change, newLinks, tail.calls);
    }
    const read = readRelinked(db, change);
    const calls = [...read.window.before, ...read.window.after];
    this.#drop(key);
    if (read.window.complete)
      this.#cache(key, nextCalls(calls.map(cachedCallOf), change, read.links), read.window.before.length < LINK_WINDOW);
    return linkChanges(db, change, read.links, calls);
  }

  /** Evicts threads whose calls were removed, joined or renumbered. */
  renew({ calls, removed, joined }: CallChanges): void {
    for (const key of removed) this.#drop(threadKeyText(key));
    for (const { key } of joined) this.#drop(threadKeyText(key));
    for (const { before, after } of calls) {
      if (before !== undefined && before.key.occurrence !== after.key.occurrence) this.#drop(threadKeyText(after.key));
    }
  }

  #cache(key: string, calls: readonly CachedCall[], whole: boolean): void {
    this.#drop(key);
    const kept = calls.length <= MAX_CALLS_PER_THREAD ? calls : calls.slice(-MAX_CALLS_PER_THREAD);
    let weight = 0;
    for (const one of kept) weight += one.bytes;
    if (!this.#makeRoom(key, weight)) {
      this.#rememberEvicted(key, this.#transaction);
      return;
    }
    this.#weight += weight;
    this.#tails.set(key, {
      calls: kept,
      isComplete: whole && kept === calls,
      weight,
      used: this.#transaction,
    });
  }

  /**
   * Evicts idle threads, but only for a thread that returns sooner than they do. With more active threads than fit,
   * plain LRU would evict each thread right before its next use.
   */
  #makeRoom(key: string, weight: number): boolean {
    const last = this.#evicted.get(key);
    const gap = last === undefined ? TYPICAL_GAP : this.#transaction - last;
    for (const [oldest, { used }] of this.#tails) {
      if (this.#weight + weight <= this.#maxBytes || this.#transaction - used <= gap) break;
      this.#drop(oldest);
      this.#rememberEvicted(oldest, used);
    }
    if (this.#weight + weight > this.#maxBytes) return false;
    this.#evicted.delete(key);
    return true;
  }

  #rememberEvicted(key: string, used: number): void {
    this.#evicted.delete(key);
    this.#evicted.set(key, used);
    for (const [oldest] of this.#evicted) {
      if (this.#evicted.size <= MAX_EVICTED_THREADS) break;
      this.#evicted.delete(oldest);
    }
  }

  #drop(key: string): void {
    this.#weight -= this.#tails.get(key)?.weight ?? 0;
    this.#tails.delete(key);
  }
}

/** The window of a change; undefined if it starts before the cached calls. */
function windowOf(
  { calls, isComplete: whole }: Tail,
  { from }: ThreadChange,
): ThreadWindow<StoredLinkedCall> | undefined {
  const at = calls.findLastIndex(({ order }) => compareOrder(order, from) < 0) + 1;
  if (at < LINK_WINDOW && !whole) return undefined;
  return { before: calls.slice(Math.max(0, at - LINK_WINDOW), at), after: calls.slice(at), complete: true };
}

/** The calls of the thread after the change. */
function nextCalls(
  calls: readonly CachedCall[],
  { now, removed, from }: ThreadChange,
  newLinks: readonly NewLinks[],
): readonly CachedCall[] {
  const linked = new Map(newLinks.map(({ id, after }) => [id, after]));
  const fresh: CachedCall[] = [];
  const previous = new Map<string, CachedCall>();
  const last = calls.at(-1);
  const isAppended = last === undefined || compareOrder(last.order, from) < 0;
  const next = linked.size === now.size && isAppended ? calls.slice() : [];
  if (next.length === 0)
    for (const one of calls) {
      const { id } = one.call;
      if (now.has(id)) previous.set(id, one);
      else if (!removed.has(id)) next.push(linked.has(id) ? { ...one, links: linked.get(id) } : one);
    }
  for (const [id, { call, order, record }] of now) {
    const links = linked.get(id) ?? previous.get(id)?.links;
    const { tool_call_id, occurrence } = record.key;
    fresh.push(cachedCallOf({ call, order, links, tool_call_id, occurrence }));
  }
  if (fresh.length > 1) fresh.sort((a, b) => compareOrder(a.order, b.order));
  for (const one of fresh) next.push(one);
  return isAppended ? next : next.sort((a, b) => compareOrder(a.order, b.order));
}

function cachedCallOf(one: StoredLinkedCall): CachedCall {
  const call = toCachedCall(one.call);
  return { ...one, call, bytes: estimateBytes(call) };
}

/** Loads the records of calls outside the batch, of which only a part is cached. */
function linkChanges(
  db: Database,
  change: ThreadChange,
  newLinks: readonly NewLinks[],
  calls: readonly StoredLinkedCall[],
): readonly LinkChange[] {
  let byId: ReadonlyMap<string, StoredLinkedCall> | undefined;
  const recordOf = (id: string): CallRecord => {
    byId ??= new Map(calls.map((one) => [one.call.id, one]));
    return readRecord(db, change, byId.get(id) as StoredLinkedCall);
  };
  return newLinks.map(({ id, before, after }) => ({
    record: change.now.get(id)?.record ?? recordOf(id),
    before,
    after,
  }));
}
