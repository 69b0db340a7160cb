import type { CallRecord } from "../../core/model/call-record.ts";
import {
  firstReach,
  type LinkChange,
  relinkThread,
  type StoredCall,
  type ThreadChange,
  type ThreadWindow,
} from "../../core/model/thread-change.ts";
import { WINDOW } from "../../core/score/chain-call.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Database, Row } from "./database.ts";

const SELECT = `SELECT record, record_id, ${LINK_COLUMNS.join(", ")} FROM calls
  WHERE project = ? AND session_id = ? AND agent_id = ? AND call_count = 1 AND (first_at, thread_order, turn_index, record_id)`;
const UP = "first_at, thread_order, turn_index, record_id";
const DOWN = "first_at DESC, thread_order DESC, turn_index DESC, record_id DESC";

/** Links a changed thread anew: reads a window before the change, and behind it as much as the change reaches. */
export function readRelinked(
  db: Database,
  change: ThreadChange,
): { readonly links: readonly LinkChange[]; readonly window: ThreadWindow } {
  const { thread, from } = change;
  const place = [
    ...[thread.project, thread.session_id, thread.agent_id],
    ...[from.first_at, from.thread_order, from.turn_index, from.record_id],
  ];
  const before = db
    .all(`${SELECT} < (?, ?, ?, ?) ORDER BY ${DOWN} LIMIT ${WINDOW}`, ...place)
    .reverse()
    .map(storedCall);
  for (let reach = firstReach(change); ; reach *= 4) {
    const after = db.all(`${SELECT} >= (?, ?, ?, ?) ORDER BY ${UP} LIMIT ?`, ...place, reach).map(storedCall);
    const window = { before, after, complete: after.length < reach };
    const links = relinkThread(change, window);
    if (links !== undefined) return { links, window };
  }
}

function storedCall(row: Row): StoredCall {
  return {
    id: String(row.record_id),
    record: JSON.parse(row.record as string) as CallRecord,
    links: linksOfRow(row),
  };
}
