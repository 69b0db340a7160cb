import { hash } from "node:crypto";
import { boundedId } from "../read-lines.ts";
import type { QueryValue } from "../sql/driver.ts";
import { upsertInto } from "../sql/statements.ts";
import { change, type SqlType } from "../sql/work.ts";
import { Database } from "../sqlite/database.ts";
import { type PostgresDatabase, PostgresError, type Queries, type Row } from "./database.ts";
import { perform } from "./perform.ts";
import { recountUnhealthy } from "./recount-unhealthy.ts";

/** Sessions last, so that an interrupted copy shows no session without its calls. */
const TABLES = [
  ...["calls", "requests", "leaks", "suspensions", "prompts", "threads", "session_facets", "outbox", "rollups"],
  ...["total_rollups", "session_rollups", "workflow_rollups", "durations", "fingerprint_rollups"],
  ...[
    "fingerprint_facets",
    "fingerprints",
    "origin_rollups",
    "journal_positions",
    "deletions",
    "clean_folders",
    "error_states",
  ],
  ...["usages", "token_rollups", "changes", "sessions"],
] as const;

const BATCH_SIZE = 500;
const STATE = "copy";

/** The progress of a copy, stored in the target in the same transactions as the rows. */
interface State {
  readonly source: string;
  readonly done: readonly string[];
  readonly table?: string;
  readonly after?: readonly (string | number)[];
}

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  readonly checksum: string;
}

export interface CopyOptions {
  /** Identifies the source: an interrupted copy resumes only from the same one. */
  readonly source: string;
  readonly onProgress?: (done: number, total: number, table: string) => void;
}

/**
 * Copies a SQLite store into a PostgreSQL database that is empty or contains part of the same copy, then compares both.
 */
export async function copyFromSqlite(
  path: string,
  target: PostgresDatabase,
  options: CopyOptions,
): Promise<readonly CopiedTable[]> {
  const from = new Database(path, { readOnly: true });
  try {
    let state = await stateOf(target, options.source);
    const shapes: TableShape[] = [];
    const indexed = await indexedNames(target);
    for (const table of TABLES) {
      const shape = await shapeOf(from, target, table, indexed);
      if (shape !== undefined) shapes.push(shape);
    }
    const total = shapes.reduce((sum, shape) => sum + shape.rows, 0);
    let done = 0;
    for (const shape of shapes) {
      if (!state.done.includes(shape.table)) {
        state = await copyTable(from, target, shape, state, (rows) =>
          options.onProgress?.(done + rows, total, shape.table),
        );
      }
      done += shape.rows;
    }
    const hours = shapes.find(({ table }) => table === "session_rollups");
    // Databases before version 8 do not have this column.
    if (hours?.columns.includes("unhealthy") === false) await recountUnhealthy(target);
    const [last] = from.all("SELECT seq FROM sqlite_sequence WHERE name = 'changes'");
    await target.all("UPDATE event_numbers SET last = greatest(last, ?)", Number(last?.seq ?? 0));
    return await compared(from, target, shapes);
  } finally {
    from.close();
  }
}

interface TableShape {
  readonly table: string;
  readonly columns: readonly string[];
  readonly types: Readonly<Record<string, SqlType>>;
  readonly keys: readonly string[];
  /** Columns that may contain ids. Older versions stored ids that are too long for an index of PostgreSQL. */
  readonly ids: ReadonlySet<string>;
  readonly rows: number;
}

