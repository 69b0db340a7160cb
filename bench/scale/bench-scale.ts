import { startPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import type { Row } from "../frame/row.ts";
import { benchScaleCpu } from "./cpu.ts";
import { benchQueries } from "./queries.ts";
import { benchWrites } from "./writes.ts";

/** PostgreSQL compared with SQLite, with the bare database, and with a hundred times the calls; see docs/scale.md. */
export async function benchScale(options: BenchOptions): Promise<readonly Row[]> {
  const server = await startPostgres({ fsync: true });
  try {
    return [
      ...(await benchScaleCpu(server, options)),
      ...(await benchWrites(server, options)),
      ...(await benchQueries(server, options)),
    ];
  } finally {
    await server.close();
  }
}
