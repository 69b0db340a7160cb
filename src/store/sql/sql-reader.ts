import { isOneOf } from "../../core/model/narrow.ts";
import { failureRate, TALLY_FIELDS } from "../../core/model/session-record.ts";
import { breakdownRows } from "../breakdown-rows.ts";
import type { SessionKey } from "../deletions.ts";
import { NEWEST_SESSIONS } from "../limits.ts";
import type {
  Breakdown,
  BreakdownQuery,
  BreakdownRow,
  CallFaultRow,
  CallPage,
  CallQuery,
  CallRepairRow,
  ErrorDetail,
  EventLine,
  EventText,
  FingerprintQuery,
  FingerprintRow,
  FirstUse,
  FirstUseQuery,
  KnownCallOrigin,
  LeakQuery,
  LeakRow,
  LoopQuery,
  LoopRow,
  OriginRow,
  Page,
  PendingRepairedCall,
  Range,
  RollupQuery,
  SecondChanceRow,
  SeriesPoint,
  SeriesQuery,
  SessionDetail,
  SessionQuery,
  SessionRow,
  SessionUsageRow,
  StoredResponseKey,
  StoredTurn,
  StoreReader,
  Summary,
  SuspensionRow,
  ToolModelRow,
  TurnRow,
  UsageBreakdown,
  UsageQuery,
  UsageRow,
} from "../port.ts";
import { BREAKDOWNS } from "../queries.ts";
import { callList } from "./call-list.ts";
import { callOrigins, lastEvent, recoveredCalls, threadOfResponse } from "./call-lookups.ts";
import { callFaults, callRepairs } from "./call-repair-queries.ts";
import type { Dialect } from "./dialect.ts";
import { type QueryRow, type SqlDriver, type Where, whereOf } from "./driver.ts";
import { errorDetail, fingerprints } from "./error-queries.ts";
import { firstUses } from "./first-uses.ts";
import { loops } from "./loop-queries.ts";
import { DISCARDED, leaks, originOutcomes, pendingRange, pendingRepairedCalls, suspensions } from "./repair-queries.ts";
import {
  breakdown,
  series,
  sessionTotals,
  tallyOfRow,
  toolModel,
  totalOf,
  unhealthySessions,
} from "./rollup-queries.ts";
import { secondChances } from "./second-chance-queries.ts";
import { sessionDetail, sessions } from "./session-queries.ts";
import { sessionUsage, turnsOfSession, usageBy } from "./usage-queries.ts";
import type { Work } from "./work.ts";

/** Of a text of events. Enough for one write to a file. */
const MAX_EVENT_CHARS = 1 << 20;

/** Queries with the same SQL for both databases. */
export abstract class SqlReader<Db extends SqlDriver> implements StoreReader {
  protected readonly db: Db;
  protected readonly dialect: Dialect;

  constructor(db: Db, dialect: Dialect) {
    this.db = db;
    this.dialect = dialect;
  }

  /** Runs work outside a transaction. */
  protected abstract run<T>(work: Work<T>): Promise<T>;

  abstract close(): Promise<void>;

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
    if (!isOneOf(BREAKDOWNS, by))
      throw new RangeError(`breakdown: must be one of ${BREAKDOWNS.join(", ")}, but is ${JSON.stringify(by)}.`);
    return await (by === "session" ? this.#breakdownBySession(query) : breakdown(this.db, by, query));
  }

  series(query: SeriesQuery): Promise<readonly SeriesPoint[]> {
    return series(this.db, query);
  }

  sessionUsage(sessions: readonly SessionKey[]): Promise<readonly SessionUsageRow[]> {
    return sessionUsage(this.db, sessions);
  }

  firstUses(query: FirstUseQuery): Promise<readonly FirstUse[]> {
    return firstUses(this.db, query);
  }

  toolModel(query: RollupQuery): Promise<readonly ToolModelRow[]> {
    return toolModel(this.db, query);
  }

  fingerprints(query: FingerprintQuery): Promise<readonly FingerprintRow[]> {
    return fingerprints(this.db, query);
  }

  error(project: string, fingerprint: string): Promise<ErrorDetail | undefined> {
    return errorDetail(this.db, project, fingerprint);
  }

  sessions(query: SessionQuery): Promise<readonly SessionRow[]> {
    return sessions(this.db, this.dialect, query);
  }

  unhealthySessions(range: Range): Promise<number> {
    return unhealthySessions(this.db, range);
  }

  sessionDetail(project: string, sessionId: string, page: Page = {}): Promise<SessionDetail | undefined> {
    return sessionDetail(this.db, project, sessionId, page);
  }

  calls(query: CallQuery): Promise<CallPage> {
    return callList(this.db, this.dialect, query);
  }

  usage(by: UsageBreakdown, query: UsageQuery): Promise<readonly UsageRow[]> {
    return usageBy(this.db, by, query);
  }

  turns(project: string, sessionId: string, page: Page = {}): Promise<readonly TurnRow[]> {
    return turnsOfSession(this.db, project, sessionId, page);
  }

