import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,dashboard/src}/**/*.test.ts", "test/property/**/*.test.ts"],
          isolate: false,
          pool: "threads",
          // Property tests take seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/{contract,faults,pins}/**/*.test.ts"],
          pool: "forks",
          testTimeout: 30_000,
          // A hook may start a database, and on a busy machine that alone takes more than ten seconds.
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
