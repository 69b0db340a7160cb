// What `npm test` runs: the checks, then every test. With arguments, only vitest with those arguments.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStep } from "./run-step.mjs";

const args = process.argv.slice(2);
if (args.length === 0) runStep("checks", "node", ["scripts/check.mjs"], { show: true });

const folder = mkdtempSync(join(tmpdir(), "toolmend-tests-"));
const report = join(folder, "report.json");
const { status } = spawnSync(
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
  {
    stdio: "inherit",
  },
);
try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
  console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
} catch {
  console.error("The tests did not run to their end.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status ?? 1);
