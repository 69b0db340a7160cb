import type { TargetStatus } from "../export/target-status.ts";
import type { BackfillQuery, Filled } from "../store/port.ts";
import { ParameterError, parseMoment } from "./parameters.ts";

/** The exporter's interface for the API. */
export interface ExportControl {
  has(target: string): boolean;
  status(): Promise<readonly TargetStatus[]>;
  backfill(target: string, query: Omit<BackfillQuery, "now">): Promise<Filled>;
}

const SESSION_BATCH_SIZE = 200;

/** Queues recorded sessions for export. The body is `{target, since?, until?, after?, again?}`. */
export async function backfillRoute(body: string, control: ExportControl | undefined, now: number): Promise<Filled> {
  const fields = fieldsOf(body);
  const { target, after, again } = fields;
  if (typeof target !== "string" || control?.has(target) !== true)
    throw new ParameterError("target must be an export target of this server. Set targets with --export.");
  if (after !== undefined && typeof after !== "string")
    throw new ParameterError("after must be `next` of the previous response.");
  const moment = (name: "since" | "until"): number | undefined => {
    if (fields[name] === undefined) return undefined;
    const at = parseMoment(String(fields[name]), now);
    if (at === undefined) throw new ParameterError(`${name} must be a span such as 24h or 7d, or a date.`);
    return at;
  };
  const [since, until] = [moment("since"), moment("until")];
  return await control.backfill(target, {
    limit: SESSION_BATCH_SIZE,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(after !== undefined && { after }),
    ...(again === true && { again }),
  });
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new ParameterError("The body must be a JSON object.");
}
