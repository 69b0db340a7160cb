import { type CallRecord, recordStatus, toolName } from "../../core/model/call-record.ts";
import { factValue, orNull } from "../../core/model/facts.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { CallFaultRow, CallRepairRow, LeakQuery, Range } from "../port.ts";
import { type SqlDriver, type Where, whereOf } from "./driver.ts";

/** Native calls that were repaired or do not fit, newest first. Few calls do, and they have their own index. */
export async function callRepairs(db: SqlDriver, query: LeakQuery): Promise<readonly CallRepairRow[]> {
  const [where, values] = faultyIn(query);
  const rows = await db.all(
    `SELECT record FROM calls ${where} ORDER BY first_at DESC, tool_call_id LIMIT ?`,
    ...[...values, query.limit ?? 100],
  );
  return rows.map((row) => callRepairRow(JSON.parse(row.record as string) as CallRecord));
}

function faultyIn({ project, since, until }: Range): Where {
  return whereOf([
    ["call_repair IS NOT NULL AND project = ?", project],
    ["call_repair IS NOT NULL AND first_at >= ?", since ?? 0],
    ["first_at < ?", until],
  ]);
}

function callRepairRow(record: CallRecord): CallRepairRow {
  const { key, facts, first_at } = record;
  const repair = facts.call_repair?.value;
  return {
    project: key.project,
    session_id: key.session_id,
    tool_call_id: key.tool_call_id,
    tool_name: toolName(record),
    at: isoTime(first_at),
    model: factValue(facts.model),
    provider: factValue(facts.provider),
    result: repair?.result ?? "left",
    classes: repair?.classes ?? [],
    paths: repair?.paths ?? [],
    problem: orNull(repair?.problem),
    reason: orNull(repair?.reason),
    before: orNull(repair?.before),
    after: orNull(repair?.after),
    status: recordStatus(record),
    mcp_server: orNull(facts.mcp?.value.server),
  };
}

/** Most frequent first. */
export async function callFaults(db: SqlDriver, range: Range): Promise<readonly CallFaultRow[]> {
  const [where, values] = faultyIn(range);
  // Only the model's side knows which model made a call.
  const rows = await db.all(
    `SELECT provider, model_name, call_repair, repair_classes, COUNT(*) AS calls FROM calls ${where} AND unjoined NOT IN (1, 2)
      GROUP BY provider, model_name, call_repair, repair_classes`,
    ...values,
  );
  if (rows.length === 0) return [];
  const sums = new Map<string, { -readonly [K in keyof CallFaultRow]: CallFaultRow[K] }>();
  for (const row of rows) {
    const [provider, model] = [row.provider as string | null, row.model_name as string | null];
    const classes = new Set((row.repair_classes as string | null)?.split(",").filter((name) => name !== ""));
    for (const name of classes.size === 0 ? ["none"] : classes) {
      const key = [provider, model, name].join("\u0000");
      const sum = sums.get(key) ?? { provider, model, class: name, repaired: 0, left: 0, calls: 0 };
      sum[row.call_repair === "repaired" ? "repaired" : "left"] += Number(row.calls);
      sums.set(key, sum);
    }
  }
  const totals = await nativeCalls(db, range);
  return [...sums.values()]
    .map((sum) => ({ ...sum, calls: totals.get(`${sum.provider}\u0000${sum.model}`) ?? 0 }))
    .sort((a, b) => b.repaired + b.left - (a.repaired + a.left));
}

/** The number of native calls that passed through the proxy, by provider and model. */
async function nativeCalls(db: SqlDriver, { project, since, until }: Range): Promise<ReadonlyMap<string, number>> {
  const [where, values] = whereOf([
    ["origin = 'native' AND made_here = 1 AND project = ?", project],
    ["origin = 'native' AND made_here = 1 AND first_at >= ?", since ?? 0],
    ["first_at < ?", until],
  ]);
  const rows = await db.all(
    `SELECT provider, model_name, COUNT(*) AS calls FROM calls ${where} GROUP BY provider, model_name`,
    ...values,
  );
  return new Map(rows.map((row) => [`${row.provider}\u0000${row.model_name}`, Number(row.calls)]));
}
