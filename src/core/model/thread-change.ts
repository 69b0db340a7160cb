import {
  type ChainCall,
  chainCallOf,
  compareOrder,
  LINK_WINDOW,
  orderOf,
  type ThreadOrder,
} from "../score/chain-call.ts";
import { type NewLinks, relink } from "../score/relink.ts";
import { type Hasher, recordId, type ThreadKey, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import type { CallRecord } from "./call-record.ts";
import { sameValue } from "./facts.ts";
import { present } from "./narrow.ts";

/** The part of a settled call that links depend on, with its order in the thread. */
export interface OrderedCall {
  readonly call: ChainCall;
  readonly order: ThreadOrder;
}

/** An ordered call with its record. */
interface ChangedCall extends OrderedCall {
  readonly record: CallRecord;
}

/** An ordered call with its current links; undefined for a new call. */
export interface LinkedOrderedCall extends OrderedCall {
  readonly links: CallLinks | undefined;
}

/** The changes of a batch to one thread that affect links. */
export interface ThreadChange {
  readonly thread: ThreadKey;
  /** The first and the last changed position. */
  readonly from: ThreadOrder;
  readonly until: ThreadOrder;
  /** Changed calls in their new state, by id. */
  readonly now: ReadonlyMap<string, ChangedCall>;
  /** Ids that are no longer settled calls of this thread. */
  readonly removed: ReadonlySet<string>;
}

/** A stored record with its links. */
export interface StoredCall {
  readonly id: string;
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
}

/** The part of a thread that a change may affect: settled calls in order. */
export interface ThreadWindow<T> {
  /** At most {@link LINK_WINDOW} calls immediately before the change. */
  readonly before: readonly T[];
  /** Calls from the start of the change, at least up to its end unless the thread ends earlier. */
  readonly after: readonly T[];
  /** Whether the window includes the end of the thread. */
  readonly complete: boolean;
}

export interface LinkChange {
  readonly record: CallRecord;
  readonly before: CallLinks | undefined;
  readonly after: CallLinks | undefined;
}

/** The threads that must be relinked, and the range of each. */
export function threadChanges(
  calls: readonly { readonly before: CallRecord | undefined; readonly after: CallRecord | undefined }[],
  hash: Hasher,
): readonly ThreadChange[] {
  const threads = new Map<string, Mutable>();
  for (const { before, after } of calls) {
    const was = before && placedCall(before, recordId(before.key, hash));
    const is = after && placedCall(after, recordId(after.key, hash));
    const key = (after ?? before)?.key;
    if (key === undefined || sameValue(was, is)) continue;
    const text = threadKeyText(key);
    let thread = threads.get(text);
    if (thread === undefined) {
      thread = { thread: key, orders: [], now: new Map(), removed: new Set() };
      threads.set(text, thread);
    }
    if (was !== undefined) {
      thread.orders.push(was.order);
      if (!thread.now.has(was.call.id)) thread.removed.add(was.call.id);
    }
    if (is === undefined || after === undefined) continue;
    thread.orders.push(is.order);
    thread.now.set(is.call.id, { ...is, record: after });
    thread.removed.delete(is.call.id);
  }
  return [...threads.values()].map(({ orders, ...rest }) => {
    orders.sort(compareOrder);
    return { ...rest, from: present(orders[0]), until: present(orders.at(-1)) };
  });
}

interface Mutable {
  readonly thread: ThreadKey;
  readonly orders: ThreadOrder[];
  readonly now: Map<string, ChangedCall>;
  readonly removed: Set<string>;
}

function placedCall(record: CallRecord, id: string): OrderedCall | undefined {
  const call = chainCallOf(record, id);
  return call === undefined ? undefined : { call, order: orderOf(record, id) };
}

/**
 * The number of calls after a change that a store should load first; it loads more only if {@link relinkThread} needs
 * them.
 */
export function firstReach(change: ThreadChange): number {
  return 2 * LINK_WINDOW + change.now.size + change.removed.size;
}

/** Relinks a thread. Returns undefined if the window is too short; the store then loads more. */
export function relinkThread(
  change: ThreadChange,
  window: ThreadWindow<StoredCall>,
): readonly LinkChange[] | undefined {
  const records = new Map<string, CallRecord>();
  const placed = (calls: readonly StoredCall[]): readonly LinkedOrderedCall[] =>
    calls.flatMap(({ id, record, links }) => {
      records.set(id, record);
      const one = placedCall(record, id);
      return one === undefined ? [] : [{ ...one, links }];
    });
  const moves = relinkPlaces(change, { ...window, before: placed(window.before), after: placed(window.after) });
  return moves?.map(({ id, before, after }) => ({
    record: change.now.get(id)?.record ?? present(records.get(id)),
    before,
    after,
  }));
}

/** Like {@link relinkThread}, for calls without records: a cache holds only what links depend on. */
export function relinkPlaces(
  { now, removed: gone, until }: ThreadChange,
  { before, after, complete }: ThreadWindow<LinkedOrderedCall>,
): readonly NewLinks[] | undefined {
  const last = after.at(-1);
  if (!complete && (last === undefined || compareOrder(last.order, until) < 0)) return undefined;
  // Changed calls are never in `before`, which ends where the change starts.
  const previous = new Map<string, LinkedOrderedCall>();
  const places: LinkedOrderedCall[] = after.filter((one) => {
    const { id } = one.call;
    if (!now.has(id) && !gone.has(id)) return true;
    previous.set(id, one);
    return false;
  });
  for (const [id, { call, order }] of now) places.push({ call, order, links: previous.get(id)?.links });
  places.sort((a, b) => compareOrder(a.order, b.order));
  const { changes: moves, settled } = relink(before, places, {
    atLeast: places.filter(({ order }) => compareOrder(order, until) <= 0).length,
    complete,
    removed: gone,
  });
  return settled ? moves : undefined;
}
