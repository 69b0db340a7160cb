import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the page when its sources are newer, by the same script as `npm start`. */
export function buildDashboard(): void {
  const script = fileURLToPath(new URL("../../scripts/build-dashboard.mjs", import.meta.url));
  // The runner's own mode would make it a build for development.
  const env = { ...process.env, NODE_ENV: "production", VITEST: undefined };
  execFileSync(process.execPath, [script, "--if-stale"], { env, stdio: ["ignore", "ignore", "pipe"] });
}

/** The end-to-end tests run side by side: the page is built once, before the first of them. */
export { buildDashboard as setup };
