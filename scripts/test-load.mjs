// `npm run test:load [FILES…]`: runs test/faults, or the given files, three times beside eight busy processes, without
// retries. Opt-in, because it uses the whole machine for minutes: it finds tests that depend on how fast they run.
import { spawn } from "node:child_process";
import process from "node:process";

const ROUNDS = 3;
const BUSY_PROCESSES = 8;
/** Some tests send hundreds of megabytes, which takes minutes on a fifth of the CPU. A test that hangs still fails. */
const TIMEOUT_MS = 10 * 60_000;
/** Factor of the limits that tests set themselves (`test/support/slowness.ts`). */
const SLOWNESS = 10;
/** A busy process ends by itself after this time, and when this one is gone. */
const MAX_BUSY_MS = 60 * 60_000;

/** Computes in slices of 50 ms, and notices between them that its input was closed. */
const BUSY = `
  const end = Date.now() + ${MAX_BUSY_MS};
  process.stdin.on("end", () => process.exit()).resume();
  (function slice() {
    const until = Math.min(end, Date.now() + 50);
    while (Date.now() < until);
    if (until < end) setImmediate(slice);
    else process.exit();
  })();
`;

const files = process.argv.slice(2);
const busy = Array.from({ length: BUSY_PROCESSES }, () =>
  spawn(process.execPath, ["-e", BUSY], { stdio: ["pipe", "ignore", "inherit"] }),
);
let tests;
process.once("exit", () => {
  for (const child of busy) child.kill("SIGKILL");
  tests?.kill("SIGTERM");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const failed = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  console.log(`Round ${round} of ${ROUNDS}, beside ${BUSY_PROCESSES} busy processes`);
  const status = await new Promise((resolve) => {
    const timeouts = [`--testTimeout=${TIMEOUT_MS}`, `--hookTimeout=${TIMEOUT_MS}`];
    const args = ["run", "--retry=0", ...timeouts, ...(files.length === 0 ? ["test/faults"] : files)];
    const env = { ...process.env, TOOLMEND_TEST_SLOWNESS: String(SLOWNESS) };
    tests = spawn("vitest", args, { stdio: "inherit", env }).on("close", resolve);
  });
  if (status !== 0) failed.push(round);
}
console.log(failed.length === 0 ? `All ${ROUNDS} rounds passed.` : `Rounds with failures: ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
