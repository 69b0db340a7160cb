import { join } from "node:path";
import type { HookAgent } from "./agent-names.ts";

/** Ends every command written by Toolmend, so that uninstall can identify it. */
export const SPOOL_MARKER = "# toolmend";

/** Extension of a complete event file. Files still being written do not have it. */
export const SPOOL_EXTENSION = ".json";

/**
 * Shell command that writes the event from its standard input to a separate file and renames it when complete. Hooks
 * that append to one shared file would interleave their lines. The command prints nothing and always exits with 0. It
 * is inlined in the settings: a missing script would make the shell exit with a code that denies the tool. The file
 * name uses shell variables only, unique among running processes, because every extra program adds latency.
 */
export function spoolLine(spool: string, agent: HookAgent): string {
  return lineFor(`d=${quoteForShell(join(spool, agent))}`);
}

/** Like `spoolLine`, for distributed settings files: uses the default data folder and creates it if missing. */
export function portableSpoolLine(agent: HookAgent): string {
  return lineFor(`umask 077; d="$HOME/.toolmend/spool/${agent}"; [ -d "$d" ] || mkdir -p "$d"`);
}

function lineFor(folder: string): string {
  const taken = `[ -e "$d/.$n" ] || [ -e "$d/.$n${SPOOL_EXTENSION}" ]`;
  const name = `n=$$-$PPID\${RANDOM:+-$RANDOM}; while ${taken}; do n=\${n}x; done`;
  const write = `umask 077; set -C; cat >"$d/.$n" && mv "$d/.$n" "$d/.$n${SPOOL_EXTENSION}"`;
  return `{ ${folder}; ${name}; ${write}; } >/dev/null 2>&1 || cat >/dev/null 2>&1; exit 0 ${SPOOL_MARKER}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