  leaks(query: LeakQuery): Promise<readonly LeakRow[]> {
    return leaks(this.db, query);
  }

  callRepairs(query: LeakQuery): Promise<readonly CallRepairRow[]> {
    return callRepairs(this.db, query);
  }

  secondChances(range: Range): Promise<readonly SecondChanceRow[]> {
    return secondChances(this.db, range);
  }

  callFaults(range: Range): Promise<readonly CallFaultRow[]> {
    return callFaults(this.db, range);
  }

  loops(query: LoopQuery): Promise<readonly LoopRow[]> {
    return loops(this.db, query);
  }

  suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]> {
    return suspensions(this.db, query);
  }

  originOutcomes(range: Range): Promise<readonly OriginRow[]> {
    return originOutcomes(this.db, range);
  }

  pendingRepairedCalls(since: number, limit: number): Promise<readonly PendingRepairedCall[]> {
    return pendingRepairedCalls(this.db, since, limit);
  }

  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.run(recoveredCalls(project, ids));
  }

  callOrigins(project: string, ids: readonly string[]): Promise<readonly KnownCallOrigin[]> {
    return this.run(callOrigins(project, ids));
  }

  threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined> {
    return this.run(threadOfResponse(key));
  }

  lastEvent(): Promise<number> {
    return this.run(lastEvent(this.dialect));
  }

  async events(after: number, limit: number): Promise<readonly EventLine[]> {
    const events: EventLine[] = [];
    for (let read = after; events.length < limit; ) {
      const rows = await this.#eventRows(read);
      if (rows.length === 0) break;
      for (const row of rows) {
        read = Number(row.id);
        const { lines, first } = linesOf(row);
        for (let at = Math.max(0, after + 1 - first); at < lines.length && events.length < limit; at += 1) {
          // Events of deleted sessions are blank lines.
          const line = lines[at] as string;
          if (line !== "") events.push({ id: first + at, line });
        }
      }
    }
    return events;
  }

  async eventText(after: number): Promise<EventText | undefined> {
    let [text, last] = ["", after];
    while (text.length < MAX_EVENT_CHARS) {
      const rows = await this.#eventRows(last);
      for (const row of rows) text += textAfter(row, last);
      const newest = rows.at(-1);
      if (newest === undefined) return last === after ? undefined : { text, last, hasMore: false };
      last = Number(newest.id);
    }
    return { text, last, hasMore: true };
  }

  #eventRows(after: number): ReturnType<SqlDriver["all"]> {
    return this.db.all(`SELECT id, line FROM changes WHERE id > ? ORDER BY id LIMIT ${this.dialect.eventRows}`, after);
  }

  async #breakdownBySession(range: Range): Promise<readonly BreakdownRow[]> {
    const [where, values] = sessionRange(range);
    const newest = `FROM sessions ${where} ORDER BY last_at DESC LIMIT ${NEWEST_SESSIONS}`;
    const [rows, failures] = await Promise.all([
      this.db.all(`SELECT session_id, dominant_failure_mode, ${TALLY_FIELDS.join(", ")} ${newest}`, ...values),
      // Sessions count failures by category only.
      this.db.all(
        `SELECT session_id, phase, count(*) AS failed FROM calls
         WHERE error_count = 1 AND phase IS NOT NULL AND (project, session_id) IN (SELECT project, session_id ${newest})
         GROUP BY session_id, phase`,
        ...values,
      ),
    ]);
    return breakdownRows(
      rows.map((row) => ({
        ...tallyOfRow(row),
        key: String(row.session_id),
        phase: "",
        category: String(row.dominant_failure_mode ?? ""),
      })),
      {
        phases: failures.map((row) => ({
          key: String(row.session_id),
          phase: String(row.phase),
          failed: Number(row.failed),
        })),
      },
    );
  }
}

/** The lines of a row of events, and the number of the first. The id of a row is the number of its last; see write.ts. */
function linesOf({ id, line }: QueryRow): { readonly lines: readonly string[]; readonly first: number } {
  const lines = String(line).split("\n");
  return { lines, first: Number(id) - lines.length + 1 };
}

function textAfter(row: QueryRow, after: number): string {
  const text = String(row.line);
  // Nearly always nothing of a row was read or removed before, and its lines need not be looked at one by one.
  if (Number(row.id) - countLines(text) >= after && !hasBlankLine(text)) return `${text}\n`;
  const { lines, first } = linesOf(row);
  const fresh = first > after ? lines : lines.slice(after + 1 - first);
  // Events of deleted sessions are blank lines.
  return fresh
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function hasBlankLine(text: string): boolean {
  return text === "" || text.startsWith("\n") || text.endsWith("\n") || text.includes("\n\n");
}

function sessionRange(range: Range): Where {
  return whereOf([
    ["project = ?", range.project],
    ["last_at >= ?", range.since],
    ["last_at < ?", range.until],
  ]);
}
