import { readFileSync } from "node:fs";
import { GUARD_MODES } from "../core/loop/index.ts";
import { isObject } from "../core/model/narrow.ts";
import { REPAIR_MODES, type RepairOverride } from "../core/repair/index.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import { replaceOwnFile } from "../ingest/own-file.ts";
import type { GuardOverride } from "../proxy/guard/guard-control.ts";
import { SECOND_CHANCE_MODES } from "../proxy/second-chance/modes.ts";
import type { SecondChanceOverride } from "../proxy/second-chance/second-chance-control.ts";

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

/**
 * Throws if anything is not as it is saved. Written by hand: every server reads this file at its start, and need not
 * load the library with which the API checks the same overrides.
 */
export function parseRuntimeSettings(text: string): RuntimeSettings {
  const settings: unknown = JSON.parse(text);
  if (!isObject(settings)) throw new TypeError("the settings are not an object");
  return {
    repair: overrides<RepairOverride>(settings.repair, [...REPAIR_MODES, "on"], ["of"]),
    guard: overrides<GuardOverride>(settings.guard, GUARD_MODES),
    secondChance: overrides<SecondChanceOverride>(settings.secondChance, SECOND_CHANCE_MODES),
  };
}

const MAX_OVERRIDES = 1000;
const MAX_SCOPE_CHARS = 200;
const FIELDS = ["mode", "upstream", "model", "at"];

function overrides<O>(list: unknown, modes: readonly string[], more: readonly string[] = []): readonly O[] {
  if (list === undefined) return [];
  const isValid = (one: unknown): boolean =>
    isObject(one) &&
    Object.keys(one).every((name) => FIELDS.includes(name) || more.includes(name)) &&
    (one.of === undefined || one.of === "calls") &&
    typeof one.mode === "string" &&
    (one.mode === "config" || modes.includes(one.mode)) &&
    isScope(one.upstream) &&
    isScope(one.model) &&
    Number.isSafeInteger(one.at) &&
    Number(one.at) >= 0;
  if (!Array.isArray(list) || list.length > MAX_OVERRIDES || !list.every(isValid))
    throw new TypeError("an override is not valid");
  return list as readonly O[];
}

function isScope(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value !== "" && value.length <= MAX_SCOPE_CHARS);
}

export function saveRuntimeSettings(folder: DataFolder, changed: Partial<RuntimeSettings>): void {
  const { repair, guard, secondChance } = { ...readRuntimeSettings(folder), ...changed };
  const later = { ...(guard.length > 0 && { guard }), ...(secondChance.length > 0 && { secondChance }) };
  const text = JSON.stringify({ v: 1, repair, ...later }, null, 2);
  replaceOwnFile(folder.settings, `${text}\n`);
}
