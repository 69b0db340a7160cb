import { type Count, type Figures, type FingerprintSeen, type SessionHour, textOf } from "../../core/model/figures.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS } from "../../core/model/session-record.ts";
import type { Database, Value } from "./database.ts";
import { moveOrigin } from "./repair-rows.ts";

/** Moves every sum by its difference. */
export function writeFigures(db: Database, figures: Figures): void {
  addHours(db, "rollups", figures.rollups, TALLY_FIELDS);
  addHours(db, "total_rollups", figures.totals, TALLY_FIELDS);
  addHours(db, "workflow_rollups", figures.workflows, TALLY_FIELDS);
  addHours(db, "durations", figures.durations.map(counted), CALLS);
  addHours(db, "fingerprint_rollups", figures.fingerprints.map(counted), CALLS);
  for (const delta of figures.origins) moveOrigin(db, delta);
  for (const { key, count } of figures.fingerprintFacets) addTo(db, "fingerprint_facets", key, { calls: count }, CALLS);
  for (const { key, count } of figures.facets) addTo(db, "session_facets", key, { calls: count }, CALLS);
  for (const seen of figures.seen) writeSeen(db, seen);
}

/** Moves the sums over sessions. */
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

/** Each sum of an hour, and the same once more by day. */
function addHours(db: Database, table: string, sums: readonly Sum[], fields: readonly string[]): void {
  const days = new Map<string, { readonly key: object; tally: Sums }>();
  for (const { key, tally: given } of sums) {
    const tally = given as Sums;
    const { project, hour, ...rest } = key;
    addTo(db, table, { project, span: HOUR, start: hour, ...rest }, tally, fields);
    const day = { project, span: DAY, start: hour - (hour % DAY), ...rest };
    const text = textOf(day);
    const known = days.get(text);
    if (known === undefined) days.set(text, { key: day, tally });
    else known.tally = Object.fromEntries(fields.map((name) => [name, (known.tally[name] ?? 0) + (tally[name] ?? 0)]));
  }
  for (const { key, tally } of days.values()) addTo(db, table, key, tally, fields);
}

const STATEMENTS = new Map<string, string>();

function addTo(db: Database, table: string, key: object, sums: Sums, fields: readonly string[]): void {
  let sql = STATEMENTS.get(table);
  if (sql === undefined) {
    const keys = Object.keys(key);
    const names = [...keys, ...fields];
    sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${fields.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")}`;
    STATEMENTS.set(table, sql);
  }
  db.run(sql, ...(Object.values(key) as Value[]), ...fields.map((name) => sums[name] ?? 0));
}

function writeSeen(db: Database, seen: FingerprintSeen): void {
  db.run(
    `INSERT INTO fingerprints (project, fingerprint, category, first_at, last_at, sample) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (project, fingerprint) DO UPDATE SET
       sample = CASE WHEN excluded.sample <> '' AND (excluded.first_at < fingerprints.first_at OR fingerprints.sample = '')
         THEN excluded.sample ELSE fingerprints.sample END,
       first_at = CASE WHEN excluded.first_at < fingerprints.first_at THEN excluded.first_at ELSE fingerprints.first_at END,
       last_at = CASE WHEN excluded.last_at > fingerprints.last_at THEN excluded.last_at ELSE fingerprints.last_at END`,
    ...[seen.project, seen.fingerprint, seen.category, seen.first_at, seen.last_at, seen.sample],
  );
}
