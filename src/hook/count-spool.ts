import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HOOK_AGENTS } from "./agents.ts";
import { SPOOL_EXTENSION } from "./spool-line.ts";
import type { SpoolState } from "./spool-state.ts";

/** Counts the queued and the quarantined events in a spool folder. */
export async function countSpool(folder: string): Promise<SpoolState> {
  const namesIn = (name: string): Promise<readonly string[]> => readdir(join(folder, name)).catch(() => []);
  const spooled = await Promise.all(HOOK_AGENTS.map(namesIn));
  return {
    waiting: spooled.flat().filter((name) => name.endsWith(SPOOL_EXTENSION)).length,
    broken: (await namesIn("broken")).length,
  };
}
