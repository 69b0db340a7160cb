/**
 * Test files that depend on more than Node: services they start, system programs, permissions, processes of the
 * product. `npm run test:services` runs them, to check another folder, user or machine.
 */
const SERVICE_FILES: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    "test/contract/long-ids.test.ts",
    "test/contract/migrate.test.ts",
    "test/contract/outbox.test.ts",
    "test/contract/sealed-calls.test.ts",
    "test/contract/postgres-store.test.ts",
    "test/contract/release-before.test.ts",
    "test/contract/store-calls.test.ts",
    "test/contract/store-deletions.test.ts",
    "test/contract/store-errors.test.ts",
    "test/contract/store-links.test.ts",
    "test/contract/store-usage.test.ts",
    "test/contract/store-loops.test.ts",
    "test/contract/store-session-names.test.ts",
    "test/contract/store.test.ts",
    "test/faults/delete-postgres.test.ts",
    "test/faults/postgres-chains.test.ts",
    "test/faults/postgres-outages.test.ts",
    "test/faults/postgres-replicas.test.ts",
  ],
  browser: [
    "test/e2e/dashboard-calls.test.ts",
    "test/e2e/dashboard-pages.test.ts",
    "test/e2e/dashboard.test.ts",
    "test/e2e/trip-chat.test.ts",
  ],
  prometheus: ["test/pins/deploy-prometheus.test.ts", "test/pins/promtool.test.ts"],
  rights: ["test/faults/disk-full.test.ts", "test/faults/read-only-folder.test.ts"],
  npm: ["test/e2e/package.test.ts", "test/e2e/readme.test.ts"],
  processes: [
    "src/cli/server/last-resort.test.ts",
    "test/e2e/demo-ledger.test.ts",
    "test/contract/mcp-recorded.test.ts",
    "test/contract/mcp-serve.test.ts",
    "test/contract/mcp-wrap.test.ts",
    "test/contract/overview.test.ts",
    "test/faults/backpressure.test.ts",
    "test/faults/closed-pipe.test.ts",
    "test/faults/crash.test.ts",
    "test/faults/delete-canary.test.ts",
    "test/faults/demo-port.test.ts",
    "test/faults/fuzz-exchanges.test.ts",
    "test/faults/hook-catch-up.test.ts",
    "test/faults/hook-spool.test.ts",
    "test/faults/hostile-upstream.test.ts",
    "test/faults/large-bodies.test.ts",
    "test/faults/many-streams.test.ts",
    "test/faults/unusual-http.test.ts",
    "test/faults/private-ca.test.ts",
    "test/faults/stopping.test.ts",
    "test/faults/store-locked.test.ts",
    "test/faults/two-writers.test.ts",
    "test/pins/deploy-files.test.ts",
    "test/pins/doc-snippets.test.ts",
  ],
};

export const POSTGRES_FILES: readonly string[] = SERVICE_FILES.postgres ?? [];
export const ALL_SERVICE_FILES: readonly string[] = Object.values(SERVICE_FILES).flat();
