// Entry point of `npm test`: the checks, then every test. With `--services`, the tests that depend on more than Node;
// with other arguments, only vitest with those arguments.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ALL_SERVICE_FILES } from "../test/service-files.ts";

const given = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "toolmend-tests-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** What V8 prints when Node itself crashes, whatever the test does: the code it compiled is not where it put it. */
const RUNTIME_CRASH = "Check failed: jit_page.has_value()";

/** Runs vitest, prints the result, and lists files that never finished although no test failed. */
async function runVitest(args, environment = {}) {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const { status, isRuntimeCrash } = await runWatched(
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    environment,
  );
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const tests = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((one) => ({ ...one, file: relative(process.cwd(), name) })),
    );
    sayResult(numPassedTests, numFailedTests, tests);
    // A skipped test is reported as skipped; `pending` is one whose process died.
    const unfinished = new Set(tests.filter((one) => one.status === "pending").map(({ file }) => file));
    return { status, isRuntimeCrash, unfinished: numFailedTests === 0 ? [...unfinished] : [] };
  } catch {
    console.error("The test run did not finish.");
    return { status, isRuntimeCrash, unfinished: [] };
  }
}

/** Passes the output on and looks for the message of a runtime crash in it. */
function runWatched(args, environment) {
  const child = spawn("vitest", args, {
    stdio: ["inherit", "inherit", "pipe"],
    env: { ...process.env, ...environment },
  });
  let isRuntimeCrash = false;
  let tail = "";
  child.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    tail = (tail + chunk.toString("latin1")).slice(-65_536);
    isRuntimeCrash ||= tail.includes(RUNTIME_CRASH);
  });
  return new Promise((resolve) => {
    child.on("close", (status) => resolve({ status: status ?? 1, isRuntimeCrash }));
  });
}

/** The result in one line, and below it every test that did not run, by its reason. */
function sayResult(passed, failed, tests) {
  const skipped = tests.filter(({ status }) => status === "skipped");
  console.log(`${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} NOT RUN:`}`);
  const byReason = new Map();
  for (const { ancestorTitles, title, file } of skipped) {
    const [, reason = "skipped without a reason"] =
      /\(not run: (.*)\)/.exec([...ancestorTitles, title].join(" ")) ?? [];
    byReason.set(reason, [...(byReason.get(reason) ?? []), file]);
  }
  for (const [reason, files] of byReason)
    console.log(`  ${files.length} because ${reason}: ${[...new Set(files)].join(", ")}`);
}

const environment = {};
if (given.length === 0) {
  const { status } = spawnSync("node", ["scripts/check.mjs", "--pack-to", folder], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  environment.TOOLMEND_TARBALL = join(folder, tarball);
}
const args = given[0] === "--services" ? [...ALL_SERVICE_FILES, ...given.slice(1)] : given;
let { status, isRuntimeCrash, unfinished } = await runVitest(args, environment);
if (status !== 0 && unfinished.length > 0) {
  console.log(`\nA test process died. Unfinished files:\n${unfinished.join("\n")}`);
  // Any other death is a failure of the product or of its tests.
  if (isRuntimeCrash) {
    console.log("Node itself crashed, so they run once more.");
    ({ status } = await runVitest(unfinished, environment));
  }
}
process.exit(status);
