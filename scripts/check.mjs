// All static checks: types, lint, build, packaging, browser bundles, dead code. With --pack-to DIR the packed package
// stays there, so that tests need not build it again.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runStep, runSteps } from "./run-step.mjs";

const { values } = parseArgs({ options: { "pack-to": { type: "string" } } });

async function checkPackage(folder) {
  await runStep("build", "node", ["scripts/build.mjs"]);
  await runStep("pack", "npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
  const { version } = (await import("../package.json", { with: { type: "json" } })).default;
  const tarball = join(folder, `toolmend-${version}.tgz`);
  await runStep("exports map (publint)", "publint", ["run", "--strict", tarball]);
  await runStep("exports map (attw)", "attw", [tarball, "--profile", "esm-only", "--no-color"]);
}

await runSteps(async () => {
  await runStep("types", "tsc", []);
  await runStep("types of the dashboard", "tsc", ["-p", "dashboard"]);
  const folder = values["pack-to"] ?? mkdtempSync(join(tmpdir(), "toolmend-pack-"));
  try {
    // Each of these uses little more than one core.
    const sides = await Promise.allSettled([
      checkPackage(folder),
      runStep("lint and format", "biome", ["ci", "--error-on-warnings", "--colors=off", "."])
        .then(() => runStep("core and agent bundle for browsers", "node", ["scripts/browser-smoke.mjs"]))
        .then(() => runStep("entry points for pages are small", "node", ["scripts/bundle-size.mjs"]))
        .then(() => runStep("no unused files, exports or dependencies", "knip", [])),
    ]);
    const failed = sides.find(({ status }) => status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    if (values["pack-to"] === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
