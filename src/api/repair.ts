import type { Range, StoreReader } from "../store/port.ts";

/** How repair stands, as the one who decides on it tells. */
export interface RepairApi {
  readonly status: () => {
    readonly choices: readonly object[];
    readonly suspended: readonly { readonly at: number }[];
  };
}

/** Modes and choices now, and what upstreams refused in a range. */
export async function repairStatus(
  reader: Pick<StoreReader, "suspensions">,
  repair: RepairApi,
  range: Range,
  limit: number,
): Promise<object> {
  const { choices, suspended, ...modes } = repair.status();
  return {
    ...modes,
    choices: choices.map(dated),
    suspended: suspended.map(dated),
    refusals: await reader.suspensions({ ...range, limit }),
  };
}

function dated(entry: object): object {
  return { ...entry, at: new Date((entry as { readonly at: number }).at).toISOString() };
}
