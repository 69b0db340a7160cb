import { type AggregateDeltas, type Count, type SessionHour, textOf } from "../../core/model/aggregates.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS } from "../../core/model/session-record.ts";
import type { Columns } from "../columns.ts";
import type { Queries } from "./database.ts";
import { refreshFingerprints } from "./fingerprints.ts";
import { rowsOf, sortedByKey, upsert, valuesOf } from "./tables.ts";

type Sums = { readonly [field: string]: number };

interface Sum {
  readonly key: { readonly project: string; readonly hour: number };
  readonly tally: object;
}

const CALLS = ["calls"] as const;
const ORIGIN_FIELDS = ["calls", "ok", "failed", "unknown", "soft"] as const;

/**
 * Adds the differences to all aggregates: first those of one session, then those that all writers share. Must be sent
 * after the calls: errors that lose a call are recomputed from the remaining ones.
 */
export async function writeAggregates(db: Queries, deltas: AggregateDeltas): Promise<void> {
  await Promise.all([
    add(
      db,
      "session_facets",
      deltas.facets.map(({ key, count }) => ({ key, tally: { calls: count } })),
      CALLS,
    ),
    add(db, "rollups", withDays(deltas.rollups, TALLY_FIELDS), TALLY_FIELDS),
    add(db, "total_rollups", withDays(deltas.totals, TALLY_FIELDS), TALLY_FIELDS),
    add(db, "workflow_rollups", withDays(deltas.workflows, TALLY_FIELDS), TALLY_FIELDS),
    add(db, "durations", withDays(deltas.durations.map(counted), CALLS), CALLS),
    add(db, "fingerprint_rollups", withDays(deltas.fingerprints.map(counted), CALLS), CALLS),
    add(
      db,
      "fingerprint_facets",
      deltas.fingerprintFacets.map(({ key, count }) => ({ key, tally: { calls: count } })),
      CALLS,
    ),
    add(db, "origin_rollups", deltas.origins, ORIGIN_FIELDS),
    writeFingerprintTimes(db, deltas.fingerprintTimes),
  ]);
  const lost = deltas.fingerprints.filter(({ count }) => count < 0).map(({ key }) => key);
  await refreshFingerprints(db, [
    ...new Map(lost.map((key) => [`${key.project}\u0000${key.fingerprint}`, key])).values(),
  ]);
}

const SESSIONS = ["sessions", "requests", "unhealthy"] as const;

export async function writeSessionHours(db: Queries, hours: readonly SessionHour[]): Promise<void> {
  const sums = new Map<string, { readonly key: SessionHour["key"]; tally: Sums }>();
  for (const { key, tally } of hours) {
    const known = sums.get(textOf(key));
    if (known === undefined) sums.set(textOf(key), { key, tally: { ...tally } });
    else known.tally = plus(known.tally, { ...tally }, SESSIONS);
  }
  await add(db, "session_rollups", withDays([...sums.values()], SESSIONS), SESSIONS);
}

function plus(a: Sums, b: Sums, fields: readonly string[]): Sums {
  return Object.fromEntries(fields.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

function counted<K extends Sum["key"]>({ key, count }: Count<K>): { readonly key: K; readonly tally: Sums } {
  return { key, tally: { calls: count } };
}

/** Sums by hour and by day. */
function withDays(
  sums: readonly Sum[],
  fields: readonly string[],
): readonly { readonly key: object; readonly tally: Sums }[] {
  const all: { readonly key: object; tally: Sums }[] = [];
  const days = new Map<string, { readonly key: object; tally: Sums }>();
  for (const { key, tally: given } of sums) {
    const tally = given as Sums;
    const { project, hour, ...rest } = key;
    all.push({ key: { project, span: HOUR, start: hour, ...rest }, tally });
    const day = { project, span: DAY, start: hour - (hour % DAY), ...rest };
    const text = textOf(day);
    const known = days.get(text);
    if (known === undefined) days.set(text, { key: day, tally });
    else known.tally = plus(known.tally, tally, fields);
  }
  return [...all, ...days.values()];
}

async function add(
  db: Queries,
  table: string,
  sums: readonly { readonly key: object; readonly tally: object }[],
  fields: readonly string[],
): Promise<void> {
  const [first] = sums;
  if (first === undefined) return;
  const rows = sums.map(
    ({ key, tally }): Columns => ({
      ...(key as Columns),
      ...Object.fromEntries(fields.map((name) => [name, (tally as Sums)[name] ?? 0])),
    }),
  );
  const keys = Object.keys(first.key);
  await upsert(db, table, keys, rows, fields);
  // Remove sums of 0, whose keys may be names of deleted tools. If the first field is 0, the others are 0 too.
  const [count] = fields as readonly [string];
  const lowered = rows.filter((row) => Number(row[count]) < 0);
  if (lowered.length === 0) return;
  await db.all(
    `DELETE FROM ${table} t USING ${rowsOf(table, keys)} WHERE ${keys.map((name) => `t.${name} = k.${name}`).join(" AND ")} AND t.${count} <= 0`,
    ...valuesOf(keys, sortedByKey(keys, lowered)),
  );
}

const SEEN = ["project", "fingerprint", "category", "first_at", "last_at", "sample"] as const;

async function writeFingerprintTimes(db: Queries, times: AggregateDeltas["fingerprintTimes"]): Promise<void> {
  if (times.length === 0) return;
  const rows = sortedByKey(
    ["project", "fingerprint"],
    times.map((one) => ({ ...one })),
  );
  await db.all(
    `INSERT INTO fingerprints (${SEEN.join(", ")}) SELECT * FROM ${rowsOf("fingerprints", SEEN)}
     ON CONFLICT (project, fingerprint) DO UPDATE SET
       sample = CASE WHEN excluded.sample <> '' AND (excluded.first_at < fingerprints.first_at OR fingerprints.sample = '')
         THEN excluded.sample ELSE fingerprints.sample END,
       first_at = least(excluded.first_at, fingerprints.first_at),
       last_at = greatest(excluded.last_at, fingerprints.last_at)`,
    ...valuesOf(SEEN, rows),
  );
}
