import { z } from "zod";
import type { TargetStatus } from "../export/target-status.ts";
import type { BackfillQuery, Filled } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";
import { inRange, moments } from "./query-schemas.ts";

/** The exporter's interface for the API. */
export interface ExportControl {
  has(target: string): boolean;
  status(): Promise<readonly TargetStatus[]>;
  backfill(target: string, query: Omit<BackfillQuery, "now">): Promise<Filled>;
}

export interface BackfillResponse extends Filled {
  /** The old name of `next_cursor`. */
  readonly next: string | null;
}

/** The targets, each also with the old names of its fields. */
export interface ExportResponse {
  readonly targets: readonly (TargetStatus & {
    readonly waiting: number;
    readonly oldest: number | null;
    readonly busy: boolean;
  })[];
}

const SESSION_BATCH_SIZE = 200;
const TARGET_PROBLEM = "must be one that this server was started with (--export).";
const cursor = z.string("must be `next_cursor` of the previous response.").exactOptional();
const force = z.boolean("must be true or false.").exactOptional();

/** Which recorded sessions to add to the outbox. */
export const backfillSchema = z.object(
  {
    target: z.string(TARGET_PROBLEM),
    ...moments,
    cursor: cursor.describe("`next_cursor` of the previous response."),
    force: force.describe("Whether to send again what was already exported."),
    after: cursor.meta({ description: "The old name of `cursor`.", deprecated: true }),
    again: force.meta({ description: "The old name of `force`.", deprecated: true }),
  },
  "must be a JSON object.",
);

/** Adds recorded sessions to the outbox. */
export async function backfill(
  body: z.output<typeof backfillSchema>,
  exports: ExportControl | undefined,
  now: number,
): Promise<BackfillResponse> {
  const { target, after, again, cursor = after, force = again, ...range } = body;
  if (exports?.has(target) !== true) throw new ParameterError(`target ${TARGET_PROBLEM}`);
  const filled = await exports.backfill(target, {
    limit: SESSION_BATCH_SIZE,
    ...inRange(range, now),
    ...(cursor !== undefined && { cursor }),
    ...(force === true && { force }),
  });
  return { ...filled, next: filled.next_cursor };
}

export async function exportStatus(exports: ExportControl | undefined): Promise<ExportResponse> {
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
