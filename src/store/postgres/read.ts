import type { LeakObservation } from "../../core/model/observation.ts";
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
import { POSTGRES } from "../sql/dialect.ts";
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
import type { PostgresDatabase, Queries } from "./database.ts";
import { readHeldTurn, readMadeCalls } from "./held-rows.ts";
import { refuseNewer } from "./migrate.ts";
import { DISCARDED, pendingRange } from "./open-calls.ts";
import { readOpenMended, readOrigins, readRecovered, readSuspensions } from "./repair-rows.ts";

/** Every question. */
export class PostgresReader implements StoreReader {
  protected readonly db: PostgresDatabase;

  constructor(db: PostgresDatabase) {
    this.db = db;
  }

  /** No Toolmend has ever written here. */
  async isEmpty(): Promise<boolean> {
    return (await refuseNewer(this.db)) === 0;
  }

  async summary(range: Range): Promise<Summary> {
    const [sessionWhere, sessionValues] = sessionRange(range);
    const [pendingWhere, pendingValues] = pendingRange(range);
    const [tally, { sessions, requests }, [last], [open]] = await Promise.all([
      totalOf(this.db, range),
      sessionTotals(this.db, range),
      this.db.all(`SELECT last_at FROM sessions ${sessionWhere} ORDER BY last_at DESC LIMIT 1`, ...sessionValues),
      this.db.all(
        `SELECT count(*) AS all_open, count(*) FILTER (WHERE ${DISCARDED}) AS discarded FROM calls c ${pendingWhere}`,
        ...pendingValues,
      ),
    ]);
    const discarded = Number(open?.discarded ?? 0);
    return {
      ...tally,
      failure_rate: failureRate(tally),
      pending: Number(open?.all_open) - discarded,
      discarded,
      sessions,
      requests,
      last_at: last === undefined ? null : Number(last.last_at),
    };
  }

  async breakdown(by: Breakdown, query: BreakdownQuery): Promise<readonly BreakdownRow[]> {
    return by === "session" ? await this.#breakdownBySession(query) : await breakdown(this.db, by, query);
  }

  series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return series(this.db, query);
  }

  toolModel(query: RollupQuery): Promise<readonly ToolModelRow[]> {
    return toolModel(this.db, query);
  }

  fingerprints(query: FingerprintQuery): Promise<readonly FingerprintRow[]> {
    return fingerprints(this.db, query);
  }

  sessions(query: SessionQuery): Promise<readonly SessionRow[]> {
    return sessions(this.db, POSTGRES, query);
  }

  unhealthySessions(range: Range): Promise<number> {
    return unhealthySessions(this.db, range);
  }

  sessionDetail(project: string, sessionId: string, page: Page = {}): Promise<SessionDetail | undefined> {
    return sessionDetail(this.db, project, sessionId, page);
  }

  async leaks(query: LeakQuery): Promise<readonly LeakRow[]> {
    const [where, values] = whereOf([
      ["project = ?", query.project],
      ["occurred_at >= ?", query.since],
      ["occurred_at < ?", query.until],
    ]);
    const sql = `SELECT record FROM leaks ${where} ORDER BY occurred_at DESC, request_id, format, reason LIMIT ?`;
    const rows = await this.db.all(sql, ...values, query.limit ?? 100);
    return rows.map((row) => leakRow(JSON.parse(row.record as string) as LeakObservation));
  }

  suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]> {
    return readSuspensions(this.db, query);
  }

  originOutcomes(range: Range): Promise<readonly OriginRow[]> {
    return readOrigins(this.db, range);
  }

  openMendedCalls(since: number, limit: number): Promise<readonly OpenMendedCall[]> {
    return readOpenMended(this.db, since, limit);
  }

  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  madeCalls(project: string, ids: readonly string[]): Promise<readonly MadeCall[]> {
    return readMadeCalls(this.db, project, ids);
  }

  threadOfResponse(key: HeldKey): Promise<HeldTurn | undefined> {
    return readHeldTurn(this.db, key);
  }

  async events(after: number, limit: number): Promise<readonly EventLine[]> {
    const events: EventLine[] = [];
    while (events.length < limit) {
      const rows = await this.db.all(
        `SELECT id, line FROM changes WHERE id > ? ORDER BY id LIMIT ${EVENT_ROWS}`,
        events.at(-1)?.id ?? after,
      );
      if (rows.length === 0) break;
      for (const row of rows) {
        // A row is named by the number of its last line; see write.ts.
        const lines = (row.line as string).split("\n");
        const first = Number(row.id) - lines.length + 1;
        for (let at = Math.max(0, after + 1 - first); at < lines.length && events.length < limit; at += 1)
          events.push({ id: first + at, line: lines[at] as string });
      }
    }
    return events;
  }

  lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    await this.db.close();
  }

  async #breakdownBySession(range: Range): Promise<readonly BreakdownRow[]> {
    const [where, values] = sessionRange(range);
    const rows = await this.db.all(
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

/** Rows of events at a time: each may hold hundreds. */
const EVENT_ROWS = 20;

/** The number of the newest event, also when it is no longer kept. */
export async function lastEvent(db: Queries): Promise<number> {
  const [row] = await db.all("SELECT last FROM event_numbers WHERE id = 1");
  return Number(row?.last ?? 0);
}

function sessionRange(range: Range): Where {
  return whereOf([
    ["project = ?", range.project],
    ["last_at >= ?", range.since],
    ["last_at < ?", range.until],
  ]);
}
