import { type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import {
  firstReach,
  type LinkChange,
  relinkThread,
  type StoredCall,
  type ThreadChange,
} from "../../core/model/thread-change.ts";
import { compareOrder, orderOf, WINDOW } from "../../core/score/chain-call.ts";
import type { Columns } from "../columns.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Queries, Row } from "./database.ts";
import { rowsOf, valuesOf } from "./tables.ts";
import { type ThreadEnd, windowOf } from "./thread-ends.ts";

const KEYS = ["n", "project", "session_id", "agent_id", "first_at", "thread_order", "turn_index", "record_id", "reach"];
const PLACE = ["first_at", "thread_order", "turn_index", "record_id"] as const;

/** The nearest calls of each thread before a place of it, or from there on. */
const sqlOf = (is: "<" | ">=", order: "DESC" | "ASC"): string =>
  `SELECT k.n, t.* FROM ${rowsOf("calls", KEYS)} CROSS JOIN LATERAL (
     SELECT c.record, c.record_id, ${LINK_COLUMNS.map((name) => `c.${name}`).join(", ")} FROM calls c
     WHERE c.project = k.project AND c.session_id = k.session_id AND c.agent_id = k.agent_id AND c.call_count = 1
       AND (${PLACE.map((name) => `c.${name}`).join(", ")}) ${is} (${PLACE.map((name) => `k.${name}`).join(", ")})
     ORDER BY ${PLACE.map((name) => `c.${name} ${order}`).join(", ")} LIMIT k.reach) t`;
const BEFORE = sqlOf("<", "DESC");
const BEHIND = sqlOf(">=", "ASC");

interface Asked {
  readonly change: ThreadChange;
  readonly reach: number;
}

export interface Relinked {
  readonly links: readonly LinkChange[];
  /** The ends of threads that had to be read, as they were. */
  readonly read: ReadonlyMap<string, ThreadEnd>;
}

/** Links changed threads anew: from what is known of their ends, or else from what is read around each change. */
export async function relinked(
  db: Queries,
  changes: readonly ThreadChange[],
  known: (thread: ThreadKey) => ThreadEnd | undefined,
): Promise<Relinked> {
  const links: LinkChange[] = [];
  const unknown = changes.filter((change) => {
    const end = known(change.thread);
    const window = end && windowOf(end, change);
    const found = window && relinkThread(change, window);
    links.push(...(found ?? []));
    return found === undefined;
  });
  if (unknown.length === 0) return { links, read: new Map() };
  const read = await readRelinked(db, unknown);
  return { links: [...links, ...read.links], read: read.read };
}

/** Reads a window before each change, and behind it as much as the change reaches. */
async function readRelinked(db: Queries, changes: readonly ThreadChange[]): Promise<Relinked> {
  const links: LinkChange[] = [];
  const read = new Map<string, ThreadEnd>();
  let asked: readonly Asked[] = changes.map((change) => ({ change, reach: firstReach(change) }));
  const [fronts, first] = await Promise.all([
    callsOf(
      db,
      BEFORE,
      changes.map((change) => ({ change, reach: WINDOW })),
    ),
    callsOf(db, BEHIND, asked),
  ]);
  const front = new Map(changes.map((change, n) => [change, fronts[n] ?? []]));
  for (let behind = first; asked.length > 0; behind = await callsOf(db, BEHIND, asked)) {
    asked = asked.flatMap(({ change, reach }, n) => {
      const [before, after] = [front.get(change) ?? [], behind[n] ?? []];
      const complete = after.length < reach;
      const found = relinkThread(change, { before, after, complete });
      if (found === undefined) return [{ change, reach: 4 * reach }];
      links.push(...found);
      if (complete)
        read.set(threadKeyText(change.thread), { calls: [...before, ...after], whole: before.length < WINDOW });
      return [];
    });
  }
  return { links, read };
}

/** For each thread that was asked for its calls, in their order. */
async function callsOf(db: Queries, sql: string, asked: readonly Asked[]): Promise<readonly (readonly StoredCall[])[]> {
  if (asked.length === 0) return [];
  const keys = asked.map(({ change: { thread, from }, reach }, n): Columns => {
    const { project, session_id, agent_id } = thread;
    return { n, project, session_id, agent_id, ...placeOf(from), reach };
  });
  const calls = asked.map((): StoredCall[] => []);
  for (const row of await db.all(sql, ...valuesOf(KEYS, keys))) calls[Number(row.n)]?.push(storedCall(row));
  return calls.map((own) => own.sort((a, b) => compareOrder(orderOf(a.record, a.id), orderOf(b.record, b.id))));
}

function placeOf({ first_at, thread_order, turn_index, record_id }: ThreadChange["from"]): Columns {
  return { first_at, thread_order, turn_index, record_id };
}

function storedCall(row: Row): StoredCall {
  return {
    id: String(row.record_id),
    record: JSON.parse(row.record as string) as CallRecord,
    links: linksOfRow(row),
  };
}
