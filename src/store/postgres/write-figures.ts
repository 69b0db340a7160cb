import { type Count, type Figures, textOf } from "../../core/model/figures.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS, type Tally } from "../../core/model/session-record.ts";
import type { Columns } from "../columns.ts";
import type { Queries } from "./database.ts";
import { rowsOf, sortedByKey, upsert, valuesOf } from "./tables.ts";

type Sums = Partial<Readonly<Record<keyof Tally, number>>>;

interface Sum {
  readonly key: { readonly project: string; readonly hour: number };
  readonly tally: Sums;
}

const CALLS = ["calls"] as const;
const ORIGIN_FIELDS = ["calls", "ok", "failed", "unknown", "soft"] as const;

/** Moves every sum by its difference: what belongs to one session first, then what all writers share. */
export async function writeFigures(db: Queries, figures: Figures): Promise<void> {
  await Promise.all([
    add(
      db,
      "session_facets",
      figures.facets.map(({ key, count }) => ({ key, tally: { calls: count } })),
      CALLS,
    ),
    add(db, "rollups", withDays(figures.rollups, TALLY_FIELDS), TALLY_FIELDS),
    add(db, "workflow_rollups", withDays(figures.workflows, TALLY_FIELDS), TALLY_FIELDS),
    add(db, "durations", withDays(figures.durations.map(counted), CALLS), CALLS),
    add(db, "fingerprint_rollups", withDays(figures.fingerprints.map(counted), CALLS), CALLS),
    add(db, "origin_rollups", figures.origins, ORIGIN_FIELDS),
    writeSeen(db, figures.seen),
  ]);
}

function counted<K extends Sum["key"]>({ key, count }: Count<K>): { readonly key: K; readonly tally: Sums } {
  return { key, tally: { calls: count } };
}

/** Each sum of an hour, and the same once more by day. */
function withDays(
  sums: readonly Sum[],
  fields: readonly (keyof Tally)[],
): readonly { readonly key: object; readonly tally: Sums }[] {
  const all: { readonly key: object; tally: Sums }[] = [];
  const days = new Map<string, { readonly key: object; tally: Sums }>();
  for (const { key, tally } of sums) {
    const { project, hour, ...rest } = key;
    all.push({ key: { project, span: HOUR, start: hour, ...rest }, tally });
    const day = { project, span: DAY, start: hour - (hour % DAY), ...rest };
    const text = textOf(day);
    const known = days.get(text);
    if (known === undefined) days.set(text, { key: day, tally });
    else known.tally = Object.fromEntries(fields.map((name) => [name, (known.tally[name] ?? 0) + (tally[name] ?? 0)]));
  }
  return [...all, ...days.values()];
}

async function add(
  db: Queries,
  table: string,
  sums: readonly { readonly key: object; readonly tally: Sums }[],
  fields: readonly (keyof Tally)[],
): Promise<void> {
  const [first] = sums;
  if (first === undefined) return;
  const rows = sums.map(
    ({ key, tally }): Columns => ({
      ...(key as Columns),
      ...Object.fromEntries(fields.map((name) => [name, tally[name] ?? 0])),
    }),
  );
  await upsert(db, table, Object.keys(first.key), rows, fields);
}

const SEEN = ["project", "fingerprint", "category", "first_at", "last_at", "sample"] as const;

async function writeSeen(db: Queries, seen: Figures["seen"]): Promise<void> {
  if (seen.length === 0) return;
  const rows = sortedByKey(
    ["project", "fingerprint"],
    seen.map((one) => ({ ...one })),
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
