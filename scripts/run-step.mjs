// Runs a program of node_modules/.bin and shows its output only when it fails.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs one step; rejects with its output when it fails. Steps may run concurrently. */
export async function runStep(title, command, args) {
  const started = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const status = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message)).once("close", resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (status !== 0)
    throw new StepError(`✗ ${title} (${seconds} s)\n${output}${typeof status === "string" ? status : ""}`);
  console.log(`✓ ${title} (${seconds} s)`);
}

class StepError extends Error {}

/** Runs the steps of a script; when one fails, prints its output and fails the script. */
export async function runSteps(steps) {
  try {
    await steps();
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error);
    process.exitCode = 1;
  }
}
