import { z } from "zod";
import { REPAIR_MODES, type RepairOverride } from "../core/repair/index.ts";
import type { Range, StoreReader } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";

/** Whoever decides on repair: how it stands, and how to change it. */
export interface RepairApi {
  readonly status: () => {
    readonly choices: readonly object[];
    readonly suspended: readonly { readonly at: number }[];
  };
  readonly upstreams: readonly string[];
  readonly choose: (choice: Omit<RepairOverride, "at">) => void;
}

const part = z.string().min(1).max(200);

/** What may be chosen while the server runs. */
export const repairOverrideSchema = z.strictObject({
  mode: z.enum([...REPAIR_MODES, "config"]),
  upstream: part.optional(),
  model: part.optional(),
});

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
    choices: choices.map(withIsoDate),
    suspended: suspended.map(withIsoDate),
    refusals: await reader.suspensions({ ...range, limit }),
  };
}

/** Takes a choice; holds from the next request on, and in the next run. */
export function setRepairOverride(body: string, { upstreams, choose }: RepairApi): void {
  const read = repairOverrideSchema.safeParse(parseBody(body));
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "choice"}: ${message}`);
    throw new ParameterError(`Send {"mode": …, "upstream"?: …, "model"?: …} as JSON. ${problems.join("; ")}.`);
  }
  const { mode, upstream, model } = read.data;
  if (upstream !== undefined && !upstreams.includes(upstream))
    throw new ParameterError(`There is no upstream of that name. Known: ${upstreams.join(", ")}.`);
  try {
    choose({ mode, ...(upstream !== undefined && { upstream }), ...(model !== undefined && { model }) });
  } catch {
    throw new ParameterError("The choice could not be written to the data folder; nothing was changed.", 500);
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ParameterError("The body is not JSON.");
  }
}

function withIsoDate(entry: object): object {
  return { ...entry, at: new Date((entry as { readonly at: number }).at).toISOString() };
}
