import { isoTime } from "../../core/model/iso-time.ts";
import { DAY } from "../../core/model/rollup.ts";
import { TOKEN_KINDS, type TokenUsage, tokenColumns, tokenField } from "../../core/model/token-usage.ts";
import type { UsageRecord } from "../../core/model/usage-record.ts";
import type { SessionKey } from "../deletions.ts";
import { MAX_CALLS_PER_SESSION } from "../limits.ts";
import type { Page, UsageBreakdown, UsageQuery } from "../queries.ts";
import type { SessionUsageRow, TurnRow, UsageRow } from "../rows.ts";
import { spansOf } from "../spans.ts";
import type { SqlDriver } from "./driver.ts";
import { padToPowerOfTwo } from "./pad.ts";
import { rollupRows } from "./rollup-queries.ts";

const COLUMN = {
  model: "model_name",
  provider: "provider",
  day: `start - start % ${DAY}`,
  all: "''",
} as const satisfies Record<UsageBreakdown, string>;

export async function usageBy(db: SqlDriver, by: UsageBreakdown, query: UsageQuery): Promise<readonly UsageRow[]> {
  const [from, values] = rollupRows("token_rollups", query, spansOf(query));
  const rows = await db.all(
    `SELECT ${COLUMN[by]} AS key, kind, sum(responses) AS responses, sum(tokens) AS tokens FROM ${from}
     GROUP BY 1, 2 HAVING sum(responses) > 0 ORDER BY 1, 2`,
    ...values,
  );
  const byKey = new Map<string, { responses: number; usage: TokenUsage }>();
  for (const row of rows) {
    const kind = TOKEN_KINDS.find((one) => one === row.kind);
    if (kind === undefined) continue;
    const key = keyText(by, row.key);
    const { responses = 0, usage = {} } = byKey.get(key) ?? {};
    byKey.set(key, {
      // Nearly all responses report the same kinds. One that reports only some is counted by the most frequent kind.
      responses: Math.max(responses, Number(row.responses)),
      usage: { ...usage, [tokenField(kind)]: Number(row.tokens) },
    });
  }
  return [...byKey].map(([key, { responses, usage }]) => ({ key, responses, ...tokenColumns(usage) }));
}

export async function sessionUsage(
  db: SqlDriver,
  sessions: readonly SessionKey[],
): Promise<readonly SessionUsageRow[]> {
  if (sessions.length === 0) return [];
  const padded = padToPowerOfTwo(sessions);
  const sums = TOKEN_KINDS.map((kind) => `sum(${tokenField(kind)}) AS ${tokenField(kind)}`).join(", ");
  const rows = await db.all(
    `SELECT project, session_id, model_name, ${sums} FROM usages
     WHERE (project, session_id) IN (VALUES ${padded.map(() => "(?, ?)").join(", ")})
     GROUP BY project, session_id, model_name ORDER BY project, session_id, model_name`,
    ...padded.flatMap(({ project, session_id }) => [project, session_id]),
  );
  return rows.map((row) => ({
    project: String(row.project),
    session_id: String(row.session_id),
    model: row.model_name as string | null,
    ...tokenColumns(
      Object.fromEntries(
        TOKEN_KINDS.map(tokenField).flatMap((name) => (row[name] === null ? [] : [[name, Number(row[name])]])),
      ),
    ),
  }));
}

function keyText(by: UsageBreakdown, key: unknown): string {
  if (by === "day") return new Date(Number(key)).toISOString().slice(0, 10);
  return by === "all" ? "all" : key === "" ? "unknown" : String(key);
}

export async function turnsOfSession(
  db: SqlDriver,
  project: string,
  sessionId: string,
  page: Page,
): Promise<readonly TurnRow[]> {
  const rows = await db.all(
    `SELECT record FROM usages WHERE project = ? AND session_id = ? ORDER BY occurred_at, response LIMIT ? OFFSET ?`,
    ...[project, sessionId, Math.min(page.limit ?? MAX_CALLS_PER_SESSION, MAX_CALLS_PER_SESSION), page.offset ?? 0],
  );
  return rows.map((row) => turnRow(JSON.parse(row.record as string) as UsageRecord));
}

function turnRow({ at, agent_id, turn, request_id, model, provider, usage }: UsageRecord): TurnRow {
  return {
    at: isoTime(at),
    agent_id: agent_id.value,
    turn: turn?.value ?? null,
    request_id: request_id?.value ?? null,
    model_name: model?.value ?? null,
    provider: provider?.value ?? null,
    ...tokenColumns(usage),
  };
}
