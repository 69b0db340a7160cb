// Runs a program of node_modules/.bin and shows its output only when it fails.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs one step; ends the process when it fails, unless `optional`. */
export function runStep(title, command, args, { show = false } = {}) {
  const started = performance.now();
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: show ? "inherit" : "pipe" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    console.error(
      `✗ ${title} (${seconds} s)\n${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`,
    );
    process.exit(1);
  }
  console.log(`✓ ${title} (${seconds} s)`);
  return result.stdout ?? "";
}
