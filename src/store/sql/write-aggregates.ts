import { type AggregateDeltas, type Count, SAMPLE_LENGTH, type SessionHour } from "../../core/model/aggregates.ts";
import type { OutcomeFacts } from "../../core/model/observation.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import { TALLY_FIELDS } from "../../core/model/session-record.ts";
import type { TokenDelta } from "../../core/model/usage-record.ts";
import type { QueryValue } from "./driver.ts";
import { addTo, deleteFrom } from "./statements.ts";
import { change, query, type SqlType, type Statement, select, together, type Values, type Work } from "./work.ts";

/** A table of sums. */
export interface SumTable {
  readonly name: string;
  readonly key: Readonly<Record<string, SqlType>>;
  /** Added up. If the first is 0, the others are 0 too. */
  readonly fields: readonly string[];
}

function sums(name: string, key: readonly string[], fields: readonly string[], types: SumTable["key"] = {}): SumTable {
  return { name, key: Object.fromEntries(key.map((column) => [column, types[column] ?? "text"])), fields };
}

/** Sums by hour and by day. */
function hourly(
  name: string,
  key: readonly string[],
  fields: readonly string[],
  types: SumTable["key"] = {},
): SumTable {
  return sums(name, ["project", "span", "start", ...key], fields, { span: "bigint", start: "bigint", ...types });
}

const COUNT = ["calls"];
const ROLLUPS = hourly("rollups", ["provider", "model_name", "tool_name", "phase", "category"], TALLY_FIELDS);
const TOTALS = hourly("total_rollups", ["phase", "category"], TALLY_FIELDS);
const WORKFLOWS = hourly("workflow_rollups", ["workflow", "phase", "category"], TALLY_FIELDS);
const DURATIONS = hourly("durations", ["tool_name", "bucket"], COUNT, { bucket: "integer" });
const FINGERPRINT_ROLLUPS = hourly("fingerprint_rollups", ["fingerprint", "category"], COUNT);
const SESSION_ROLLUPS = hourly("session_rollups", [], ["sessions", "requests", "unhealthy"]);
/** A kind that no response reported has no row: its sum is unknown. */
const TOKENS = hourly("token_rollups", ["provider", "model_name", "kind"], ["responses", "tokens"]);
const ORIGINS = sums(
  "origin_rollups",
  ["project", "hour", "origin", "phase"],
  ["calls", "ok", "failed", "unknown", "soft"],
  { hour: "bigint" },
);
const FINGERPRINT_FACETS = sums("fingerprint_facets", ["project", "fingerprint", "tool_name", "model_name"], COUNT);
const SESSION_FACETS = sums("session_facets", ["project", "session_id", "kind", "value"], COUNT);

/**
 * Adds the differences to all aggregates: first those of one session, then those that all servers share. Must follow
 * the calls: errors that lose a call are recomputed from the remaining ones.
 */
export function* writeAggregates(deltas: AggregateDeltas): Work<void> {
  yield* together([
    addSums(SESSION_FACETS, deltas.facets.map(counted)),
    addHours(ROLLUPS, deltas.rollups),
    addHours(TOTALS, deltas.totals),
    addHours(WORKFLOWS, deltas.workflows),
    addHours(DURATIONS, deltas.durations.map(counted)),
    addHours(FINGERPRINT_ROLLUPS, deltas.fingerprints.map(counted)),
    addSums(FINGERPRINT_FACETS, deltas.fingerprintFacets.map(counted)),
    addSums(ORIGINS, deltas.origins),
    change(
      WRITE_TIMES,
      deltas.fingerprintTimes.map((times) => Object.keys(TIMES).map((name) => times[name as keyof typeof times])),
    ),
  ]);
  const lost = deltas.fingerprints.filter(({ count }) => count < 0).map(({ key }) => key);
  yield* refreshFingerprints([...new Map(lost.map((key) => [`${key.project}\u0000${key.fingerprint}`, key])).values()]);
}

export function writeSessionHours(hours: readonly SessionHour[]): Work<void> {
  return addHours(SESSION_ROLLUPS, hours);
}

export function writeTokens(tokens: readonly TokenDelta[]): Work<void> {
  return addHours(TOKENS, tokens);
}

interface Sum {
  readonly key: object;
  readonly tally: object;
}

type Hourly = Sum & { readonly key: { readonly project: string; readonly hour: number } };
type Fields = Readonly<Record<string, QueryValue>>;

function counted<K extends object>({ key, count }: Count<K>): { readonly key: K; readonly tally: object } {
  return { key, tally: { calls: count } };
}

function addSums(table: SumTable, sums: readonly Sum[]): Work<void> {
  const names = Object.keys(table.key);
  return addRows(
    table,
    sums.map(({ key, tally }) => [
      ...names.map((name) => (key as Fields)[name] as QueryValue),
      ...table.fields.map((name) => (tally as Fields)[name] as number),
    ]),
  );
}

/** Adds each sum to its hour and to its day. */
function addHours(table: SumTable, sums: readonly Hourly[]): Work<void> {
  const names = Object.keys(table.key).slice(3);
  const { fields } = table;
  const rows: QueryValue[][] = [];
  const days = new Map<string, QueryValue[]>();
  for (const { key, tally } of sums) {
    const { project, hour } = key;
    const row: QueryValue[] = [project, HOUR, hour];
    const start = hour - (hour % DAY);
    let text = `${project}\u0000${start}`;
    for (const name of names) {
      const value = (key as unknown as Fields)[name] as QueryValue;
      row.push(value);
      text += `\u0000${value}`;
    }
    for (const name of fields) row.push((tally as Fields)[name] as number);
    rows.push(row);
    const day = days.get(text);
    if (day === undefined) days.set(text, row.with(1, DAY).with(2, start));
    else for (let at = names.length + 3; at < row.length; at += 1) (day[at] as number) += row[at] as number;
  }
  for (const day of days.values()) rows.push(day);
  return addRows(table, rows);
}

