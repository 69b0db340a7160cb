import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { TableReporter } from "./test/clients/table-reporter.ts";

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** Drives real clients. Not part of `npm test`: it downloads them, and they are not ours to keep green. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", new TableReporter()],
    // An install takes minutes on a slow network.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
