#!/usr/bin/env node
// The first file must be readable for any Node: it checks the version, then loads the rest.
import { existsSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`Toolmend needs Node 22.13 or newer; this is ${process.versions.node} (${process.execPath}).
To run it with another Node: npx -p node@24 -p toolmend toolmend`);
  process.exit(1);
}

// Keeps compiled code between runs, in the user's own folder: another user could write to the system's temporary one.
if (process.env.NODE_COMPILE_CACHE === undefined)
  module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "toolmend", "compiled"));

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
