import postgres from "postgres";
import { afterAll } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { NamedStore } from "./embedded-stores.ts";
import { embeddedBinaries, postgresBinaries, startPostgres, type TestPostgres } from "./postgres.ts";

/** PostgreSQL as stores of a contract test: one server and database for the file, made when first asked for and emptied for each test. */
export function postgresStores(): readonly NamedStore[] {
  const servers: TestPostgres[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  }, 60_000);
  const store = (bin: string | undefined): (() => Promise<Store>) => {
    let database: Promise<string> | undefined;
    return async () => {
      if (database !== undefined) await empty(await database);
      database ??= startPostgres(bin === undefined ? {} : { bin }).then((server) => {
        servers.push(server);
        return server.newDatabase();
      });
      return await openPostgresStore(await database, { connections: 2 });
    };
  };
  const embedded = embeddedBinaries();
  const versions: NamedStore[] = [["postgres", store(postgresBinaries())]];
  return embedded === undefined || embedded === postgresBinaries()
    ? versions
    : [...versions, ["postgres 18", store(embedded)]];
}

/** Much faster than a new database with all its partitions, and than TRUNCATE. */
export async function empty(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const tables = await sql`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  const kept = new Set(["schema_version", "event_numbers"]);
  const deletes = tables.filter(({ name }) => !kept.has(name)).map(({ name }) => `DELETE FROM ${name};`);
  await sql.unsafe(`${deletes.join("\n")} UPDATE event_numbers SET last = 0;`).simple();
  await sql.end();
}
