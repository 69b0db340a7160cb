// Makes `npm test` work in a fresh clone. Plain JavaScript: it may run on an old Node, before the project's own is
// installed.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
  console.log("Installing packages …");
  const { status } = spawnSync("npm", ["ci"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(1);
}
