import type { CallRecord } from "../../core/model/call-record.ts";
import type { ArgumentFacts } from "../../core/model/observation.ts";
import type { Category, Phase, Status } from "../../core/model/outcome.ts";
import {
  firstReach,
  type LinkedOrderedCall,
  relinkPlaces,
  type ThreadChange,
  type ThreadWindow,
} from "../../core/model/thread-change.ts";
import { type ChainCall, LINK_WINDOW, linkable } from "../../core/score/chain-call.ts";
import type { NewLinks } from "../../core/score/relink.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import type { Database, Row } from "./database.ts";

/** A call of a thread, with the rest of its key. */
export interface StoredLinkedCall extends LinkedOrderedCall {
  readonly tool_call_id: string;
  readonly occurrence: number;
}

// Only the parts of records that links depend on: records are long.
const SELECT = `SELECT record_id, tool_call_id, occurrence, tool_name, status, category, phase, turn, prompt,
    first_at, thread_order, turn_index, ${LINK_COLUMNS.join(", ")},
    record -> '$.facts.arguments.value' AS arguments, record -> '$.facts.result.value.resources' AS named
  FROM calls
  WHERE project = ? AND session_id = ? AND agent_id = ? AND call_count = 1 AND (first_at, thread_order, turn_index, record_id)`;
const UP = "first_at, thread_order, turn_index, record_id";
const DOWN = "first_at DESC, thread_order DESC, turn_index DESC, record_id DESC";

/** Relinks a changed thread: reads a window before the change, and as many calls after it as the change affects. */
export function readRelinked(
  db: Database,
  change: ThreadChange,
): { readonly links: readonly NewLinks[]; readonly window: ThreadWindow<StoredLinkedCall> } {
  const { thread, from } = change;
  const place = [
    ...[thread.project, thread.session_id, thread.agent_id],
    ...[from.first_at, from.thread_order, from.turn_index, from.record_id],
  ];
  const before = db
    .all(`${SELECT} < (?, ?, ?, ?) ORDER BY ${DOWN} LIMIT ${LINK_WINDOW}`, ...place)
    .reverse()
    .map(toLinkedCall);
  for (let reach = firstReach(change); ; reach *= 4) {
    const after = db.all(`${SELECT} >= (?, ?, ?, ?) ORDER BY ${UP} LIMIT ?`, ...place, reach).map(toLinkedCall);
    const window = { before, after, complete: after.length < reach };
    const moves = relinkPlaces(change, window);
    if (moves !== undefined) return { links: moves, window };
  }
}

/** Equals `chainCallOf` of the record. */
function toLinkedCall(row: Row): StoredLinkedCall {
  const call: { -readonly [K in keyof ChainCall]: ChainCall[K] } = {
    id: String(row.record_id),
    tool: String(row.tool_name),
    status: row.status as Status,
  };
  if (row.category !== null) call.category = row.category as Category;
  if (row.phase !== null) call.phase = row.phase as Phase;
  if (row.turn !== null) call.turn = String(row.turn);
  if (row.prompt !== null) call.prompt = String(row.prompt);
  if (row.arguments !== null) call.arguments = linkable(JSON.parse(row.arguments as string) as Partial<ArgumentFacts>);
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

/** The complete record of a call that was loaded in part. */
export function readRecord(
  db: Database,
  { thread }: ThreadChange,
  { tool_call_id, occurrence }: StoredLinkedCall,
): CallRecord {
  const { project, session_id, agent_id } = thread;
  const row = db.get(
    "SELECT record FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ?",
    ...[project, session_id, agent_id, tool_call_id, occurrence],
  ) as Row;
  return JSON.parse(row.record as string) as CallRecord;
}
