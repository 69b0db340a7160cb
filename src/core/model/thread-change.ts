import {
  type ChainCall,
  chainCallOf,
  compareOrder,
  LINK_WINDOW,
  orderOf,
  type ThreadOrder,
} from "../score/chain-call.ts";
import { type LinkMove, relink } from "../score/relink.ts";
import { type Hasher, recordId, type ThreadKey, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import type { CallRecord } from "./call-record.ts";
import { sameValue } from "./facts.ts";

/** A settled call as links see it, and where it stands in its thread. */
export interface OrderedCall {
  readonly call: ChainCall;
  readonly order: ThreadOrder;
}

/** The same with its record. */
interface ChangedCall extends OrderedCall {
  readonly record: CallRecord;
}

/** The same with the links it has so far; none for a new one. */
export interface LinkedOrderedCall extends OrderedCall {
  readonly links: CallLinks | undefined;
}

/** What a batch changed in one thread, as far as links rest on it. */
export interface ThreadChange {
  readonly thread: ThreadKey;
  /** From the first to the last place that changed. */
  readonly from: ThreadOrder;
  readonly until: ThreadOrder;
  /** Calls as they are now, by id. */
  readonly now: ReadonlyMap<string, ChangedCall>;
  /** Ids under which no settled call of this thread stands any more. */
  readonly gone: ReadonlySet<string>;
}

/** A record with its links, as a store keeps them. */
export interface StoredCall {
  readonly id: string;
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
}

/** The part of a thread that a change may touch: settled calls in order. */
export interface ThreadWindow<T> {
  /** At most {@link LINK_WINDOW} calls right in front of the change. */
  readonly before: readonly T[];
  /** Calls from there on, at least up to the end of the change unless the thread ends before. */
  readonly after: readonly T[];
  /** There is nothing behind the last one. */
  readonly complete: boolean;
}

export interface LinkChange {
  readonly record: CallRecord;
  readonly before: CallLinks | undefined;
  readonly after: CallLinks | undefined;
}

/** Which threads have to be linked anew, and from where. */
export function threadChanges(
  calls: readonly { readonly before: CallRecord | undefined; readonly after: CallRecord | undefined }[],
  hash: Hasher,
): readonly ThreadChange[] {
  const threads = new Map<string, Mutable>();
  for (const { before, after } of calls) {
    const was = before && placedCall(before, recordId(before.key, hash));
    const is = after && placedCall(after, recordId(after.key, hash));
    if (sameValue(was, is)) continue;
    const key = (after ?? before)?.key as ThreadKey;
    const text = threadKeyText(key);
    let thread = threads.get(text);
    if (thread === undefined) {
      thread = { thread: key, orders: [], now: new Map(), gone: new Set() };
      threads.set(text, thread);
    }
    if (was !== undefined) {
      thread.orders.push(was.order);
      if (!thread.now.has(was.call.id)) thread.gone.add(was.call.id);
    }
    if (is === undefined) continue;
    thread.orders.push(is.order);
    thread.now.set(is.call.id, { ...is, record: after as CallRecord });
    thread.gone.delete(is.call.id);
  }
  return [...threads.values()].map(({ orders, ...rest }) => {
    orders.sort(compareOrder);
    return { ...rest, from: orders[0] as ThreadOrder, until: orders.at(-1) as ThreadOrder };
  });
}

interface Mutable {
  readonly thread: ThreadKey;
  readonly orders: ThreadOrder[];
  readonly now: Map<string, ChangedCall>;
  readonly gone: Set<string>;
}

function placedCall(record: CallRecord, id: string): OrderedCall | undefined {
  const call = chainCallOf(record, id);
  return call === undefined ? undefined : { call, order: orderOf(record, id) };
}

/** How many calls behind a change a store should bring first; more only when this was not enough. */
export function firstReach(change: ThreadChange): number {
  return 2 * LINK_WINDOW + change.now.size + change.gone.size;
}

/** Links a thread anew. Undefined when the window is too short to tell: then the store brings more. */
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
    record: change.now.get(id)?.record ?? (records.get(id) as CallRecord),
    before,
    after,
  }));
}

/** As {@link relinkThread}, for a store that keeps of a call only what links need. */
export function relinkPlaces(
  { now, gone, until }: ThreadChange,
  { before, after, complete }: ThreadWindow<LinkedOrderedCall>,
): readonly LinkMove[] | undefined {
  const last = after.at(-1);
  if (!complete && (last === undefined || compareOrder(last.order, until) < 0)) return undefined;
  // What was touched stands behind `before`: the change begins there.
  const stood = new Map<string, LinkedOrderedCall>();
  const places: LinkedOrderedCall[] = after.filter((one) => {
    const { id } = one.call;
    if (!now.has(id) && !gone.has(id)) return true;
    stood.set(id, one);
    return false;
  });
  for (const [id, { call, order }] of now) places.push({ call, order, links: stood.get(id)?.links });
  places.sort((a, b) => compareOrder(a.order, b.order));
  const { moves, settled } = relink(before, places, {
    atLeast: places.filter(({ order }) => compareOrder(order, until) <= 0).length,
    complete,
    gone,
  });
  return settled ? moves : undefined;
}
