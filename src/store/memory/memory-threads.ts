import { type Hasher, recordId, threadKeyText } from "../../core/model/call-key.ts";
import type { CallLinks } from "../../core/model/call-links.ts";
import { type CallRecord, isCounted } from "../../core/model/call-record.ts";
import { type LinkChange, relinkThread, type StoredCall, type ThreadChange } from "../../core/model/thread-change.ts";
import { compareOrder, LINK_WINDOW, orderOf, type ThreadOrder } from "../../core/score/chain-call.ts";

/** The settled calls of every thread, in order. */
export class MemoryThreads {
  readonly #threads = new Map<string, StoredCall[]>();
  readonly #hash: Hasher;

  constructor(hash: Hasher) {
    this.#hash = hash;
  }

  relink(change: ThreadChange): readonly LinkChange[] {
    const calls = this.#threads.get(threadKeyText(change.thread)) ?? [];
    const at = placeOf(calls, change.from);
    const window = { before: calls.slice(Math.max(0, at - LINK_WINDOW), at), after: calls.slice(at), complete: true };
    return relinkThread(change, window) as readonly LinkChange[];
  }

  set(record: CallRecord, links: CallLinks | undefined): void {
    if (!isCounted(record)) return;
    const id = recordId(record.key, this.#hash);
    const key = threadKeyText(record.key);
    const calls = this.#threads.get(key) ?? [];
    this.#threads.set(key, calls);
    const at = placeOf(calls, orderOf(record, id));
    calls.splice(at, calls[at]?.id === id ? 1 : 0, { id, record, links });
  }

  remove(record: CallRecord): void {
    const id = recordId(record.key, this.#hash);
    const calls = this.#threads.get(threadKeyText(record.key)) ?? [];
    const at = placeOf(calls, orderOf(record, id));
    if (calls[at]?.id === id) calls.splice(at, 1);
  }
}

/** Where a call stands, or would stand. */
function placeOf(calls: readonly StoredCall[], order: ThreadOrder): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = calls[middle] as StoredCall;
    if (compareOrder(orderOf(one.record, one.id), order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
