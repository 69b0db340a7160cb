import type { CallKey } from "../../core/model/call-key.ts";
import type { CallLinks } from "../../core/model/call-links.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import type { Changes } from "../../core/model/changes.ts";
import type { LeakObservation } from "../../core/model/observation.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import {
  callColumns,
  LINK_COLUMNS,
  leakColumns,
  linkColumns,
  promptColumns,
  requestColumns,
  sessionColumns,
  threadColumns,
} from "../columns.ts";
import type { Database, Value } from "./database.ts";
import { lastEvent } from "./last-event.ts";
import { writeSuspension } from "./repair-rows.ts";
import { writeAggregates, writeSessionHours } from "./write-aggregates.ts";

/** Writes all changes of a batch. Must run in the transaction that saves the journal position. */
export function write(db: Database, changes: Changes): void {
  for (const key of changes.removed) removeCall(db, key);
  for (const { record, links } of changes.written) writeCall(db, record, links);
  for (const { record, after } of changes.relinked) writeLinks(db, record.key, after);
  for (const session of changes.sessions) writeSession(db, session);
  for (const [key, firstAt] of changes.threads) writeThread(db, key, firstAt);
  for (const request of changes.requests) writeRequest(db, request);
  for (const leak of changes.leaks) writeLeak(db, leak);
  for (const suspension of changes.suspensions) writeSuspension(db, suspension);
  for (const prompt of changes.prompts) writePrompt(db, prompt);
  writeAggregates(db, changes);
  writeSessionHours(db, changes.sessionHours);
  writeEvents(db, changes.events);
}

function writeCall(db: Database, record: CallRecord, links: CallLinks | undefined): void {
  upsert(db, "calls", ["project", "session_id", "agent_id", "tool_call_id", "occurrence"], callColumns(record, links));
}

export function writeLinks(db: Database, key: CallKey, links: CallLinks | undefined): void {
  db.run(
    `UPDATE calls SET ${LINK_COLUMNS.map((name) => `${name} = ?`).join(", ")}
     WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ?`,
    ...Object.values(linkColumns(links)),
    ...[key.project, key.session_id, key.agent_id, key.tool_call_id, key.occurrence],
  );
}

function removeCall(db: Database, key: CallKey): void {
  db.run(
    "DELETE FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ?",
    ...[key.project, key.session_id, key.agent_id, key.tool_call_id, key.occurrence],
  );
}

export function writeSession(db: Database, session: SessionRecord): void {
  upsert(db, "sessions", ["project", "session_id"], sessionColumns(session));
}

function writeThread(db: Database, key: string, firstAt: number): void {
  upsert(db, "threads", ["project", "session_id", "agent_id"], threadColumns(key, firstAt));
}

function writeRequest(db: Database, record: RequestRecord): void {
  upsert(db, "requests", ["project", "request_id"], requestColumns(record));
}

function writeLeak(db: Database, leak: LeakObservation): void {
  upsert(db, "leaks", ["project", "request_id", "result", "format", "reason"], leakColumns(leak));
}

function writePrompt(db: Database, record: PromptRecord): void {
  upsert(db, "prompts", ["project", "session_id", "prompt"], promptColumns(record));
}

const EVENTS_PER_ROW = 500;

/** Stores many lines per row, because events are written, read and deleted sequentially. */
function writeEvents(db: Database, events: readonly SessionEvent[]): void {
  let last = lastEvent(db);
  for (let at = 0; at < events.length; at += EVENTS_PER_ROW) {
    const lines = events.slice(at, at + EVENTS_PER_ROW).map((event) => JSON.stringify(event));
    last += lines.length;
    db.run("INSERT INTO changes (id, line) VALUES (?, ?)", last, lines.join("\n"));
  }
}

const UPSERTS = new Map<string, string>();

function upsert(db: Database, table: string, keys: readonly string[], row: Readonly<Record<string, Value>>): void {
  let sql = UPSERTS.get(table);
  if (sql === undefined) {
    const names = Object.keys(row);
    const updates = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
    sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
    UPSERTS.set(table, sql);
  }
  db.runAll(sql, Object.values(row));
}
