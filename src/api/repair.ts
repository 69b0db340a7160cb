import { z } from "zod";
import { REPAIR_MODES, type RepairOverride } from "../core/repair/index.ts";
import type { Range, StoreReader } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";

/** Reads and changes the repair settings of the running server. */
export interface RepairApi {
  readonly status: () => {
    readonly overrides: readonly object[];
    readonly suspended: readonly { readonly at: number }[];
  };
  readonly upstreams: readonly string[];
  readonly choose: (choice: Omit<RepairOverride, "at">) => void;
}

const part = z.string().min(1).max(200);

/** A repair mode that can be set while the server runs. */
export const repairOverrideSchema = z.strictObject({
  mode: z.enum([...REPAIR_MODES, "config"]),
  upstream: part.optional(),
  model: part.optional(),
});

/** Returns the current modes, overrides and suspensions, and the rejections in a range. */
export async function repairStatus(
  reader: Pick<StoreReader, "suspensions">,
  repair: RepairApi,
  range: Range,
  limit: number,
): Promise<object> {
  const { overrides, suspended, ...modes } = repair.status();
  const dates = overrides.map(withIsoDate);
  return {
    ...modes,
    overrides: dates,
    // The old name of `overrides`.
    choices: dates,
    suspended: suspended.map(withIsoDate),
    refusals: await reader.suspensions({ ...range, limit }),
  };
}

/** Sets an override. It applies from the next request on, and after a restart. */
export function setRepairOverride(body: string, { upstreams, choose }: RepairApi): void {
  const read = repairOverrideSchema.safeParse(parseBody(body));
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join(".") || "choice"}: ${message}`);
    throw new ParameterError(`Send {"mode": …, "upstream"?: …, "model"?: …} as JSON. ${problems.join("; ")}.`);
  }
  const { mode, upstream, model } = read.data;
  if (upstream !== undefined && !upstreams.includes(upstream))
    throw new ParameterError(`Upstream not found. Configured: ${upstreams.join(", ")}.`);
  try {
    choose({ mode, ...(upstream !== undefined && { upstream }), ...(model !== undefined && { model }) });
  } catch {
    throw new ParameterError("Cannot save the repair mode to the data folder. Nothing was changed.", 500);
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
