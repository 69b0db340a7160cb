import { GUARD_MODES } from "../core/loop/index.ts";
import type { GuardModes, GuardOverride } from "../proxy/guard/guard-control.ts";
import { overrideSchema, saveOverride } from "./repair.ts";

/** Reads and changes the guard's mode on the running server. */
export interface GuardApi {
  readonly status: () => GuardModes & { readonly overrides: readonly GuardOverride[] };
  readonly upstreams: readonly string[];
  readonly choose: (choice: Omit<GuardOverride, "at">) => void;
}

export interface GuardResponse extends GuardModes {
  readonly overrides: readonly (Omit<GuardOverride, "at"> & { readonly at: string })[];
}

/** A mode of the guard that can be set while the server runs. */
export const guardOverrideSchema = overrideSchema(GUARD_MODES);

export function guardStatus({ status }: GuardApi): GuardResponse {
  const { overrides, ...modes } = status();
  return { ...modes, overrides: overrides.map((one) => ({ ...one, at: new Date(one.at).toISOString() })) };
}

export function setGuardOverride(override: Omit<GuardOverride, "at">, guard: GuardApi): void {
  saveOverride("guard mode", override, guard);
}
