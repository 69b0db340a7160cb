import type { CallRecord } from "../../core/model/call-record.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { DEFAULT_CALLS, MAX_CALLS_PER_SESSION } from "../limits.ts";
import type { Page } from "../queries.ts";
import type { SessionDetail } from "../rows.ts";
import { callRow, promptRow, sessionRow, sessionScores, WORKFLOW_OF_SESSION, workflowOfRow } from "../session-row.ts";
import type { SqlDriver } from "./driver.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";

/** One session with a page of its calls. */
export async function sessionDetail(
  db: SqlDriver,
  project: string,
  sessionId: string,
  page: Page,
): Promise<SessionDetail | undefined> {
  const offset = page.offset ?? 0;
  const key = [project, sessionId];
  const [[row], calls, [total], prompts] = await Promise.all([
    db.all(`SELECT record, ${WORKFLOW_OF_SESSION} FROM sessions s WHERE project = ? AND session_id = ?`, ...key),
    db.all(
      `SELECT record_id, record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE project = ? AND session_id = ?
       ORDER BY first_at, thread_order, turn_index, record_id LIMIT ? OFFSET ?`,
      ...[...key, Math.min(page.limit ?? DEFAULT_CALLS, MAX_CALLS_PER_SESSION), offset],
    ),
    db.all("SELECT count(*) AS calls FROM calls WHERE project = ? AND session_id = ?", ...key),
    db.all(
      "SELECT record FROM prompts WHERE project = ? AND session_id = ? ORDER BY first_at, prompt LIMIT ?",
      ...[...key, MAX_CALLS_PER_SESSION],
    ),
  ]);
  if (row === undefined) return undefined;
  const session = JSON.parse(row.record as string) as SessionRecord;
  return {
    session: sessionRow(session, workflowOfRow(row)),
    scores: sessionScores(session),
    prompts: prompts.map((one) => promptRow(JSON.parse(one.record as string) as PromptRecord)),
    calls: calls.map((one) =>
      callRow(String(one.record_id), JSON.parse(one.record as string) as CallRecord, linksOfRow(one)),
    ),
    total: Number(total?.calls ?? 0),
    offset,
  };
}
