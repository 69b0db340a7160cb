// Plain JavaScript on purpose: it must run on the old Node it warns about.
import { readFileSync } from "node:fs";

const { toolmend } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = toolmend.embeddedStoreNode.split(".").map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `Toolmend needs Node ${toolmend.embeddedStoreNode} or newer for its embedded store; this is ${process.versions.node} (${process.execPath}). ` +
      "In a checkout, run `npm ci` without --ignore-scripts and start through npm scripts: the project brings its own Node.",
  );
  process.exit(1);
}
