import { type ChainCall, chainCallOf, compareOrder, orderOf, type ThreadOrder, WINDOW } from "../score/chain-call.ts";
import { type KnownCall, relink } from "../score/relink.ts";
import { type Hasher, recordId, type ThreadKey, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import type { CallRecord } from "./call-record.ts";
import { sameValue } from "./facts.ts";

/** What a batch changed in one thread, as far as links rest on it. */
export interface ThreadChange {
  readonly thread: ThreadKey;
  /** From the first to the last place that changed. */
  readonly from: ThreadOrder;
  readonly until: ThreadOrder;
  /** Calls as they are now, by id. */
  readonly now: ReadonlyMap<string, CallRecord>;
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
export interface ThreadWindow {
  /** At most {@link WINDOW} calls right in front of the change. */
  readonly before: readonly StoredCall[];
  /** Calls from there on, at least up to the end of the change unless the thread ends before. */
  readonly after: readonly StoredCall[];
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
    const was = before === undefined ? undefined : settled(before, recordId(before.key, hash));
    const is = after === undefined ? undefined : settled(after, recordId(after.key, hash));
    if (sameValue(was?.link, is?.link)) continue;
    const key = (after ?? before)?.key as ThreadKey;
    const text = threadKeyText(key);
    const thread: Mutable = threads.get(text) ?? { thread: key, orders: [], now: new Map(), gone: new Set() };
    threads.set(text, thread);
    if (was !== undefined) {
      thread.orders.push(was.link.order);
      if (!thread.now.has(was.link.call.id)) thread.gone.add(was.link.call.id);
    }
    if (is === undefined) continue;
    thread.orders.push(is.link.order);
    thread.now.set(is.link.call.id, is.record);
    thread.gone.delete(is.link.call.id);
  }
  return [...threads.values()].map(({ orders, ...rest }) => {
    orders.sort(compareOrder);
    return { ...rest, from: orders[0] as ThreadOrder, until: orders.at(-1) as ThreadOrder };
  });
}

interface Mutable {
  readonly thread: ThreadKey;
  readonly orders: ThreadOrder[];
  readonly now: Map<string, CallRecord>;
  readonly gone: Set<string>;
}

interface Settled {
  readonly record: CallRecord;
  readonly link: { readonly call: ChainCall; readonly order: ThreadOrder };
}

function settled(record: CallRecord, id: string): Settled | undefined {
  const call = chainCallOf(record, id);
  return call === undefined ? undefined : { record, link: { call, order: orderOf(record, id) } };
}

/** How many calls behind a change a store should bring first; more only when this was not enough. */
export function firstReach(change: ThreadChange): number {
  return 2 * WINDOW + change.now.size + change.gone.size;
}

/** Links a thread anew. Undefined when the window is too short to tell: then the store brings more. */
export function relinkThread(change: ThreadChange, window: ThreadWindow): readonly LinkChange[] | undefined {
  const touched = (id: string): boolean => change.now.has(id) || change.gone.has(id);
  const stored = new Map<string, StoredCall>();
  const place = (one: StoredCall): Settled | undefined => {
    stored.set(one.id, one);
    return touched(one.id) ? undefined : settled(one.record, one.id);
  };
  const before = window.before.map(place).filter((one) => one !== undefined);
  const after = window.after.map(place).filter((one) => one !== undefined);
  const last = window.after.at(-1);
  if (!window.complete && (last === undefined || compareOrder(orderOf(last.record, last.id), change.until) < 0))
    return undefined;
  for (const [id, record] of change.now) after.push(settled(record, id) as Settled);
  after.sort((a, b) => compareOrder(a.link.order, b.link.order));
  const known = ({ link: { call } }: Settled): KnownCall => ({
    call,
    links: stored.get(call.id)?.links,
  });
  const { links, settled: enough } = relink(before.map(known), after.map(known), {
    atLeast: after.filter(({ link }) => compareOrder(link.order, change.until) <= 0).length,
    complete: window.complete,
    gone: change.gone,
  });
  if (!enough) return undefined;
  const records = new Map([...before, ...after].map(({ record, link }) => [link.call.id, record]));
  return [...links].map(([id, next]) => ({
    record: records.get(id) as CallRecord,
    before: stored.get(id)?.links,
    after: next,
  }));
}
