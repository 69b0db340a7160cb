import type { LoopEnd, LoopLink } from "../../core/model/call-links.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import { isFinished, type SessionRecord } from "../../core/model/session-record.ts";
import type { LoopQuery, LoopRow, LoopTokens } from "../port.ts";
import { type QueryRow, type SqlDriver, whereOf } from "./driver.ts";

/** Rows of calls that are read at most, newest first. A loop of a thousand calls is one row of the result. */
const MAX_CALLS = 5000;

/** The loops of a range, newest first. Reads only calls of loops, which have their own index. */
export async function loops(db: SqlDriver, query: LoopQuery): Promise<readonly LoopRow[]> {
  const [where, values] = whereOf([
    ["project = ?", query.project],
    ["first_at >= ?", query.since],
    ["first_at < ?", query.until],
  ]);
  const rows = await db.all(
    `SELECT project, session_id, agent_id, first_at, model_name, provider, tool_name, loop FROM calls
     ${where === "" ? "WHERE" : `${where} AND`} loop_run >= 3 ORDER BY first_at DESC LIMIT ${MAX_CALLS}`,
    ...values,
  );
  const found = new Map<string, { readonly newest: QueryRow; readonly loop: LoopLink; first: number }>();
  for (const row of rows) {
    const loop = JSON.parse(String(row.loop)) as LoopLink;
    const key = [row.project, row.session_id, row.agent_id, loop.of].join("\u0000");
    const known = found.get(key);
    if (known === undefined) found.set(key, { newest: row, loop, first: Number(row.first_at) });
    else known.first = Number(row.first_at);
  }
  const listed = [...found.values()].slice(0, query.limit ?? 100);
  return await Promise.all(listed.map(({ newest, loop, first }) => loopRow(db, newest, loop, first)));
}

async function loopRow(db: SqlDriver, newest: QueryRow, loop: LoopLink, first: number): Promise<LoopRow> {
  const thread = [newest.project, newest.session_id, newest.agent_id].map(String);
  const [project = "", session_id = "", agent_id = ""] = thread;
  const last = Number(newest.first_at);
  const [ends, [session], tokens] = await Promise.all([
    db.all(
      `SELECT loop_end FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND loop_end IS NOT NULL
       AND first_at >= ? ORDER BY first_at LIMIT 10`,
      ...[...thread, last],
    ),
    db.all("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, session_id),
    tokensOf(db, thread, first, last),
  ]);
  const end = ends.map((row) => JSON.parse(String(row.loop_end)) as LoopEnd).find(({ of }) => of === loop.of);
  const record = session === undefined ? undefined : (JSON.parse(String(session.record)) as SessionRecord);
  const { of, kind, period, run, tools } = loop;
  return {
    ...{ project, session_id, agent_id, loop_id: of, kind, period, run, tools },
    model: newest.model_name === null ? null : String(newest.model_name),
    provider: newest.provider === null ? null : String(newest.provider),
    first_at: isoTime(first),
    last_at: isoTime(last),
    running: end === undefined && record !== undefined && !isFinished(record),
    ended_by: end?.by ?? null,
    ...tokens,
  };
}

/**
 * The tokens of the responses that made the calls of a loop, from the third repeat on. Null if no response of it was
 * recorded, as with hooks.
 */
async function tokensOf(db: SqlDriver, thread: readonly string[], first: number, last: number): Promise<LoopTokens> {
  const rows = await db.all(
    `SELECT r.record FROM requests r WHERE r.project = ? AND r.session_id = ? AND r.request_id IN (
       SELECT c.request_id FROM calls c WHERE c.project = ? AND c.session_id = ? AND c.agent_id = ?
       AND c.first_at >= ? AND c.first_at <= ? AND c.loop_run >= 3)`,
    ...[...thread.slice(0, 2), ...thread, first, last],
  );
  const used = rows.flatMap((row) => (JSON.parse(String(row.record)) as RequestRecord).response ?? []);
  const sum = (name: keyof LoopTokens): number | null => {
    const known = used.flatMap(({ usage }) => usage?.[name] ?? []);
    return known.length === 0 ? null : known.reduce((all, one) => all + one, 0);
  };
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cached_tokens: sum("cached_tokens"),
  };
}
