// Installs the programs that tests need beyond npm, or prints in one line what is missing and how to install it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findProgram, missingPrograms, npmInitdb } from "../test/support/programs.ts";

/** Another clone may be installing the same; without a network, waiting for it does not help. */
const APT_OPTIONS = ["-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=0"];

function aptGet(...args: readonly string[]): void {
  spawnSync("apt-get", [...APT_OPTIONS, "-qq", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

const toInstall = missingPrograms("Chromium", "promtool", "PostgreSQL");
if (toInstall !== undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.log(`Installing ${toInstall.packages.join(", ")} for the tests …`);
  aptGet("update");
  aptGet("install", "-y", "--no-install-recommends", ...toInstall.packages);
}
if (findProgram("PostgreSQL") === undefined && npmInitdb() !== undefined)
  console.log("PostgreSQL is not installed: its tests run only with the version from npm.");

const missing = missingPrograms(
  "Chromium",
  "promtool",
  ...(npmInitdb() === undefined ? (["PostgreSQL"] as const) : []),
);
if (missing !== undefined) {
  console.error(`${missing.text}. Tests that need them are skipped.`);
  if (process.env.CI) process.exitCode = 1;
}
