// Everything that can be known without running the product: types, lint, build, packaging, browser bundles, dead code.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStep } from "./run-step.mjs";

runStep("types", "tsc", []);
runStep("types of the dashboard", "tsc", ["-p", "dashboard"]);
runStep("lint and format", "biome", ["ci", "--error-on-warnings", "--colors=off", "."]);
runStep("build", "node", ["scripts/build.mjs"]);
runStep("core and agent bundle for browsers", "node", ["scripts/browser-smoke.mjs"]);
runStep("doors for pages are small", "node", ["scripts/bundle-size.mjs"]);
runStep("no unused files, exports or dependencies", "knip", []);

const folder = mkdtempSync(join(tmpdir(), "toolmend-pack-"));
try {
  runStep("pack", "npm", ["pack", "--silent", "--pack-destination", folder]);
  const { version } = (await import("../package.json", { with: { type: "json" } })).default;
  const tarball = join(folder, `toolmend-${version}.tgz`);
  runStep("exports map (publint)", "publint", ["run", "--strict", tarball]);
  runStep("exports map (attw)", "attw", [tarball, "--profile", "esm-only", "--no-color"]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