/** Names of all indexed columns. Their values are bounded in every table, so that rows still refer to one another. */
async function indexedNames(target: Queries): Promise<ReadonlySet<string>> {
  const rows = await target.all(
    `SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => String(name)));
}

/** Values by column. */
type CopiedRow = Readonly<Record<string, QueryValue>>;

/** The common columns; undefined if the source does not have the table. */
async function shapeOf(
  from: Database,
  target: Queries,
  table: string,
  indexed: ReadonlySet<string>,
): Promise<TableShape | undefined> {
  const known = new Set(from.all(`PRAGMA table_info(${table})`).map(({ name }) => String(name)));
  if (known.size === 0) return undefined;
  const columns = await target.all(
    "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position",
    table,
  );
  const keys = await target.all(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = ?::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    table,
  );
  const common = columns.filter(({ name }) => known.has(String(name)));
  return {
    table,
    columns: common.map(({ name }) => String(name)),
    types: Object.fromEntries(common.map(({ name, type }) => [String(name), type as SqlType])),
    keys: keys.map(({ name }) => String(name)),
    ids: indexed,
    rows: Number(from.get(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0),
  };
}

async function stateOf(target: Queries, source: string): Promise<State> {
  const [row] = await target.all("SELECT value FROM settings WHERE name = ?", STATE);
  const state = row === undefined ? undefined : (JSON.parse(String(row.value)) as State);
  if (state?.source === source) return state;
  const [used] = await target.all("SELECT 1 FROM calls LIMIT 1");
  if (used !== undefined || state !== undefined)
    throw new PostgresError("the database is not empty; a copy needs an empty database", "not-empty");
  return { source, done: [] };
}

/** Copies rows in batches, each with the progress in one transaction. */
async function copyTable(
  from: Database,
  target: PostgresDatabase,
  shape: TableShape,
  state: State,
  onRows: (rows: number) => void,
): Promise<State> {
  const { table: name, types, keys, columns } = shape;
  const write = upsertInto({ name, types, key: () => keys, columns: () => columns });
  let after = state.table === name ? state.after : undefined;
  for (let rows = 0; ; ) {
    const read = from.all(pageSql(shape, after !== undefined), ...(after ?? []));
    const page = read.map((row) => plainRow(row, shape));
    after = keyOf(read.at(-1), shape) ?? after;
    const end = page.length < BATCH_SIZE;
    const next: State = end
      ? { source: state.source, done: [...state.done, shape.table] }
      : { ...state, table: shape.table, ...(after !== undefined && { after }) };
    await target.transaction(async (tx) => {
      await perform(tx, change(write, page.map(Object.values)));
      await tx.all(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        ...[STATE, JSON.stringify(next)],
      );
    });
    rows += page.length;
    onRows(rows);
    if (end) return next;
  }
}

function keyOf(row: Row | undefined, { keys }: TableShape): readonly (string | number)[] | undefined {
  return row && keys.map((name) => row[name] as string | number);
}

/** The query for the next rows in key order. */
function pageSql({ table, columns, keys }: Pick<TableShape, "table" | "columns" | "keys">, more: boolean): string {
  const where = more ? `WHERE (${keys.join(", ")}) > (${keys.map(() => "?").join(", ")})` : "";
  return `SELECT ${columns.join(", ")} FROM ${table} ${where} ORDER BY ${keys.join(", ")} LIMIT ${BATCH_SIZE}`;
}

/** A row with values that both databases can store. */
function plainRow(row: Row, { columns, types, ids }: TableShape): CopiedRow {
  return Object.fromEntries(
    columns.map((name) => {
      const value = row[name];
      if (value === null || value === undefined) return [name, null];
      if (types[name] !== "text") return [name, Number(value)];
      const text = String(value).replaceAll("\u0000", " ");
      return [name, ids.has(name) ? boundedId(text) : text];
    }),
  );
}

/** Compares the number of rows and the sum of their hashes. Bounded ids may sort differently than the original ones. */
async function compared(
  from: Database,
  target: Queries,
  shapes: readonly TableShape[],
): Promise<readonly CopiedTable[]> {
  const copied: CopiedTable[] = [];
  for (const shape of shapes) {
    const source = await digestOf(shape, async (sql, values) => from.all(sql, ...values));
    const copy = await digestOf(shape, (sql, values) => target.all(sql, ...values));
    if (source.rows !== copy.rows || source.checksum !== copy.checksum) {
      throw new PostgresError(
        `the copy of ${shape.table} differs: ${copy.rows} rows instead of ${source.rows}, or other values`,
        "copy-differs",
      );
    }
    copied.push({ table: shape.table, ...copy });
  }
  return copied;
}

async function digestOf(
  shape: TableShape,
  read: (sql: string, values: readonly (string | number)[]) => Promise<readonly Row[]>,
): Promise<{ readonly rows: number; readonly checksum: string }> {
  let sum = 0n;
  let after: readonly (string | number)[] | undefined;
  for (let rows = 0; ; ) {
    const page = await read(pageSql(shape, after !== undefined), after ?? []);
    for (const row of page) {
      const digest = hash("sha256", JSON.stringify(plainRow(row, shape)), "hex");
      sum = BigInt.asUintN(64, sum + BigInt(`0x${digest.slice(0, 16)}`));
    }
    rows += page.length;
    if (page.length < BATCH_SIZE) return { rows, checksum: sum.toString(16).padStart(16, "0") };
    after = keyOf(page.at(-1), shape);
  }
}
