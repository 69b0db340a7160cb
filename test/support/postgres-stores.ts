import postgres from "postgres";
import { describe, inject, it } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { NamedStore } from "./embedded-stores.ts";
import { notRun } from "./not-run.ts";
import { newDatabase, postgresProblem } from "./postgres.ts";

/** Creates an empty database on the server that the test files share. */
export async function sharedDatabase(): Promise<string> {
  const { installed, npm } = inject("postgres");
  return await newDatabase((installed ?? npm) as string);
}

const problem = postgresProblem();

/** A `describe` whose tests need PostgreSQL; without it they are listed as not run. */
export function describeWithPostgres(title: string, tests: () => void): void {
  describe.skipIf(problem !== undefined)(`${title}${notRun(problem)}`, tests);
}

/** PostgreSQL as stores of a contract test: one database per file and version, emptied for each test. */
export function postgresStores(): readonly NamedStore[] {
  const store = (server: string): (() => Promise<Store>) => {
    let database: Promise<string> | undefined;
    return async () => {
      if (database !== undefined) await empty(await database);
      database ??= newDatabase(server);
      return await openPostgresStore(await database, { connections: 2 });
    };
  };
  if (problem !== undefined) it.skip(`the same on PostgreSQL${notRun(problem)}`);
  const { installed, npm } = inject("postgres");
  return [
    ...(installed === undefined ? [] : [["postgres", store(installed)] as const]),
    ...(npm === undefined ? [] : [["postgres 18", store(npm)] as const]),
  ];
}

/** Much faster than a new database with all its partitions, and than TRUNCATE. */
export async function empty(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const tables = await sql`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  const preserved = new Set(["schema_version", "event_numbers"]);
  const deletes = tables.filter(({ name }) => !preserved.has(name)).map(({ name }) => `DELETE FROM ${name};`);
  await sql.unsafe(`${deletes.join("\n")} UPDATE event_numbers SET last = 0;`).simple();
  await sql.end();
}
