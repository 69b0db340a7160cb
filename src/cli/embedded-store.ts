import { CliError } from "./errors.ts";

/** Commands that read or write the embedded store, or hold its lock. `doctor` tells it among its findings. */
const COMMANDS = new Set(["start", "demo", "import", "report", "sessions", "show", "delete", "export", "migrate"]);

/** The library runs on older ones; the database that comes with Node was not ready for us before. */
export function hasEmbeddedStore(node = process.versions.node): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

/** Says which Node a command needs, before anything is loaded or written. */
export function checkCommand(command: string): void {
  if (COMMANDS.has(command)) needEmbeddedStore(`\`toolmend ${command}\``);
}

export function needEmbeddedStore(who: string): void {
  if (hasEmbeddedStore()) return;
  throw new CliError(
    `${who} needs Node 24.15 or newer for the embedded store; this is ${process.versions.node} (${process.execPath}).`,
  );
}
