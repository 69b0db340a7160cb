import { join } from "node:path";
import type { HookAgent } from "./agents.ts";

/** Tells our lines from everybody else's. */
export const SPOOL_MARK = "# toolmend";

/** How a spooled event's file ends; until it is whole it has another name. */
export const SPOOLED = ".json";

/**
 * One line of shell that writes the event on its standard input into a file of its own, under a name that is not looked at, and
 * renames it when it is whole: a file that several hooks append to would mix their lines. It prints nothing and ends with 0 whatever
 * happens, and stands in the settings itself: a script that went missing would make the shell end with a code that denies the tool.
 */
export function spoolLine(spool: string, agent: HookAgent): string {
  const folder = quoted(join(spool, agent));
  return `{ f=$(mktemp ${folder}/.XXXXXXXXXX) && cat >"$f" && mv "$f" "$f${SPOOLED}"; } >/dev/null 2>&1 || cat >/dev/null 2>&1; exit 0 ${SPOOL_MARK}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
