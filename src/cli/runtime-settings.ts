import { readFileSync } from "node:fs";
import { z } from "zod";
import { guardOverrideSchema } from "../api/guard.ts";
import { repairOverrideSchema } from "../api/repair.ts";
import { secondChanceOverrideSchema } from "../api/second-chance.ts";
import type { RepairOverride } from "../core/repair/index.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import { replaceOwnFile } from "../ingest/own-file.ts";
import type { GuardOverride } from "../proxy/guard/guard-control.ts";
import type { SecondChanceOverride } from "../proxy/second-chance/second-chance-control.ts";

const at = { at: z.number().int().min(0) };
const stored = z.object({
  repair: z.array(repairOverrideSchema.extend(at)).max(1000).default([]),
  guard: z.array(guardOverrideSchema.extend(at)).max(1000).default([]),
  secondChance: z.array(secondChanceOverrideSchema.extend(at)).max(1000).default([]),
});

/** Modes that were set while a server ran. */
export interface RuntimeSettings {
  readonly repair: readonly RepairOverride[];
  readonly guard: readonly GuardOverride[];
  readonly secondChance: readonly SecondChanceOverride[];
}

/** Settings from earlier runs. An unreadable file counts as empty. */
export function readRuntimeSettings({ settings }: DataFolder): RuntimeSettings {
  try {
    return parseRuntimeSettings(readFileSync(settings, "utf8"));
  } catch {
    return { repair: [], guard: [], secondChance: [] };
  }
}

export function parseRuntimeSettings(text: string): RuntimeSettings {
  // zod types absent properties as undefined ones.
  return stored.parse(JSON.parse(text)) as RuntimeSettings;
}

export function saveRuntimeSettings(folder: DataFolder, changed: Partial<RuntimeSettings>): void {
  const { repair, guard, secondChance } = { ...readRuntimeSettings(folder), ...changed };
  const later = { ...(guard.length > 0 && { guard }), ...(secondChance.length > 0 && { secondChance }) };
  const text = JSON.stringify({ v: 1, repair, ...later }, null, 2);
  replaceOwnFile(folder.settings, `${text}\n`);
}
