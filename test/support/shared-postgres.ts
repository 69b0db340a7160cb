import type { TestProject } from "vitest/node";
import { postgresBinaries, startPostgres, type TestPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The servers that all test files share, by version. */
    readonly postgres: SharedServers;
  }
}

export interface SharedServers {
  readonly installed?: string;
  readonly npm?: string;
}

let servers: TestPostgres[] = [];

/** Starts one server of each version before the first test; test files create their own databases on them. */
export async function setup(project: TestProject): Promise<void> {
  const binaries = Object.entries(postgresBinaries());
  const starting = await Promise.allSettled(binaries.map(([, bin]) => startPostgres({ bin })));
  servers = starting.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = starting.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await teardown();
    throw failed.reason;
  }
  project.provide("postgres", Object.fromEntries(binaries.map(([version], at) => [version, servers[at]?.url])));
}

export async function teardown(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}
