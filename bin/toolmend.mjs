#!/usr/bin/env node
// The first file must be readable for any Node: it checks the version, then loads the rest.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`Toolmend needs Node 22.12 or newer; this is ${process.versions.node} (${process.execPath}).`);
  process.exit(1);
}

// A checkout runs its sources as they are; a published package has only what was built.
const source = new URL("../src/cli/main.ts", import.meta.url);
const { main } = await import(existsSync(source) ? source.href : new URL("../dist/cli/main.js", import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));
