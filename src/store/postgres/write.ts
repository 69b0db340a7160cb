import type { CallKey } from "../../core/model/call-key.ts";
import type { Changes } from "../../core/model/changes.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import type { LinkChange } from "../../core/model/thread-change.ts";
import {
  type Columns,
  callColumns,
  LINK_COLUMNS,
  leakColumns,
  linkColumns,
  promptColumns,
  requestColumns,
  sessionColumns,
  suspensionColumns,
  threadColumns,
} from "../columns.ts";
import type { Queries, Row } from "./database.ts";
import { rowsOf, sortedByKey, upsert, valuesOf } from "./tables.ts";
import { stampedSessions } from "./thread-tail-cache.ts";
import { writeAggregates, writeSessionHours } from "./write-aggregates.ts";

const CALL_KEYS = ["project", "session_id", "agent_id", "tool_call_id", "occurrence"] as const;

/**
 * Writes all changes of a batch; statements are pipelined. Aggregates that all writers share come last, followed by the
 * number of the last event, so that their locks are held only briefly until the commit. Returns that number if there
 * are events.
 */
export async function write(db: Queries, changes: Changes, stamp: number): Promise<number | undefined> {
  const written = await Promise.all([
    removeCalls(db, changes.removed),
    upsert(
      db,
      "calls",
      CALL_KEYS,
      changes.written.map(({ record, links }) => ({ ...callColumns(record, links), stamp })),
    ),
    writeLinks(db, changes.relinked, stamp),
    upsert(
      db,
      "sessions",
      ["project", "session_id"],
      changes.sessions.map((session) => ({ ...sessionColumns(session), stamp })),
    ),
    stampOthers(db, changes, stamp),
    upsert(
      db,
      "threads",
      ["project", "session_id", "agent_id"],
      [...changes.threads].map(([key, firstAt]) => threadColumns(key, firstAt)),
    ),
    upsert(db, "requests", ["project", "session_id", "request_id"], changes.requests.map(requestColumns)),
    upsert(
      db,
      "leaks",
      ["project", "session_id", "request_id", "result", "format", "reason"],
      changes.leaks.map(leakColumns),
    ),
    upsert(db, "suspensions", ["project", "session_id", "request_id"], changes.suspensions.map(suspensionColumns)),
    upsert(db, "prompts", ["project", "session_id", "prompt"], changes.prompts.map(promptColumns)),
    writeAggregates(db, changes),
    writeSessionHours(db, changes.sessionHours),
    writeEvents(db, changes.events),
  ]);
  return written.at(-1) ?? undefined;
}

/** Stamps sessions of which only calls changed. */
async function stampOthers(db: Queries, changes: Changes, stamp: number): Promise<void> {
  const others = new Set(stampedSessions(changes));
  for (const session of changes.sessions) others.delete(sessionKeyText(session));
  if (others.size === 0) return;
  const keys = [...others].sort().map((text) => text.split("\u0000") as [string, string]);
  await db.all(
    `UPDATE sessions s SET stamp = ? FROM unnest(?::text[], ?::text[]) AS k(project, session_id)
     WHERE s.project = k.project AND s.session_id = k.session_id`,
    ...[stamp, keys.map(([project]) => project), keys.map(([, session]) => session)],
  );
}

function columnsOf({ project, session_id, agent_id, tool_call_id, occurrence }: CallKey): Columns {
  return { project, session_id, agent_id, tool_call_id, occurrence };
}

const SAME_CALL = CALL_KEYS.map((name) => `c.${name} = k.${name}`).join(" AND ");

async function removeCalls(db: Queries, keys: readonly CallKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db.all(
    `DELETE FROM calls c USING ${rowsOf("calls", CALL_KEYS)} WHERE ${SAME_CALL}`,
    ...valuesOf(CALL_KEYS, sortedByKey(CALL_KEYS, keys.map(columnsOf))),
  );
}

const CHANGED = [...LINK_COLUMNS, "stamp"];
const LINKED = [...CALL_KEYS, ...CHANGED];

async function writeLinks(db: Queries, changes: readonly LinkChange[], stamp: number): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ record, after }) => ({
    ...{ ...columnsOf(record.key), ...linkColumns(after), stamp },
  }));
  await db.all(
    `UPDATE calls c SET ${CHANGED.map((name) => `${name} = k.${name}`).join(", ")}
     FROM ${rowsOf("calls", LINKED)} WHERE ${SAME_CALL}`,
    ...valuesOf(LINKED, sortedByKey(CALL_KEYS, rows)),
  );
}

const EVENTS_PER_ROW = 500;

/**
 * Stores many lines per row. The row of the last number stays locked until the commit, so that numbers become visible
 * in order.
 */
async function writeEvents(db: Queries, events: readonly SessionEvent[]): Promise<number | undefined> {
  const rows: Promise<readonly Row[]>[] = [];
  for (let at = 0; at < events.length; at += EVENTS_PER_ROW) {
    const some = events.slice(at, at + EVENTS_PER_ROW);
    rows.push(db.all(WRITE_EVENTS, some.length, some.map((event) => JSON.stringify(event)).join("\n")));
  }
  const last = (await Promise.all(rows)).at(-1)?.[0];
  return last === undefined ? undefined : Number(last.id);
}

const WRITE_EVENTS = `WITH numbers AS (UPDATE event_numbers SET last = last + ? WHERE id = 1 RETURNING last)
  INSERT INTO changes (id, line) SELECT last, ? FROM numbers RETURNING id`;
