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

/** Adds recorded sessions to the outbox: `{target, since?, until?, cursor?, force?}`. */
export async function backfillRoute(
  body: string,
  exports: ExportControl | undefined,
  now: number,
): Promise<Filled & { readonly next: string | null }> {
  const fields = fieldsOf(body);
  // Old names: `after`, `again`, and `next` in the response.
  const { target, cursor = fields.after, force = fields.again } = fields;
  if (typeof target !== "string" || exports?.has(target) !== true)
    throw new ParameterError("target must be one that this server was started with (--export).");
  if (cursor !== undefined && typeof cursor !== "string")
    throw new ParameterError("cursor must be `next_cursor` of the previous response.");
  const moment = (name: "since" | "until"): number | undefined => {
    if (fields[name] === undefined) return undefined;
    const at = parseMoment(String(fields[name]), now);
    if (at === undefined) throw new ParameterError(`${name} must be a span such as 24h or 7d, or a date.`);
    return at;
  };
  const [since, until] = [moment("since"), moment("until")];
  const filled = await exports.backfill(target, {
    limit: SESSION_BATCH_SIZE,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(cursor !== undefined && { cursor }),
    ...(force === true && { force }),
  });
  return { ...filled, next: filled.next_cursor };
}

/** The targets, each also with the old names of its fields. */
export async function exportStatus(exports: ExportControl | undefined): Promise<object> {
  const targets = (await exports?.status()) ?? [];
  return {
    targets: targets.map((one) => ({
      ...one,
      waiting: one.queued,
      oldest: one.oldest_queued_at,
      busy: one.throttled,
    })),
  };
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
