import { CliError } from "./errors.ts";

/** Commands that open the embedded store or take its lock. `doctor` reports the Node version itself. */
const COMMANDS = new Set(["start", "demo", "import", "report", "sessions", "show", "delete", "export", "migrate"]);

/** The library runs on older versions; the store needs `node:sqlite` as of Node 24.15. */
export function hasEmbeddedStore(node = process.versions.node): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

/** Rejects an unsupported Node version before anything is loaded or written. */
export function checkCommand(command: string): void {
  if (COMMANDS.has(command)) requireEmbeddedStore(`\`toolmend ${command}\``);
}

export function requireEmbeddedStore(who: string): void {
  if (hasEmbeddedStore()) return;
  throw new CliError(
    `${who} needs Node 24.15 or newer for the embedded store; this is ${process.versions.node} (${process.execPath}).`,
  );
}
