import { CliError } from "./errors.ts";
import { embeddedStoreNode } from "./version.ts";

/** Commands that open the embedded store or take its lock. `doctor` reports the Node version itself. */
const COMMANDS = new Set([
  "overview",
  "start",
  "demo",
  "import",
  "report",
  "sessions",
  "show",
  "delete",
  "export",
  "migrate",
]);

export function hasEmbeddedStore(node = process.versions.node): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = embeddedStoreNode.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Rejects an unsupported Node version before anything is loaded or written. */
export function checkCommand(command: string): void {
  if (COMMANDS.has(command)) requireEmbeddedStore(`\`toolmend ${command}\``);
}

export function requireEmbeddedStore(who: string): void {
  if (hasEmbeddedStore()) return;
  throw new CliError(
    `${who} needs Node ${embeddedStoreNode} or newer for the embedded store; this is ${process.versions.node} (${process.execPath}).`,
  );
}
