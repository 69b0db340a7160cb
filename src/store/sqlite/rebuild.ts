import { computeAggregates, countSession, sessionHour, type TallyChange } from "../../core/model/aggregates.ts";
import { type Hasher, recordId } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { wordChanges } from "../../core/model/session-name.ts";
import { EMPTY_TALLY, type SessionRecord } from "../../core/model/session-record.ts";
import { relinkThread, threadChanges } from "../../core/model/thread-change.ts";
import { CALL_LINKS } from "../sql/tables.ts";
import { change } from "../sql/work.ts";
import { WRITE_LINKS, writeSessions } from "../sql/write.ts";
import { writeAggregates, writeSessionHours } from "../sql/write-aggregates.ts";
import type { Database } from "./database.ts";

/**
 * Recomputes links, scores and aggregates from the records. For databases of versions without them. Exact only
 * if no session was ever deleted: then the aggregates are the sum of the records.
 */
export function rebuild(db: Database, hash: Hasher): void {
  for (const table of AGGREGATE_TABLES) db.exec(`DELETE FROM ${table}`);
  const sessions = db.all("SELECT project, session_id, record FROM sessions ORDER BY project, session_id");
  for (const { project, session_id, record } of sessions) {
    const rows = db.all(
      "SELECT record FROM calls WHERE project = ? AND session_id = ?",
      ...[project as string, session_id as string],
    );
    rebuildSession(
      db,
      JSON.parse(record as string) as SessionRecord,
      rows.map((row) => JSON.parse(row.record as string) as CallRecord),
      hash,
    );
  }
}

const AGGREGATE_TABLES = [
  "rollups",
  "total_rollups",
  "session_rollups",
  "workflow_rollups",
  "durations",
  "fingerprint_rollups",
  "fingerprint_facets",
  "fingerprints",
  "session_facets",
];

function rebuildSession(db: Database, session: SessionRecord, records: readonly CallRecord[], hash: Hasher): void {
  const changes = threadChanges(
    records.map((after) => ({ before: undefined, after })),
    hash,
  );
  const links = new Map(
    changes
      .flatMap((change) => relinkThread(change, { before: [], after: [], complete: true }) ?? [])
      .map(({ record, after }) => [recordId(record.key, hash), after] as const),
  );
  const tallies = records.map(
    (record): TallyChange => ({ record, links: links.get(recordId(record.key, hash)), times: 1 }),
  );
  const linked = tallies.map(({ record, links: next }) =>
    CALL_LINKS.values({ key: record.key, links: next, stamp: 0 }),
  );
  db.perform(change(WRITE_LINKS, linked));
  const aggregates = computeAggregates(tallies);
  db.perform(writeAggregates({ ...aggregates, facets: [...aggregates.facets, ...wordChanges(undefined, session)] }));
  const counted = countSession({ ...session, tally: EMPTY_TALLY, pending: 0, categories: {}, severities: {} }, tallies);
  db.perform(writeSessionHours([sessionHour(counted, 1)]));
  db.perform(writeSessions([counted], 0));
}
