import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";
import { Database, type Value } from "../../src/store/sqlite/database.ts";

/** The migrations up to a version, in order. */
function migrations(store: "sqlite" | "postgres", version: number): readonly { number: number; sql: string }[] {
  const folder = new URL(`../../src/store/${store}/migrations/`, import.meta.url);
  const files = readdirSync(folder).sort();
  const all = files.map((file) => ({
    number: Number(file.slice(0, 4)),
    sql: readFileSync(new URL(file, folder), "utf8"),
  }));
  return all.filter(({ number }) => number <= version);
}

/**
 * Writes the rows of a database into a new one with an earlier schema, without columns and tables that it did not have
 * yet. Tables whose columns have other names now stay empty.
 */
export function writeOldDatabase(source: string, target: string, version: number): void {
  const [present, old] = [new Database(source, { readOnly: true }), new Database(target)];
  old.exec("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)");
  for (const { number, sql } of migrations("sqlite", version)) {
    old.exec(sql);
    old.run("INSERT INTO schema_version VALUES (?, 'then')", number);
  }
  const tables = old.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  for (const table of tables.map(({ name }) => String(name)).filter((name) => name !== "schema_version")) {
    const columns = columnsOf(old, table);
    const known = new Set(columnsOf(present, table));
    if (!columns.every((name) => known.has(name))) continue;
    const marks = columns.map(() => "?").join(", ");
    for (const row of present.all(`SELECT ${columns.join(", ")} FROM ${table}`))
      old.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`, ...(Object.values(row) as Value[]));
  }
  present.close();
  old.close();
}

function columnsOf(db: Database, table: string): readonly string[] {
  return db.all(`PRAGMA table_info(${table})`).map(({ name }) => String(name));
}

/** Rows by table. */
export type TableRows = Readonly<Record<string, readonly object[]>>;

/** All rows of a PostgreSQL database, without its schema version. */
export async function readTables(url: string): Promise<TableRows> {
  const sql = postgres(url, { max: 1 });
  const tables = await sql`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_version'`;
  const rows: Record<string, readonly object[]> = {};
  for (const { name } of tables) {
    const [all] = await sql.unsafe(`SELECT coalesce(json_agg(t), '[]') AS rows FROM ${name} t`);
    rows[name as string] = all?.rows as readonly object[];
  }
  await sql.end();
  return rows;
}

/** Writes rows into an empty PostgreSQL database with an earlier schema, without columns and tables it did not have. */
export async function writeOldPostgres(url: string, version: number, tables: TableRows): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)`;
  for (const { number, sql: script } of migrations("postgres", version)) {
    await sql.unsafe(script).simple();
    await sql`INSERT INTO schema_version VALUES (${number}, now())`;
  }
  await sql`DELETE FROM event_numbers`;
  for (const [table, rows] of Object.entries(tables)) {
    const [known] = await sql`SELECT to_regclass(${table}) IS NOT NULL AS there`;
    if (known?.there !== true) continue;
    const insert = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::text::json)`;
    await sql.unsafe(insert, [JSON.stringify(rows)]);
  }
  await sql.end();
}
