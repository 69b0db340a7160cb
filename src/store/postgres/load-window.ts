import { type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { firstReach, type LinkChange, relinkThread, type ThreadChange } from "../../core/model/thread-change.ts";
import { compareOrder, LINK_WINDOW, orderOf } from "../../core/score/chain-call.ts";
import type { Columns } from "../columns.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import type { Queries, Row } from "./database.ts";
import { rowsOf, valuesOf } from "./tables.ts";
import { type ThreadTail, type ThreadTailCache, type VersionedCall, windowOf } from "./thread-tail-cache.ts";

const KEYS = [
  "n",
  "project",
  "session_id",
  "agent_id",
  "first_at",
  "thread_order",
  "turn_index",
  "record_id",
  "reach",
] as const;
const PLACE = ["first_at", "thread_order", "turn_index", "record_id"] as const;

/**
 * Selects the calls of each thread before a position, or from it on; without the records of calls whose stamp is
 * cached.
 */
const sqlOf = (is: "<" | ">=", order: "DESC" | "ASC"): string =>
  `SELECT k.n, t.* FROM ${rowsOf("calls", KEYS)} CROSS JOIN LATERAL (
     SELECT CASE WHEN c.stamp IN (SELECT unnest(?::bigint[])) THEN NULL ELSE c.record END AS record, c.record_id, c.stamp,
       ${LINK_COLUMNS.map((name) => `c.${name}`).join(", ")} FROM calls c
     WHERE c.project = k.project AND c.session_id = k.session_id AND c.agent_id = k.agent_id AND c.call_count = 1
       AND (${PLACE.map((name) => `c.${name}`).join(", ")}) ${is} (${PLACE.map((name) => `k.${name}`).join(", ")})
     ORDER BY ${PLACE.map((name) => `c.${name} ${order}`).join(", ")} LIMIT k.reach) t`;
const BEFORE = sqlOf("<", "DESC");
const BEHIND = sqlOf(">=", "ASC");

interface WindowQuery {
  readonly change: ThreadChange;
  readonly reach: number;
}

interface Relinked {
  readonly links: readonly LinkChange[];
  /** The ends of threads that were loaded, before the change. */
  readonly read: ReadonlyMap<string, ThreadTail>;
}

/** Relinks changed threads from their cached ends, or else from the calls around each change. */
export async function relinked(
  db: Queries,
  changes: readonly ThreadChange[],
  remembered: (thread: ThreadKey) => ReturnType<ThreadTailCache["find"]>,
): Promise<Relinked> {
  const links: LinkChange[] = [];
  const known = new Map<string, VersionedCall>();
  const unknown = changes.filter((change) => {
    const found = remembered(change.thread);
    const window = found?.holds === true ? windowOf(found.end, change) : undefined;
    const linked = window && relinkThread(change, window);
    links.push(...(linked ?? []));
    if (linked === undefined) for (const call of found?.end.calls ?? []) known.set(call.id, call);
    return linked === undefined;
  });
  if (unknown.length === 0) return { links, read: new Map() };
  const read = await readRelinked(db, unknown, known);
  return { links: [...links, ...read.links], read: read.read };
}

/** Reads a window before each change, and as many calls after it as the change affects. */
async function readRelinked(
  db: Queries,
  changes: readonly ThreadChange[],
  known: ReadonlyMap<string, VersionedCall>,
): Promise<Relinked> {
  const links: LinkChange[] = [];
  const read = new Map<string, ThreadTail>();
  let queries: readonly WindowQuery[] = changes.map((change) => ({ change, reach: firstReach(change) }));
  const [fronts, first] = await Promise.all([
    callsOf(
      db,
      BEFORE,
      changes.map((change) => ({ change, reach: LINK_WINDOW })),
      known,
    ),
    callsOf(db, BEHIND, queries, known),
  ]);
  const front = new Map(changes.map((change, n) => [change, fronts[n] ?? []]));
  for (let behind = first; queries.length > 0; behind = await callsOf(db, BEHIND, queries, known)) {
    queries = queries.flatMap(({ change, reach }, n) => {
      const [before, after] = [front.get(change) ?? [], behind[n] ?? []];
      const complete = after.length < reach;
      const found = relinkThread(change, { before, after, complete });
      if (found === undefined) return [{ change, reach: 4 * reach }];
      links.push(...found);
      if (complete)
        read.set(threadKeyText(change.thread), {
          calls: [...before, ...after],
          isComplete: before.length < LINK_WINDOW,
        });
      return [];
    });
  }
  return { links, read };
}

/** The calls of each queried thread, in order. */
async function callsOf(
  db: Queries,
  sql: string,
  asked: readonly WindowQuery[],
  known: ReadonlyMap<string, VersionedCall>,
): Promise<readonly (readonly VersionedCall[])[]> {
  if (asked.length === 0) return [];
  const keys = asked.map(({ change: { thread, from }, reach }, n): Columns => {
    const { project, session_id, agent_id } = thread;
    return { n, project, session_id, agent_id, ...placeOf(from), reach };
  });
  const calls = asked.map((): VersionedCall[] => []);
  const stamps = [...new Set([...known.values()].map(({ stamp }) => stamp))];
  for (const row of await db.all(sql, ...valuesOf(KEYS, keys), stamps)) {
    const call = stampedCall(row, known);
    // The cache contains only some calls of a batch with the same stamp.
    if (call === undefined) return await callsOf(db, sql, asked, new Map());
    calls[Number(row.n)]?.push(call);
  }
  return calls.map((own) => own.sort((a, b) => compareOrder(orderOf(a.record, a.id), orderOf(b.record, b.id))));
}

function placeOf({ first_at, thread_order, turn_index, record_id }: ThreadChange["from"]): Columns {
  return { first_at, thread_order, turn_index, record_id };
}

function stampedCall(row: Row, known: ReadonlyMap<string, VersionedCall>): VersionedCall | undefined {
  const [id, stamp] = [String(row.record_id), Number(row.stamp)];
  if (row.record !== null)
    return { id, stamp, record: JSON.parse(row.record as string) as CallRecord, links: linksOfRow(row) };
  const before = known.get(id);
  return before?.stamp === stamp ? before : undefined;
}
