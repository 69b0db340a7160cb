import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the dashboard if its sources are newer, with the same script as `npm start`. */
export function buildDashboard(): void {
  const script = fileURLToPath(new URL("../../scripts/build-dashboard.mjs", import.meta.url));
  // The test runner's NODE_ENV would produce a development build.
  const env = { ...process.env, NODE_ENV: "production", VITEST: undefined };
  execFileSync(process.execPath, [script, "--if-stale"], { env, stdio: ["ignore", "ignore", "pipe"] });
}

/** End-to-end tests run concurrently: the dashboard is built once, before the first of them. */
export { buildDashboard as setup };
