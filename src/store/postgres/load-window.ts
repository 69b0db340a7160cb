import type { CallRecord } from "../../core/model/call-record.ts";
import {
  firstReach,
  type LinkChange,
  relinkThread,
  type StoredCall,
  type ThreadChange,
} from "../../core/model/thread-change.ts";
import { WINDOW } from "../../core/score/chain-call.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Queries, Row } from "./database.ts";

const SELECT = `SELECT record, record_id, ${LINK_COLUMNS.join(", ")} FROM calls
  WHERE project = ? AND session_id = ? AND agent_id = ? AND call_count = 1 AND (first_at, thread_order, turn_index, record_id)`;
const UP = "first_at, thread_order, turn_index, record_id";
const DOWN = "first_at DESC, thread_order DESC, turn_index DESC, record_id DESC";

/** Links a changed thread anew: reads a window before the change, and behind it as much as the change reaches. */
export async function relinked(db: Queries, change: ThreadChange): Promise<readonly LinkChange[]> {
  const { thread, from } = change;
  const place = [
    ...[thread.project, thread.session_id, thread.agent_id],
    ...[from.first_at, from.thread_order, from.turn_index, from.record_id],
  ];
  const behind = (reach: number): Promise<readonly Row[]> =>
    db.all(`${SELECT} >= (?, ?, ?, ?) ORDER BY ${UP} LIMIT ?`, ...place, reach);
  let reach = firstReach(change);
  const [front, first] = await Promise.all([
    db.all(`${SELECT} < (?, ?, ?, ?) ORDER BY ${DOWN} LIMIT ${WINDOW}`, ...place),
    behind(reach),
  ]);
  const before = front.map(storedCall).reverse();
  for (let rows = first; ; rows = await behind(reach)) {
    const after = rows.map(storedCall);
    const links = relinkThread(change, { before, after, complete: after.length < reach });
    if (links !== undefined) return links;
    reach *= 4;
  }
}

function storedCall(row: Row): StoredCall {
  return {
    id: String(row.record_id),
    record: JSON.parse(row.record as string) as CallRecord,
    links: linksOfRow(row),
  };
}
