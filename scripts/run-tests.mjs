// What `npm test` runs: the checks, then every test. With arguments, only vitest with those arguments.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStep } from "./run-step.mjs";

const args = process.argv.slice(2);
if (args.length === 0) runStep("checks", "node", ["scripts/check.mjs"], { show: true });

/** Runs vitest, says how it went, and tells which files never came to an end although no test failed. */
function runVitest(given) {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-tests-"));
  const report = join(folder, "report.json");
  const { status } = spawnSync(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...given],
    { stdio: "inherit" },
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
    console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
    // A test that was skipped says so; `pending` is one whose process went away.
    const unfinished = testResults
      .filter(({ assertionResults }) => assertionResults.some((one) => one.status === "pending"))
      .map(({ name }) => name);
    return { status: status ?? 1, unfinished: numFailedTests === 0 ? unfinished : [] };
  } catch {
    console.error("The tests did not run to their end.");
    return { status: status ?? 1, unfinished: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let { status, unfinished } = runVitest(args);
// Node itself may crash (V8: "Check failed: jit_page.has_value()"): that is no verdict about the tests of that file. Once, and said.
if (status !== 0 && unfinished.length > 0) {
  console.log(
    `\nA test process crashed. These files did not come to an end and run once more:\n${unfinished.join("\n")}`,
  );
  ({ status } = runVitest(unfinished));
}
process.exit(status);
