import { join } from "node:path";
import type { HookAgent } from "./agents.ts";

/** Tells our lines from everybody else's. */
export const SPOOL_MARKER = "# toolmend";

/** How a spooled event's file ends; until it is whole it has another name. */
export const SPOOL_EXTENSION = ".json";

/**
 * One line of shell that writes the event on its standard input into a file of its own, under a name that is not looked at, and
 * renames it when it is whole: a file that several hooks append to would mix their lines. It prints nothing and ends with 0 whatever
 * happens, and stands in the settings itself: a script that went missing would make the shell end with a code that denies the tool.
 * The name is made by the shell alone, from numbers that no two running processes share: every program that is started costs time.
 */
export function spoolLine(spool: string, agent: HookAgent): string {
  return lineFor(`d=${quoteForShell(join(spool, agent))}`);
}

/** The same for files that are handed out: into the default data folder, which is made if it is not there. */
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
