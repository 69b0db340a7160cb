import type { LeakObservation } from "../../core/model/observation.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { failureRate, type Tally } from "../../core/model/session-record.ts";
import { breakdownRows, type CategorySum, sessionRow } from "../breakdown-rows.ts";
import { leakRow } from "../leak-row.ts";
import type {
  Breakdown,
  BreakdownRow,
  EventLine,
  LeakRow,
  OpenMendedCall,
  OriginRow,
  Range,
  SessionQuery,
  SessionRow,
  StoreReader,
  Summary,
  SuspensionRow,
} from "../port.ts";
import type { Database, Row, Value } from "./database.ts";
import { readOpenMended, readOrigins, readRecovered, readSuspensions } from "./repair-rows.ts";

const HOUR = 3_600_000;
const SUMS = "sum(calls) AS calls, sum(ok) AS ok, sum(failed) AS failed, sum(unknown) AS unknown, sum(soft) AS soft";

/** Which column of the rollups answers which question; a day is twenty-four hours of UTC. */
const COLUMN = {
  tool: "tool_name",
  model: "model_name",
  provider: "provider",
  category: "category",
  phase: "phase",
  day: "hour - hour % 86400000",
} as const satisfies Record<Exclude<Breakdown, "session">, string>;

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
    const [where, values] = rollupRange(range);
    const tally = tallyOfRow(this.db.get(`SELECT ${SUMS} FROM rollups ${where}`, ...values) ?? {});
    const [sessionWhere, sessionValues] = sessionRange(range);
    const sessions = this.db.get(
      `SELECT count(*) AS sessions, sum(requests) AS requests, max(last_at) AS last_at FROM sessions ${sessionWhere}`,
      ...sessionValues,
    ) as Row;
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
      sessions: Number(sessions.sessions),
      requests: Number(sessions.requests ?? 0),
      last_at: sessions.last_at === null ? null : Number(sessions.last_at),
    };
  }

  async breakdown(by: Breakdown, range: Range): Promise<readonly BreakdownRow[]> {
    if (by === "session") return this.#breakdownBySession(range);
    const [where, values] = rollupRange(range);
    const rows = this.db.all(
      `SELECT ${COLUMN[by]} AS key, category, ${SUMS} FROM rollups ${where} GROUP BY 1, 2 ORDER BY 1, 2`,
      ...values,
    );
    const sums = rows.map(
      (row): CategorySum => ({ ...tallyOfRow(row), key: keyText(by, row.key), category: String(row.category) }),
    );
    // Calls that did not fail have no category: they are no row of this answer.
    return breakdownRows(by === "category" || by === "phase" ? sums.filter((sum) => sum.key !== "") : sums);
  }

  async sessions(query: SessionQuery): Promise<readonly SessionRow[]> {
    const [where, values] = sessionRange(query);
    const rows = this.db.all(
      `SELECT record FROM sessions ${where} ORDER BY last_at DESC, session_id LIMIT ?`,
      ...values,
      query.limit ?? 100,
    );
    return rows.map((row) => sessionRow(JSON.parse(row.record as string) as SessionRecord));
  }

  async leaks(query: SessionQuery): Promise<readonly LeakRow[]> {
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
    return readOrigins(this.db, rollupRange(range), pendingRange(range), DISCARDED);
  }

  async openMendedCalls(since: number, limit: number): Promise<readonly OpenMendedCall[]> {
    return readOpenMended(this.db, since, limit);
  }

  async recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
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
    const rows = this.db.all(`SELECT record FROM sessions ${where} ORDER BY last_at DESC LIMIT 1000`, ...values);
    return breakdownRows(
      rows.map((row) => {
        const session = JSON.parse(row.record as string) as SessionRecord;
        return { ...session.tally, key: session.session_id, category: "" };
      }),
    );
  }
}

/** The number of the newest event, also when it is no longer kept. */
export function lastEvent(db: Database): number {
  return Number(db.get("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0);
}

function keyText(by: Breakdown, key: unknown): string {
  if (by === "day") return new Date(Number(key)).toISOString().slice(0, 10);
  return key === "" && (by === "model" || by === "provider") ? "unknown" : String(key);
}

function tallyOfRow(row: Row): Tally {
  const count = (name: string): number => Number(row[name] ?? 0);
  return {
    calls: count("calls"),
    ok: count("ok"),
    failed: count("failed"),
    unknown: count("unknown"),
    soft: count("soft"),
  };
}

type Where = readonly [sql: string, values: readonly Value[]];

function rollupRange(range: Range): Where {
  return whereOf([
    ["project = ?", range.project],
    ["hour >= ?", range.since === undefined ? undefined : range.since - (range.since % HOUR)],
    ["hour < ?", range.until],
  ]);
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

function whereOf(conditions: readonly (readonly [sql: string, value: Value | undefined])[]): Where {
  const given = conditions.filter(([, value]) => value !== undefined);
  if (given.length === 0) return ["", []];
  return [`WHERE ${given.map(([sql]) => sql).join(" AND ")}`, given.map(([, value]) => value as Value)];
}
