// Plain JavaScript on purpose: it must run on the old Node it warns about.
import { readFileSync } from "node:fs";

const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = devDependencies.node.split(".").map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `A checkout runs its sources on Node ${leastMajor}.${leastMinor} or newer; this is ${process.versions.node} (${process.execPath}). ` +
      "Run `npm ci` without --ignore-scripts and start through npm scripts: the project brings its own Node.",
  );
  process.exit(1);
}
