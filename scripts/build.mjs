// Plain tsc for the library and the commands, plus files that tsc does not copy, plus the dashboard.
import { cpSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runStep, runSteps } from "./run-step.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = `${root}dist`;
for (const name of readdirSync(root).includes("dist") ? readdirSync(built) : []) {
  if (name !== "dashboard") rmSync(`${built}/${name}`, { recursive: true });
}
await runSteps(async () => {
  await runStep("build library and commands", "tsc", ["-p", "tsconfig.build.json"]);
  await runStep("bundle the MCP wrapper", "node", ["scripts/bundle-wrapper.mjs"]);
  for (const store of ["sqlite", "postgres"])
    cpSync(`${root}src/store/${store}/migrations`, `${built}/store/${store}/migrations`, { recursive: true });
  await runStep("build dashboard", "node", ["scripts/build-dashboard.mjs", "--if-stale"]);
});
