import { SECOND_CHANCE_MODES } from "../proxy/second-chance/modes.ts";
import type { SecondChanceModes, SecondChanceOverride } from "../proxy/second-chance/second-chance-control.ts";
import { overrideSchema, saveOverride } from "./repair.ts";

/** Reads and changes the mode of second chances on the running server. */
export interface SecondChanceApi {
  readonly status: () => SecondChanceModes & { readonly overrides: readonly SecondChanceOverride[] };
  readonly upstreams: readonly string[];
  readonly choose: (choice: Omit<SecondChanceOverride, "at">) => void;
}

export interface SecondChanceResponse extends SecondChanceModes {
  readonly overrides: readonly (Omit<SecondChanceOverride, "at"> & { readonly at: string })[];
}

export const secondChanceOverrideSchema = overrideSchema(SECOND_CHANCE_MODES);

export function secondChanceStatus({ status }: SecondChanceApi): SecondChanceResponse {
  const { overrides, ...modes } = status();
  return { ...modes, overrides: overrides.map((one) => ({ ...one, at: new Date(one.at).toISOString() })) };
}

export function setSecondChanceOverride(override: Omit<SecondChanceOverride, "at">, api: SecondChanceApi): void {
  saveOverride("mode of second chances", override, api);
}
