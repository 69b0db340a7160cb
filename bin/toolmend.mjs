#!/usr/bin/env node
// The first file must be readable for any Node: it checks the version, then loads the rest.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`Toolmend needs Node 22.13 or newer; this is ${process.versions.node} (${process.execPath}).`);
  process.exit(1);
}

// A checkout runs its sources as they are; a published package has only what was built.
const load = (path, built = `${path}.js`) => {
  const source = new URL(`../src/${path}.ts`, import.meta.url);
  return import(existsSync(source) ? source.href : new URL(`../dist/${built}`, import.meta.url).href);
};

const [command, action, ...rest] = process.argv.slice(2);
if (command === "mcp" && action === "wrap") {
  // One such process runs per MCP server: it does not load the rest of the program.
  const { runWrapper } = await load("mcp/wrap/run-wrapper", "mcp/wrapper.mjs");
  process.exitCode = await runWrapper(rest);
} else {
  const { main } = await load("cli/main");
  process.exitCode = await main(process.argv.slice(2));
}
