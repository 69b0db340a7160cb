import { afterAll } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { embeddedBinaries, postgresBinaries, startPostgres, type TestPostgres } from "./postgres.ts";

type NamedStore = readonly [name: string, open: () => Promise<Store>];

/** PostgreSQL as stores of a contract test: one server for the file, started when first asked for, and a new database for each test. */
export function postgresStores(): readonly NamedStore[] {
  const servers: TestPostgres[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const store = (bin: string | undefined): (() => Promise<Store>) => {
    let server: Promise<TestPostgres> | undefined;
    return async () => {
      server ??= startPostgres(bin === undefined ? {} : { bin }).then((started) => {
        servers.push(started);
        return started;
      });
      return await openPostgresStore(await (await server).newDatabase(), { connections: 2 });
    };
  };
  const embedded = embeddedBinaries();
  const versions: NamedStore[] = [["postgres", store(postgresBinaries())]];
  return embedded === undefined || embedded === postgresBinaries()
    ? versions
    : [...versions, ["postgres 18", store(embedded)]];
}
