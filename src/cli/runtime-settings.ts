import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { repairOverrideSchema } from "../api/repair.ts";
import type { RepairOverride } from "../core/repair/index.ts";
import type { DataFolder } from "../ingest/data-folder.ts";

const stored = z.object({
  repair: z.array(repairOverrideSchema.extend({ at: z.number().int().min(0) })).max(1000),
});

/** Overrides from earlier runs. An unreadable file counts as empty. */
export function readRepairOverrides({ settings }: DataFolder): readonly RepairOverride[] {
  try {
    return parseRepairOverrides(readFileSync(settings, "utf8"));
  } catch {
    return [];
  }
}

export function parseRepairOverrides(text: string): readonly RepairOverride[] {
  // zod types absent properties as undefined ones.
  return stored.parse(JSON.parse(text)).repair as readonly RepairOverride[];
}

/** Writes a temporary file and renames it, so that a crash never leaves a partial file. */
export function saveRepairOverrides({ settings }: DataFolder, repair: readonly RepairOverride[]): void {
  const temporary = `${settings}.new`;
  writeFileSync(temporary, `${JSON.stringify({ v: 1, repair }, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, settings);
}
