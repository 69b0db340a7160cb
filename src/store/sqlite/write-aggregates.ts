import type { AggregateDeltas, Count, FingerprintTimes, SessionHour } from "../../core/model/aggregates.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS } from "../../core/model/session-record.ts";
import type { Database, Value } from "./database.ts";
import { refreshFingerprints } from "./fingerprints.ts";
import { addOrigin } from "./repair-rows.ts";

/**
 * Adds the differences to all aggregates. Must run after the calls are written: errors that lose a call are recomputed
 * from the remaining ones.
 */
export function writeAggregates(db: Database, deltas: AggregateDeltas): void {
  addHours(db, "rollups", deltas.rollups, TALLY_FIELDS);
  addHours(db, "total_rollups", deltas.totals, TALLY_FIELDS);
  addHours(db, "workflow_rollups", deltas.workflows, TALLY_FIELDS);
  addHours(db, "durations", deltas.durations.map(counted), CALLS);
  addHours(db, "fingerprint_rollups", deltas.fingerprints.map(counted), CALLS);
  for (const delta of deltas.origins) addOrigin(db, delta);
  for (const { key, count } of deltas.fingerprintFacets) addTo(db, "fingerprint_facets", key, { calls: count }, CALLS);
  for (const { key, count } of deltas.facets) addTo(db, "session_facets", key, { calls: count }, CALLS);
  for (const times of deltas.fingerprintTimes) writeFingerprintTimes(db, times);
  const lost = deltas.fingerprints.filter(({ count }) => count < 0).map(({ key }) => key);
  refreshFingerprints(db, [...new Map(lost.map((key) => [`${key.project}\u0000${key.fingerprint}`, key])).values()]);
}

export function writeSessionHours(db: Database, hours: readonly SessionHour[]): void {
  addHours(db, "session_rollups", hours, SESSIONS);
}

const CALLS = ["calls"] as const;
const SESSIONS = ["sessions", "requests", "unhealthy"] as const;

type Sums = { readonly [field: string]: number };

interface Sum {
  readonly key: { readonly project: string; readonly hour: number };
  readonly tally: object;
}

function counted<K extends Sum["key"]>({ key, count }: Count<K>): { readonly key: K; readonly tally: Sums } {
  return { key, tally: { calls: count } };
}

/** Adds each sum to its hour and to its day. */
function addHours(db: Database, table: string, sums: readonly Sum[], fields: readonly string[]): void {
  const days = new Map<string, { readonly values: Value[]; readonly tally: number[] }>();
  for (const { key, tally: given } of sums) {
    const { project, hour } = key;
    const values: Value[] = [project, HOUR, hour];
    let text = "";
    for (const name in key) {
      if (name === "project" || name === "hour") continue;
      const value = (key as unknown as Readonly<Record<string, string | number>>)[name] as string | number;
      values.push(value);
      text += `${value}\u0000`;
    }
    const tally = fields.map((name) => (given as Sums)[name] ?? 0);
    const sql = statement(table, key, HOURLY, fields);
    db.run(sql, ...values, ...tally);
    if ((tally[0] as number) < 0) dropEmpty(db, table, values);
    const start = hour - (hour % DAY);
    const day = `${project}\u0000${start}\u0000${text}`;
    const known = days.get(day);
    if (known === undefined) days.set(day, { values: values.with(1, DAY).with(2, start), tally });
    else for (let at = 0; at < fields.length; at += 1) (known.tally[at] as number) += tally[at] as number;
  }
  const sql = sums[0] === undefined ? "" : statement(table, sums[0].key, HOURLY, fields);
  for (const { values, tally } of days.values()) {
    db.run(sql, ...values, ...tally);
    if ((tally[0] as number) < 0) dropEmpty(db, table, values);
  }
}

function addTo(db: Database, table: string, key: object, sums: Sums, fields: readonly string[]): void {
  const values = Object.values(key) as Value[];
  const tally = fields.map((name) => sums[name] ?? 0);
  db.run(statement(table, key, [], fields), ...values, ...tally);
  if ((tally[0] as number) < 0) dropEmpty(db, table, values);
}

/** Removes a sum of 0, whose key may be the name of a deleted tool. If the first field is 0, the others are 0 too. */
function dropEmpty(db: Database, table: string, key: readonly Value[]): void {
  const sql = EMPTY.get(table);
  if (sql !== undefined) db.runAll(sql, key);
}

/** Columns that replace `project` and `hour` of a key. */
const HOURLY = ["project", "span", "start"];
const STATEMENTS = new Map<string, string>();
/** Statements that remove an empty sum, by table. */
const EMPTY = new Map<string, string>();

function statement(table: string, key: object, first: readonly string[], fields: readonly string[]): string {
  const known = STATEMENTS.get(table);
  if (known !== undefined) return known;
  const own = Object.keys(key).filter((name) => first.length === 0 || (name !== "project" && name !== "hour"));
  const keys = [...first, ...own];
  const names = [...keys, ...fields];
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
    ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${fields.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")}`;
  STATEMENTS.set(table, sql);
  EMPTY.set(
    table,
    `DELETE FROM ${table} WHERE ${keys.map((name) => `${name} = ?`).join(" AND ")} AND ${fields[0]} <= 0`,
  );
  return sql;
}

function writeFingerprintTimes(db: Database, times: FingerprintTimes): void {
  db.run(
    `INSERT INTO fingerprints (project, fingerprint, category, first_at, last_at, sample) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (project, fingerprint) DO UPDATE SET
       sample = CASE WHEN excluded.sample <> '' AND (excluded.first_at < fingerprints.first_at OR fingerprints.sample = '')
         THEN excluded.sample ELSE fingerprints.sample END,
       first_at = CASE WHEN excluded.first_at < fingerprints.first_at THEN excluded.first_at ELSE fingerprints.first_at END,
       last_at = CASE WHEN excluded.last_at > fingerprints.last_at THEN excluded.last_at ELSE fingerprints.last_at END`,
    ...[times.project, times.fingerprint, times.category, times.first_at, times.last_at, times.sample],
  );
}