const STATEMENTS = new Map<SumTable, { readonly add: Statement; readonly removeEmpty: Statement }>();

function* addRows(table: SumTable, rows: readonly Values[]): Work<void> {
  if (rows.length === 0) return;
  let statements = STATEMENTS.get(table);
  if (statements === undefined) {
    statements = { add: addTo(table), removeEmpty: deleteFrom(table.name, table.key, `t.${table.fields[0]} <= 0`) };
    STATEMENTS.set(table, statements);
  }
  yield* change(statements.add, rows);
  // Sums of 0 are removed, because their keys may be names of deleted tools.
  const keys = Object.keys(table.key).length;
  const lowered = rows.filter((row) => (row[keys] as number) < 0);
  yield* change(
    statements.removeEmpty,
    lowered.map((row) => row.slice(0, keys)),
  );
}

const TIMES = {
  project: "text",
  fingerprint: "text",
  category: "text",
  first_at: "bigint",
  last_at: "bigint",
  sample: "text",
} as const;

const WRITE_TIMES: Statement = {
  parameters: TIMES,
  key: () => ["project", "fingerprint"],
  sql: ({ insert }) => `INSERT INTO fingerprints (${Object.keys(TIMES).join(", ")}) ${insert(Object.keys(TIMES))}
    ON CONFLICT (project, fingerprint) DO UPDATE SET
      sample = CASE WHEN excluded.sample <> '' AND (excluded.first_at < fingerprints.first_at OR fingerprints.sample = '')
        THEN excluded.sample ELSE fingerprints.sample END,
      first_at = CASE WHEN excluded.first_at < fingerprints.first_at THEN excluded.first_at ELSE fingerprints.first_at END,
      last_at = CASE WHEN excluded.last_at > fingerprints.last_at THEN excluded.last_at ELSE fingerprints.last_at END`,
};

/** The key of an error. */
interface FingerprintName {
  readonly project: string;
  readonly fingerprint: string;
}

const NAME = { project: "text", fingerprint: "text" } as const;
/** Number of an error's oldest calls that are searched for a text. */
const SAMPLE_CANDIDATES = 20;

const callsWith = (value: (name: string) => string): string =>
  `FROM calls c WHERE c.project = ${value("project")} AND c.fingerprint = ${value("fingerprint")} AND c.error_count = 1`;
const TIMES_OF_CALLS: Statement = {
  parameters: NAME,
  sql: ({ value }) => `SELECT min(c.settled_at) AS first, max(c.settled_at) AS last ${callsWith(value)}`,
};
const OLDEST_CALLS: Statement = {
  parameters: NAME,
  sql: ({ value }) => `SELECT c.record ${callsWith(value)} ORDER BY c.settled_at LIMIT ${SAMPLE_CANDIDATES}`,
};
const REMOVE_ERRORS = deleteFrom("fingerprints", NAME);
/** What people decided about errors that no longer exist. */
const REMOVE_STATES = deleteFrom("error_states", NAME);
const UPDATE_ERRORS: Statement = {
  parameters: { ...NAME, first_at: "bigint", last_at: "bigint", sample: "text" },
  key: () => Object.keys(NAME),
  sql: ({ value, join }) =>
    `UPDATE fingerprints AS t SET first_at = ${value("first_at")}, last_at = ${value("last_at")}, sample = ${value("sample")}
     ${join("FROM")} WHERE t.project = ${value("project")} AND t.fingerprint = ${value("fingerprint")}`,
};

/**
 * Recomputes errors from their remaining calls, and removes errors without calls, so that no sample comes from a
 * deleted call.
 */
function* refreshFingerprints(names: readonly FingerprintName[]): Work<void> {
  const keys = names.map(({ project, fingerprint }) => [project, fingerprint]);
  const [times, oldest] = yield* together([select(TIMES_OF_CALLS, keys), select(OLDEST_CALLS, keys)]);
  const isGone = (at: number): boolean => (times[at]?.[0]?.first ?? null) === null;
  const gone = keys.filter((_, at) => isGone(at));
  yield* change(REMOVE_ERRORS, gone);
  yield* change(REMOVE_STATES, gone);
  const rows = keys.map((key, at) => {
    const samples = oldest[at]?.map(({ record }) => sampleOfRecord(String(record))) ?? [];
    const sample = samples.find((one) => one !== "") ?? "";
    return [...key, Number(times[at]?.[0]?.first), Number(times[at]?.[0]?.last), sample];
  });
  yield* change(
    UPDATE_ERRORS,
    rows.filter((_, at) => !isGone(at)),
  );
}

/** The text that represents an error in lists: the excerpt of one failure, or its status message. */
function sampleOfRecord(record: string): string {
  const { facts } = JSON.parse(record) as { facts?: { result?: { value?: { outcome?: Partial<OutcomeFacts> } } } };
  const { excerpt, status_message } = facts?.result?.value?.outcome ?? {};
  return (excerpt ?? status_message ?? "").slice(0, SAMPLE_LENGTH);
}

const BATCH_SIZE = 200;

/** Upgrades a database whose samples may come from deleted calls. */
export function* refreshAllFingerprints(): Work<void> {
  const rows = yield* query("SELECT project, fingerprint FROM fingerprints");
  const names = rows.map((row) => ({ project: String(row.project), fingerprint: String(row.fingerprint) }));
  for (let at = 0; at < names.length; at += BATCH_SIZE) yield* refreshFingerprints(names.slice(at, at + BATCH_SIZE));
}
