import type { Figures, FingerprintSeen } from "../../core/model/figures.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS, type Tally } from "../../core/model/session-record.ts";
import type { Database, Value } from "./database.ts";

/** Moves every sum by its difference. */
export function writeFigures(db: Database, figures: Figures): void {
  for (const { key, tally } of spans(figures.rollups.map(({ key, tally }) => ({ key, sums: tally }))))
    addTo(db, "rollups", key, tally);
  for (const { key, tally } of spans(figures.workflows.map(({ key, tally }) => ({ key, sums: tally }))))
    addTo(db, "workflow_rollups", key, tally);
  for (const { key, tally } of spans(figures.durations.map(({ key, count }) => ({ key, sums: { calls: count } }))))
    addTo(db, "durations", key, tally);
  for (const { key, tally } of spans(figures.fingerprints.map(({ key, count }) => ({ key, sums: { calls: count } }))))
    addTo(db, "fingerprint_rollups", key, tally);
  for (const { key, count } of figures.facets) addTo(db, "session_facets", { ...key }, { calls: count });
  for (const seen of figures.seen) writeSeen(db, seen);
}

type Sums = Partial<Tally>;
type FlatKey = Readonly<Record<string, string | number>>;

interface Hourly {
  readonly key: { readonly project: string; readonly hour: number };
  readonly sums: Sums;
}

/** Each sum of an hour, and the same once more by day. */
function spans(hourly: readonly Hourly[]): readonly { readonly key: FlatKey; readonly tally: Sums }[] {
  const all: { key: FlatKey; tally: Sums }[] = [];
  const days = new Map<string, { key: FlatKey; tally: Sums }>();
  for (const { key, sums } of hourly) {
    const { project, hour, ...rest } = key;
    all.push({ key: { project, span: HOUR, start: hour, ...rest }, tally: sums });
    const day: FlatKey = { project, span: DAY, start: hour - (hour % DAY), ...rest };
    const text = Object.values(day).join("\u0000");
    days.set(text, { key: day, tally: plus(days.get(text)?.tally, sums) });
  }
  return [...all, ...days.values()];
}

function plus(a: Sums | undefined, b: Sums): Sums {
  if (a === undefined) return b;
  return Object.fromEntries(
    TALLY_FIELDS.filter((name) => name in b).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]),
  );
}

const STATEMENTS = new Map<string, string>();

function addTo(db: Database, table: string, key: FlatKey, sums: Sums): void {
  let sql = STATEMENTS.get(table);
  if (sql === undefined) {
    const [keys, counts] = [Object.keys(key), Object.keys(sums)];
    const names = [...keys, ...counts];
    sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")}`;
    STATEMENTS.set(table, sql);
  }
  db.run(sql, ...(Object.values(key) as Value[]), ...(Object.values(sums) as Value[]));
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
