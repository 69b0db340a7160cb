import type { Changes } from "../../core/model/changes.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import type { Dialect } from "./dialect.ts";
import { deleteFrom, updateOf, upsertInto } from "./statements.ts";
import {
  CALL_KEY_TYPES,
  CALL_LINKS,
  CALLS,
  callKeyValues,
  callSource,
  LEAKS,
  PROMPTS,
  REQUESTS,
  SESSIONS,
  SUSPENSIONS,
  sessionSource,
  THREADS,
  USAGES,
} from "./tables.ts";
import { stampedSessions } from "./thread-tail-cache.ts";
import { change, query, type Statement, sameRow, together, type Work } from "./work.ts";
import { writeAggregates, writeSessionHours, writeTokens } from "./write-aggregates.ts";

const WRITE_CALLS = upsertInto(CALLS);
const WRITE_SESSIONS = upsertInto(SESSIONS);
const WRITE_THREADS = upsertInto(THREADS);
const WRITE_REQUESTS = upsertInto(REQUESTS);
const WRITE_LEAKS = upsertInto(LEAKS);
const WRITE_SUSPENSIONS = upsertInto(SUSPENSIONS);
const WRITE_PROMPTS = upsertInto(PROMPTS);
const WRITE_USAGES = upsertInto(USAGES);
const REMOVE_CALLS = deleteFrom("calls", CALL_KEY_TYPES);
export const WRITE_LINKS: Statement = updateOf(CALL_LINKS);

/**
 * Writes all changes of a batch. Must run in the transaction that saves the journal position. Aggregates that all
 * servers share come last, followed by the number of the last event, so that their locks are held only briefly until
 * the commit.
 *
 * @param stamp the new version of the written sessions
 * @returns the number of the last event, if there are events
 */
export function* write(dialect: Dialect, changes: Changes, stamp: number): Work<number | undefined> {
  const written = yield* together([
    change(REMOVE_CALLS, changes.removed.map(callKeyValues)),
    change(
      WRITE_CALLS,
      changes.written.map((call) => CALLS.values(callSource(call, stamp))),
    ),
    change(
      WRITE_LINKS,
      changes.relinked.map(({ record, after }) => CALL_LINKS.values({ key: record.key, links: after, stamp })),
    ),
    writeSessions(changes.sessions, stamp),
    stampOthers(dialect, changes, stamp),
    change(WRITE_THREADS, [...changes.threads].map(THREADS.values)),
    change(WRITE_REQUESTS, changes.requests.map(REQUESTS.values)),
    change(WRITE_LEAKS, changes.leaks.map(LEAKS.values)),
    change(WRITE_SUSPENSIONS, changes.suspensions.map(SUSPENSIONS.values)),
    change(WRITE_PROMPTS, changes.prompts.map(PROMPTS.values)),
    change(
      WRITE_USAGES,
      changes.usages.map(({ after }) => USAGES.values(after)),
    ),
    writeAggregates(changes),
    writeSessionHours(changes.sessionHours),
    writeTokens(changes.tokens),
    writeEvents(dialect, changes.events),
  ]);
  return written[14];
}

export function writeSessions(sessions: Changes["sessions"], stamp: number): Work<void> {
  return change(
    WRITE_SESSIONS,
    sessions.map((session) => SESSIONS.values(sessionSource(session, stamp))),
  );
}

const STAMP: Statement = {
  parameters: { project: "text", session_id: "text", stamp: "bigint" },
  key: () => ["project", "session_id"],
  sql: (row) =>
    `UPDATE sessions AS t SET stamp = ${row.value("stamp")} ${row.join("FROM")} WHERE ${sameRow(["project", "session_id"], row)}`,
};

/** Stamps sessions of which only calls changed. */
function* stampOthers(dialect: Dialect, changes: Changes, stamp: number): Work<void> {
  if (dialect.name === "sqlite") return;
  const others = new Set(stampedSessions(changes));
  for (const session of changes.sessions) others.delete(sessionKeyText(session));
  yield* change(
    STAMP,
    [...others].map((text) => [...text.split("\u0000"), stamp]),
  );
}

const EVENTS_PER_ROW = 500;

/** Stores many lines per row, because events are written, read and deleted sequentially. */
function* writeEvents({ addEvents }: Dialect, events: readonly SessionEvent[]): Work<number | undefined> {
  const rows: Work<unknown>[] = [];
  for (let at = 0; at < events.length; at += EVENTS_PER_ROW) {
    const some = events.slice(at, at + EVENTS_PER_ROW);
    rows.push(query(addEvents, some.length, some.map((event) => JSON.stringify(event)).join("\n")));
  }
  if (rows.length === 0) return undefined;
  const added = (yield* together(rows)) as readonly (readonly { readonly id?: unknown }[])[];
  return Number(added.at(-1)?.[0]?.id);
}

const SAVE_POSITION = `INSERT INTO journal_positions (journal, position) VALUES (?, ?)
  ON CONFLICT (journal) DO UPDATE SET position = excluded.position`;

export function* savePosition({
  journal,
  position,
}: {
  readonly journal: string;
  readonly position: string;
}): Work<void> {
  yield* query(SAVE_POSITION, journal, position);
}
