// Makes `npm test` work on a bare machine. Plain JavaScript: it may run on an old Node, before the project's own is there.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const run = (command, args) =>
  spawnSync(command, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  }).status === 0;
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
  console.log("Installing packages …");
  if (!run("npm", ["ci"])) process.exit(1);
}

/** What the tests need beyond npm: a program, the Debian packages that bring it, and how to name another one. */
const NEEDS = [
  {
    what: "Chromium",
    path: process.env.TOOLMEND_CHROMIUM ?? "/usr/bin/chromium",
    packages: ["chromium", "fonts-liberation"],
    variable: "TOOLMEND_CHROMIUM",
  },
  {
    what: "promtool",
    path: process.env.TOOLMEND_PROMTOOL ?? "/usr/bin/promtool",
    packages: ["prometheus"],
    variable: "TOOLMEND_PROMTOOL",
  },
  {
    what: "PostgreSQL",
    path: process.env.TOOLMEND_PG_ROOT ?? "/usr/lib/postgresql",
    packages: ["postgresql"],
    variable: "TOOLMEND_PG_ROOT",
  },
];
const missing = () => NEEDS.filter(({ path }) => !existsSync(path));
const packages = () => missing().flatMap((need) => need.packages);

if (missing().length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.log(`Installing ${packages().join(", ")} for the tests …`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages()]);
}
if (missing().length > 0) {
  for (const { what, variable } of missing())
    console.error(`Some tests need ${what}. If it is elsewhere, set ${variable} to it.`);
  console.error(
    `On Debian: apt-get install ${packages().join(" ")}. Without them those tests are skipped, and say so.`,
  );
  if (process.env.CI) process.exit(1);
}
