import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { guardOverrideSchema } from "../api/guard.ts";
import { repairOverrideSchema } from "../api/repair.ts";
import type { RepairOverride } from "../core/repair/index.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import type { GuardOverride } from "../proxy/guard/guard-control.ts";

const at = { at: z.number().int().min(0) };
const stored = z.object({
  repair: z.array(repairOverrideSchema.extend(at)).max(1000).default([]),
  guard: z.array(guardOverrideSchema.extend(at)).max(1000).default([]),
});

/** Modes that were set while a server ran. */
export interface RuntimeSettings {
  readonly repair: readonly RepairOverride[];
  readonly guard: readonly GuardOverride[];
}

/** Settings from earlier runs. An unreadable file counts as empty. */
export function readRuntimeSettings({ settings }: DataFolder): RuntimeSettings {
  try {
    return parseRuntimeSettings(readFileSync(settings, "utf8"));
  } catch {
    return { repair: [], guard: [] };
  }
}

export function parseRuntimeSettings(text: string): RuntimeSettings {
  // zod types absent properties as undefined ones.
  return stored.parse(JSON.parse(text)) as RuntimeSettings;
}

/** Writes a temporary file and renames it, so that a crash never leaves a partial file. */
export function saveRuntimeSettings(folder: DataFolder, changed: Partial<RuntimeSettings>): void {
  const temporary = `${folder.settings}.new`;
  const { repair, guard } = { ...readRuntimeSettings(folder), ...changed };
  const text = JSON.stringify({ v: 1, repair, ...(guard.length > 0 && { guard }) }, null, 2);
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
  renameSync(temporary, folder.settings);
}
