// Builds the dashboard into dist/dashboard. With --if-stale only when a source is newer than the build.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dashboard = join(root, "dashboard");
const built = join(root, "dist", "dashboard", "index.html");

/**
 * Everything whose change affects the page; folders too, because their mtime changes when a file in them is removed.
 */
function sources() {
  const inside = readdirSync(dashboard, { recursive: true }).map((name) => join(dashboard, name));
  return [dashboard, ...inside, join(root, "package-lock.json")];
}

function isStale() {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  return builtAt === undefined || sources().some((path) => statSync(path).mtimeMs > builtAt);
}

async function main() {
  // An installed package contains the built page and no sources.
  if (!existsSync(dashboard)) return;
  if (process.argv.includes("--if-stale") && !isStale()) return;
  const { build } = await import("vite");
  const started = performance.now();
  await build({ root: dashboard, configFile: join(dashboard, "vite.config.ts"), logLevel: "error" });
  console.log(`Dashboard built in ${Math.round(performance.now() - started)} ms.`);
}

try {
  await main();
} catch (error) {
  const noTool = error?.code === "ERR_MODULE_NOT_FOUND";
  // Without dev dependencies, an outdated page is better than no server.
  if (noTool && process.argv.includes("--if-stale") && existsSync(built)) {
    console.error("The dashboard is outdated and the build tool is not installed. Run `npm ci` to install it.");
  } else {
    console.error(`The dashboard could not be built: ${error?.message ?? error}`);
    if (noTool) console.error("Run `npm ci` to install the build tool.");
    process.exitCode = 1;
  }
}
