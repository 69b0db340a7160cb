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

const chromium = () => existsSync(process.env.TOOLMEND_CHROMIUM ?? "/usr/bin/chromium");
const missing = () => (chromium() ? [] : ["chromium", "fonts-liberation"]);

if (missing().length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.log(`Installing ${missing().join(", ")} for the browser tests …`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing()]);
}
if (missing().length > 0) {
  console.error(
    `The browser tests need Chromium. On Debian: apt-get install ${missing().join(" ")}. ` +
      "Elsewhere set TOOLMEND_CHROMIUM to the program. Without it those tests are skipped, and say so.",
  );
  if (process.env.CI) process.exit(1);
}
