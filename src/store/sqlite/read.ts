import type { LeakObservation } from "../../core/model/observation.ts";
import { HOUR } from "../../core/model/rollup.ts";
import { failureRate, TALLY_FIELDS } from "../../core/model/session-record.ts";
import { breakdownRows } from "../breakdown-rows.ts";
import { leakRow } from "../leak-row.ts";
import { NEWEST_SESSIONS } from "../limits.ts";
import type {
  Breakdown,
  BreakdownQuery,
  BreakdownRow,
  EventLine,
  FingerprintQuery,
  FingerprintRow,
  HeldKey,
  HeldTurn,
  LeakQuery,
  LeakRow,
  MadeCall,
  OpenMendedCall,
  OriginRow,
  Page,
  Range,
  RollupQuery,
  SeriesPoint,
  SeriesQuery,
  SessionDetail,
  SessionQuery,
  SessionRow,
  StoreReader,
  Summary,
  SuspensionRow,
  ToolModelRow,
} from "../port.ts";
import { SQLITE } from "../sql/dialect.ts";
import {
  breakdown,
  fingerprints,
  series,
  sessionTotals,
  tallyOfRow,
  toolModel,
  totalOf,
  unhealthySessions,
} from "../sql/rollup-questions.ts";
import { sessionDetail } from "../sql/session-detail.ts";
import { sessions } from "../sql/session-list.ts";
import { type Where, whereOf } from "../sql/where.ts";
import type { Database, Row } from "./database.ts";
import { readHeldTurn, readMadeCalls } from "./held-rows.ts";
import { lastEvent } from "./last-event.ts";
import { readOpenMended, readOrigins, readRecovered, readSuspensions } from "./repair-rows.ts";

/** A call that an answer made and that a later request of the same conversation does not have. */
export const DISCARDED = `(c.made_here = 1 AND c.in_history = 0 AND EXISTS (
  SELECT 1 FROM requests r WHERE r.project = c.project AND r.session_id = c.session_id AND r.agent_id = c.agent_id
    AND r.conversation = c.conversation AND r.started_at > c.made_at))`;

/** Every question, over one connection. */
export class SqliteReader implements StoreReader {
  protected readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async summary(range: Range): Promise<Summary> {
    const tally = await totalOf(this.db, range);
    const { sessions, requests } = await sessionTotals(this.db, range);
    const [sessionWhere, sessionValues] = sessionRange(range);
    const last = this.db.get(
      `SELECT last_at FROM sessions ${sessionWhere} ORDER BY last_at DESC LIMIT 1`,
      ...sessionValues,
    );
    const [pendingWhere, pendingValues] = pendingRange(range);
    const open = this.db.get(
      `SELECT count(*) AS all_open, sum(${DISCARDED}) AS discarded FROM calls c ${pendingWhere}`,
      ...pendingValues,
    ) as Row;
    const discarded = Number(open.discarded ?? 0);
    return {
      ...tally,
      failure_rate: failureRate(tally),
      pending: Number(open.all_open) - discarded,
      discarded,
      sessions,
      requests,
      last_at: last === undefined ? null : Number(last.last_at),
    };
  }

  async breakdown(by: Breakdown, query: BreakdownQuery): Promise<readonly BreakdownRow[]> {
    return by === "session" ? this.#breakdownBySession(query) : breakdown(this.db, by, query);
  }

  async series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return series(this.db, query);
  }

  async toolModel(query: RollupQuery): Promise<readonly ToolModelRow[]> {
    return toolModel(this.db, query);
  }

  async fingerprints(query: FingerprintQuery): Promise<readonly FingerprintRow[]> {
    return fingerprints(this.db, query);
  }

  async sessions(query: SessionQuery): Promise<readonly SessionRow[]> {
    return sessions(this.db, SQLITE, query);
  }

  async unhealthySessions(range: Range): Promise<number> {
    return unhealthySessions(this.db, range);
  }

  async sessionDetail(project: string, sessionId: string, page: Page = {}): Promise<SessionDetail | undefined> {
    return sessionDetail(this.db, project, sessionId, page);
  }

  async leaks(query: LeakQuery): Promise<readonly LeakRow[]> {
    const [where, values] = whereOf([
      ["project = ?", query.project],
      ["occurred_at >= ?", query.since],
      ["occurred_at < ?", query.until],
    ]);
    const sql = `SELECT record FROM leaks ${where} ORDER BY occurred_at DESC, request_id, format, reason LIMIT ?`;
    const rows = this.db.all(sql, ...values, query.limit ?? 100);
    return rows.map((row) => leakRow(JSON.parse(row.record as string) as LeakObservation));
  }

  async suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]> {
    return readSuspensions(this.db, query);
  }

  async originOutcomes(range: Range): Promise<readonly OriginRow[]> {
    const { project, since, until } = range;
    const settled = whereOf([
      ["project = ?", project],
      ["hour >= ?", since === undefined ? undefined : since - (since % HOUR)],
      ["hour < ?", until],
    ]);
    return readOrigins(this.db, settled, pendingRange(range), DISCARDED);
  }

  async openMendedCalls(since: number, limit: number): Promise<readonly OpenMendedCall[]> {
    return readOpenMended(this.db, since, limit);
  }

  async recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  async madeCalls(project: string, ids: readonly string[]): Promise<readonly MadeCall[]> {
    return readMadeCalls(this.db, project, ids);
  }

  async threadOfResponse(key: HeldKey): Promise<HeldTurn | undefined> {
    return readHeldTurn(this.db, key);
  }

  async events(after: number, limit: number): Promise<readonly EventLine[]> {
    const events: EventLine[] = [];
    while (events.length < limit) {
      const row = this.db.get(
        "SELECT id, line FROM changes WHERE id > ? ORDER BY id LIMIT 1",
        events.at(-1)?.id ?? after,
      );
      if (row === undefined) break;
      // A row is named by the number of its last line; see write.ts.
      const lines = (row.line as string).split("\n");
      const first = Number(row.id) - lines.length + 1;
      for (let at = Math.max(0, after + 1 - first); at < lines.length && events.length < limit; at += 1)
        events.push({ id: first + at, line: lines[at] as string });
    }
    return events;
  }

  async lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    this.db.close();
  }

  #breakdownBySession(range: Range): readonly BreakdownRow[] {
    const [where, values] = sessionRange(range);
    const rows = this.db.all(
      `SELECT session_id, dominant_failure_mode, ${TALLY_FIELDS.join(", ")} FROM sessions ${where}
       ORDER BY last_at DESC LIMIT ${NEWEST_SESSIONS}`,
      ...values,
    );
    return breakdownRows(
      rows.map((row) => ({
        ...tallyOfRow(row),
        key: String(row.session_id),
        phase: "",
        category: String(row.dominant_failure_mode ?? ""),
      })),
    );
  }
}

function sessionRange(range: Range): Where {
  return whereOf([
    ["project = ?", range.project],
    ["last_at >= ?", range.since],
    ["last_at < ?", range.until],
  ]);
}

function pendingRange(range: Range): Where {
  const [sql, values] = whereOf([
    ["project = ?", range.project],
    ["first_at >= ?", range.since],
    ["first_at < ?", range.until],
  ]);
  return [sql === "" ? "WHERE status = 'pending'" : `${sql} AND status = 'pending'`, values];
}
