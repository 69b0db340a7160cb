import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { POSTGRES_FILES } from "./test/service-files.ts";

// Every server that a test starts has a thread that compiles the sources of the store, and many tests start processes:
// with a shared cache of compiled code each of them costs a third.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** A server under test waits as often as it computes: on two cores, too, two files run side by side. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

const integration = {
  pool: "forks",
  // Only a hang takes so long, even on a machine that is busy with other things.
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,dashboard/src}/**/*.test.ts", "test/{property,support}/**/*.test.ts"],
          isolate: false,
          pool: "threads",
          // Property tests take seconds on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...integration,
          name: "integration",
          include: ["test/{contract,faults,pins}/**/*.test.ts"],
          exclude: [...POSTGRES_FILES],
        },
      },
      {
        test: {
          ...integration,
          name: "database",
          include: [...POSTGRES_FILES],
          globalSetup: "test/support/shared-postgres.ts",
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "test/support/build-dashboard.ts",
          pool: "forks",
          // Some install packages, and remove them again.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
