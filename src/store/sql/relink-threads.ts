import { threadKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { ArgumentFacts } from "../../core/model/observation.ts";
import type { Category, Phase, Status } from "../../core/model/outcome.ts";
import { firstReach, type LinkChange, relinkPlaces, type ThreadChange } from "../../core/model/thread-change.ts";
import { addPair, type ChainCall, LINK_WINDOW, linkable } from "../../core/score/chain-call.ts";
import type { NewLinks } from "../../core/score/relink.ts";
import type { QueryRow, QueryValue } from "./driver.ts";
import { selectBy } from "./statements.ts";
import { CALL_KEY_TYPES, CALLS, callKeyValues, LINK_COLUMNS, linksOfRow } from "./tables.ts";
import {
  cachedCallOf,
  nextTail,
  type StoredLinkedCall,
  type ThreadTail,
  type ThreadTailCache,
  windowOf,
} from "./thread-tail-cache.ts";
import { type Statement, select, together, type Work } from "./work.ts";

const PLACE = ["first_at", "thread_order", "turn_index", "record_id"] as const;
const COLUMNS = ["tool_call_id", "occurrence", "tool_name", "status", "category", "phase", "turn", "prompt"];

/** Selects calls of a thread before a position, or from it on: only the parts that links depend on, as records are long. */
function windowSql(is: "<" | ">=", order: "DESC" | "ASC"): Statement {
  return {
    parameters: {
      ...{ project: "text", session_id: "text", agent_id: "text", first_at: "bigint" },
      ...{ thread_order: "double precision", turn_index: "double precision", record_id: "text", reach: "integer" },
    },
    sql: (
      { value },
      { json },
    ) => `SELECT ${[...COLUMNS, ...PLACE, ...LINK_COLUMNS].map((name) => `c.${name}`).join(", ")},
        ${json("c.record", ["facts", "arguments", "value"])} AS arguments,
        ${json("c.record", ["facts", "result", "value", "resources"])} AS named,
        ${json("c.record", ["facts", "result", "value", "normalized_hash"])} AS result_hash
      FROM calls c
      WHERE c.project = ${value("project")} AND c.session_id = ${value("session_id")} AND c.agent_id = ${value("agent_id")}
        AND c.call_count = 1 AND (${PLACE.map((name) => `c.${name}`).join(", ")}) ${is} (${PLACE.map(value).join(", ")})
      ORDER BY ${PLACE.map((name) => `c.${name} ${order}`).join(", ")} LIMIT ${value("reach")}`,
  };
}

const BEFORE = windowSql("<", "DESC");
const FROM = windowSql(">=", "ASC");

function windowValues({ thread, from }: ThreadChange, reach: number): readonly QueryValue[] {
  return [
    ...[thread.project, thread.session_id, thread.agent_id],
    ...[from.first_at, from.thread_order, from.turn_index, from.record_id, reach],
  ];
}

/** The new links of a thread, and its calls before and after the change. */
interface RelinkedThread {
  readonly links: readonly NewLinks[];
  readonly calls: readonly StoredLinkedCall[];
  /** Undefined if its end was not loaded. */
  readonly tail: ThreadTail | undefined;
}

interface Relinked {
  readonly links: readonly LinkChange[];
  readonly tails: ReadonlyMap<string, ThreadTail>;
}

/**
 * Relinks changed threads from their cached ends, or else from the calls around each change.
 *
 * @param stamps of the loaded sessions, by key
 */
export function* relinkThreads(
  changes: readonly ThreadChange[],
  cache: ThreadTailCache | undefined,
  stamps: ReadonlyMap<string, number>,
): Work<Relinked> {
  const relinked = new Map<ThreadChange, RelinkedThread>();
  for (const change of changes) {
    const tail = cache?.find(change.thread, stamps.get(sessionKeyText(change.thread)));
    const window = tail && windowOf(tail, change);
    const links = window && relinkPlaces(change, window);
    if (tail !== undefined && links !== undefined)
      relinked.set(change, { links, calls: tail.calls, tail: nextTail(tail, change, links) });
  }
  yield* readThreads(
    changes.filter((change) => !relinked.has(change)),
    relinked,
  );
  const tails = new Map<string, ThreadTail>();
  for (const [{ thread }, { tail }] of relinked) if (tail !== undefined) tails.set(threadKeyText(thread), tail);
  return { links: yield* linkChanges(changes, relinked), tails };
}

/** Reads a window before each change, and as many calls after it as the change affects. */
function* readThreads(changes: readonly ThreadChange[], relinked: Map<ThreadChange, RelinkedThread>): Work<void> {
  const reaches = changes.map(firstReach);
  const rows = (reach: number | undefined) =>
    changes.map((change, at) => windowValues(change, reach ?? (reaches[at] as number)));
  const [before, after] = yield* together([select(BEFORE, rows(LINK_WINDOW)), select(FROM, rows(undefined))]);
  for (const [at, change] of changes.entries()) {
    const front = (before[at] ?? []).map(toLinkedCall).reverse();
    relinked.set(change, yield* relinkFrom(change, front, after[at] ?? [], reaches[at] as number));
  }
}

/** @param rows the first calls from the change on, up to `reach` */
function* relinkFrom(
  change: ThreadChange,
  before: readonly StoredLinkedCall[],
  rows: readonly QueryRow[],
  reach: number,
): Work<RelinkedThread> {
  const after = rows.map(toLinkedCall);
  const complete = after.length < reach;
  const links = relinkPlaces(change, { before, after, complete });
  if (links === undefined) {
    const [more = []] = yield* select(FROM, [windowValues(change, 4 * reach)]);
    return yield* relinkFrom(change, before, more, 4 * reach);
  }
  const calls = [...before, ...after];
  if (!complete) return { links, calls, tail: undefined };
  const end = { calls: calls.map(cachedCallOf), isComplete: before.length < LINK_WINDOW };
  return { links, calls, tail: nextTail(end, change, links) };
}

/** Equals `chainCallOf` of the record. */
function toLinkedCall(row: QueryRow): StoredLinkedCall {
  const call: { -readonly [K in keyof ChainCall]: ChainCall[K] } = {
    id: String(row.record_id),
    tool: String(row.tool_name),
    status: row.status as Status,
  };
  if (row.category !== null) call.category = row.category as Category;
  if (row.phase !== null) call.phase = row.phase as Phase;
  if (row.turn !== null) call.turn = String(row.turn);
  if (row.prompt !== null) call.prompt = String(row.prompt);
  const args = row.arguments === null ? undefined : (JSON.parse(row.arguments as string) as Partial<ArgumentFacts>);
  if (args !== undefined) call.arguments = linkable(args);
  if (row.result_hash !== null) addPair(call, args, JSON.parse(row.result_hash as string) as string);
  if (row.named !== null) call.named = JSON.parse(row.named as string) as readonly string[];
  const order = {
    first_at: Number(row.first_at),
    thread_order: Number(row.thread_order),
    turn_index: Number(row.turn_index),
    record_id: call.id,
  };
  return {
    call,
    order,
    links: linksOfRow(row),
    tool_call_id: String(row.tool_call_id),
    occurrence: Number(row.occurrence),
  };
}

const RECORD = selectBy(CALLS, Object.keys(CALL_KEY_TYPES), () => "t.record");

/** Loads the records of calls outside the batch, of which only a part was loaded or cached. */
function* linkChanges(
  changes: readonly ThreadChange[],
  relinked: ReadonlyMap<ThreadChange, RelinkedThread>,
): Work<readonly LinkChange[]> {
  const missing = new Map<string, readonly QueryValue[]>();
  for (const change of changes) {
    const { links, calls } = relinked.get(change) as RelinkedThread;
    const ids = new Set(links.map(({ id }) => id).filter((id) => !change.now.has(id)));
    if (ids.size === 0) continue;
    for (const { call, tool_call_id, occurrence } of calls)
      if (ids.has(call.id)) missing.set(call.id, callKeyValues({ ...change.thread, tool_call_id, occurrence }));
  }
  const found = yield* select(RECORD, [...missing.values()]);
  const records = new Map(
    [...missing.keys()].map((id, at) => [id, JSON.parse(String(found[at]?.[0]?.record)) as CallRecord]),
  );
  return changes.flatMap((change) => {
    const { links } = relinked.get(change) as RelinkedThread;
    return links.map(({ id, before, after }) => ({
      record: change.now.get(id)?.record ?? (records.get(id) as CallRecord),
      before,
      after,
    }));
  });
}
