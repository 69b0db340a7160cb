import { z } from "zod";
import {
  CALL_REPAIR_MODES,
  type CallRepairChoice,
  REPAIR_MODES,
  type RepairModes,
  type RepairOverride,
  type Suspension,
} from "../core/repair/index.ts";
import type { SessionQuery, StoreReader, SuspensionRow } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";
import { choice } from "./query-schemas.ts";

/** Reads and changes the repair settings of the running server. */
export interface RepairApi {
  readonly status: () => RepairModes & {
    readonly calls: RepairModes<CallRepairChoice>;
    readonly overrides: readonly RepairOverride[];
    readonly suspended: readonly Suspension[];
  };
  readonly upstreams: readonly string[];
  readonly choose: (choice: Omit<RepairOverride, "at">) => void;
}

/** With an ISO date instead of ms. */
type Dated<T> = Omit<T, "at"> & { readonly at: string };
export type DatedOverride = Dated<RepairOverride>;
export type DatedSuspension = Dated<Suspension>;

export interface RepairResponse extends RepairModes {
  readonly calls: RepairModes<CallRepairChoice>;
  readonly overrides: readonly DatedOverride[];
  /** The old name of `overrides`. */
  readonly choices: readonly DatedOverride[];
  readonly suspended: readonly DatedSuspension[];
  readonly refusals: readonly SuspensionRow[];
  /** The modes of guard and second chance for all upstreams and models without their own. */
  readonly guard: string;
  readonly second_chance: string;
}

interface OtherModes {
  readonly guard: Moded;
  readonly secondChance: Moded;
}

interface Moded {
  readonly status: () => { readonly mode: string; readonly overrides: readonly ModeOverride[] };
}

interface ModeOverride {
  readonly mode: string;
  readonly upstream?: string;
  readonly model?: string;
}

/** The mode for everything: the newest override without a scope, otherwise as configured. */
function currentMode({ status }: Moded): string {
  const { mode, overrides } = status();
  const set = overrides.findLast(({ upstream, model }) => upstream === undefined && model === undefined)?.mode;
  return set === undefined || set === "config" ? mode : set;
}

const PART_PROBLEM = "must be a text of 1 to 200 characters.";
const part = z.string(PART_PROBLEM).min(1, PART_PROBLEM).max(200, PART_PROBLEM);

/** A mode of a feature that can be set while the server runs. */
export function overrideSchema<const M extends string>(modes: readonly M[]) {
  return z.strictObject({ mode: choice([...modes, "config"]), ...OVERRIDE_SCOPE }, { error: overrideProblem });
}

const OVERRIDE_SCOPE = {
  upstream: part.exactOptional(),
  model: part.describe("A pattern; * matches any text.").exactOptional(),
};

const overrideProblem: z.core.$ZodErrorMap = (issue) =>
  issue.code === "unrecognized_keys"
    ? `has unknown fields: ${issue.keys.join(", ")}.`
    : 'must be a JSON object: {"mode": …, "upstream"?: …, "model"?: …}.';

export const repairOverrideSchema = z.strictObject(
  {
    of: z.literal("calls").describe("Sets the repair of native calls.").exactOptional(),
    mode: choice([...REPAIR_MODES, "on", "config"]),
    ...OVERRIDE_SCOPE,
  },
  { error: overrideProblem },
);

/** Returns the current modes, overrides and suspensions, and the rejections in a range. */
export async function repairStatus(
  reader: Pick<StoreReader, "suspensions">,
  { repair, guard, secondChance }: OtherModes & { readonly repair: RepairApi },
  query: SessionQuery,
): Promise<RepairResponse> {
  const { overrides, suspended, ...modes } = repair.status();
  const dates = overrides.map(withIsoDate);
  return {
    ...modes,
    overrides: dates,
    choices: dates,
    suspended: suspended.map(withIsoDate),
    refusals: await reader.suspensions(query),
    guard: currentMode(guard),
    second_chance: currentMode(secondChance),
  };
}

export function setRepairOverride(override: Omit<RepairOverride, "at">, repair: RepairApi): void {
  const modes: readonly string[] = override.of === "calls" ? CALL_REPAIR_MODES : REPAIR_MODES;
  if (override.mode !== "config" && !modes.includes(override.mode))
    throw new ParameterError(`mode must be one of ${[...modes, "config"].join(", ")}.`);
  saveOverride("repair mode", override, repair);
}

/** Sets an override. It applies from the next request on, and after a restart. */
export function saveOverride<O extends { readonly upstream?: string }>(
  what: string,
  override: O,
  { upstreams, choose }: { readonly upstreams: readonly string[]; readonly choose: (override: O) => void },
): void {
  if (override.upstream !== undefined && !upstreams.includes(override.upstream))
    throw new ParameterError(`Upstream not found. Configured: ${upstreams.join(", ")}.`);
  try {
    choose(override);
  } catch {
    throw new ParameterError(`Cannot save the ${what} to the data folder. Nothing was changed.`, 500);
  }
}

function withIsoDate<T extends { readonly at: number }>(entry: T): Dated<T> {
  return { ...entry, at: new Date(entry.at).toISOString() };
}
