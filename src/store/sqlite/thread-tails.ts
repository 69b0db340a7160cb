import { recordId, threadKeyText } from "../../core/model/call-key.ts";
import type { CallChanges } from "../../core/model/changes.ts";
import {
  type LinkChange,
  relinkThread,
  type StoredCall,
  type ThreadChange,
  type ThreadWindow,
} from "../../core/model/thread-change.ts";
import { compareOrder, orderOf, WINDOW } from "../../core/score/chain-call.ts";
import { hashText } from "../hash-text.ts";
import type { Database } from "./database.ts";
import { readRelinked } from "./load-window.ts";

/** The last settled calls of one thread, in order. */
interface Tail {
  readonly calls: readonly StoredCall[];
  /** No call of the thread stands before them. */
  readonly whole: boolean;
}

/** A little more than links look back: a few calls may settle behind later ones. */
const KEPT_PER_THREAD = WINDOW + 16;
const KEPT_IN_ALL = 5000;

/**
 * The ends of the threads that were written last: a live session brings a call at a time, and every one is linked to those before it.
 * Only a cache. Others may write the same database: what they commit between two of our transactions empties it.
 */
export class ThreadTails {
  readonly #tails = new Map<string, Tail>();
  #size = 0;
  #version: number | undefined;

  /** Called first in every transaction that reads from here. */
  begin(db: Database): void {
    const version = Number(db.get("PRAGMA data_version")?.data_version);
    if (version !== this.#version) this.clear();
    this.#version = version;
  }

  clear(): void {
    this.#tails.clear();
    this.#size = 0;
  }

  /** Links a changed thread anew. */
  relinked(db: Database, change: ThreadChange): readonly LinkChange[] {
    const key = threadKeyText(change.thread);
    const tail = this.#tails.get(key);
    const window = tail && windowOf(tail, change);
    const links = window && relinkThread(change, window);
    if (tail !== undefined && links !== undefined) {
      this.#keep(key, nextTail(tail, change, links));
      return links;
    }
    const read = readRelinked(db, change);
    this.#drop(key);
    const { before, after, complete } = read.window;
    if (complete)
      this.#keep(key, nextTail({ calls: [...before, ...after], whole: before.length < WINDOW }, change, read.links));
    return read.links;
  }

  /** Calls that changed in something their links do not rest on. */
  renew({ calls, removed, joined }: CallChanges): void {
    for (const key of removed) this.#drop(threadKeyText(key));
    for (const { key } of joined) this.#drop(threadKeyText(key));
    for (const { before, after } of calls) {
      const thread = threadKeyText(after.key);
      const tail = this.#tails.get(thread);
      if (tail === undefined) continue;
      if (before !== undefined && before.key.occurrence !== after.key.occurrence) {
        this.#drop(thread);
        continue;
      }
      const id = recordId(after.key, hashText);
      const at = tail.calls.findLastIndex((call) => call.id === id);
      const known = tail.calls[at];
      if (known === undefined || known.record === after) continue;
      this.#keep(thread, { ...tail, calls: tail.calls.with(at, { ...known, record: after }) });
    }
  }

  #keep(key: string, tail: Tail): void {
    this.#drop(key);
    this.#tails.set(key, tail);
    this.#size += tail.calls.length;
    for (const oldest of this.#tails.keys()) {
      if (this.#size <= KEPT_IN_ALL) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#tails.get(key)?.calls.length ?? 0;
    this.#tails.delete(key);
  }
}

/** What links of the change rest on; undefined when it begins before what is kept. */
function windowOf({ calls, whole }: Tail, { from }: ThreadChange): ThreadWindow | undefined {
  const last = calls.findLastIndex(({ record, id }) => compareOrder(orderOf(record, id), from) < 0);
  if (last + 1 < WINDOW && !whole) return undefined;
  return {
    before: calls.slice(Math.max(0, last + 1 - WINDOW), last + 1),
    after: calls.slice(last + 1),
    complete: true,
  };
}

/** The end of the thread once the change is written. */
function nextTail({ calls, whole }: Tail, { now, gone }: ThreadChange, links: readonly LinkChange[]): Tail {
  const linked = new Map(links.map(({ record, after }) => [recordId(record.key, hashText), after]));
  const stored = new Map(calls.map((call) => [call.id, call]));
  const next = calls
    .filter(({ id }) => !now.has(id) && !gone.has(id))
    .map((call) => (linked.has(call.id) ? { ...call, links: linked.get(call.id) } : call));
  for (const [id, record] of now) {
    next.push({ id, record, links: linked.has(id) ? linked.get(id) : stored.get(id)?.links });
  }
  next.sort((a, b) => compareOrder(orderOf(a.record, a.id), orderOf(b.record, b.id)));
  return next.length <= KEPT_PER_THREAD
    ? { calls: next, whole }
    : { calls: next.slice(-KEPT_PER_THREAD), whole: false };
}
