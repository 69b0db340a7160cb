import { type CallRecord, isCounted, recordStatus, settledAt, toolName } from "./call-record.ts";
import { NO_CALLS, type Tally } from "./session-record.ts";
import type { CallOrigin } from "./tool-call.ts";

const HOUR = 3_600_000;

/** What the dashboard's figures are summed by. */
export interface RollupKey {
  readonly project: string;
  /** Start of the hour in which the call settled, in ms. */
  readonly hour: number;
  readonly provider: string;
  readonly model_name: string;
  readonly tool_name: string;
  readonly phase: string;
  readonly category: string;
}

export interface RollupDelta {
  readonly key: RollupKey;
  readonly tally: Tally;
}

/** What tells how mended calls came out beside the others. */
export interface OriginKey {
  readonly project: string;
  readonly hour: number;
  /** `native`: everything that repair did not make. */
  readonly origin: CallOrigin;
  readonly phase: string;
}

export interface OriginDelta {
  readonly key: OriginKey;
  readonly tally: Tally;
}

/** The same for the rollups by origin. */
export function originOf(record: CallRecord): OriginDelta | undefined {
  const rollup = rollupOf(record);
  if (rollup === undefined) return undefined;
  const { project, hour, phase } = rollup.key;
  const origin = record.facts.origin?.value === "recovered" ? "recovered" : "native";
  return { key: { project, hour, origin, phase }, tally: rollup.tally };
}

/** What one record adds to the rollups; undefined while it counts nowhere. */
export function rollupOf(record: CallRecord): RollupDelta | undefined {
  if (!isCounted(record)) return undefined;
  const outcome = record.facts.result?.value.outcome;
  // A soft failure has a category too, but counts as ok: its category belongs to no failure.
  const failed = outcome?.status === "failed";
  const at = settledAt(record) ?? record.first_at;
  return {
    key: {
      project: record.key.project,
      hour: at - (at % HOUR),
      provider: record.facts.provider?.value ?? "",
      model_name: record.facts.model?.value ?? "",
      tool_name: toolName(record),
      phase: failed ? (outcome.phase ?? "") : "",
      category: failed ? (outcome.category ?? "") : "",
    },
    tally: tallyOf(record),
  };
}

/** One call as a tally: what it adds to every total it belongs to. */
export function tallyOf(record: CallRecord): Tally {
  if (!isCounted(record)) return NO_CALLS;
  const status = recordStatus(record);
  return {
    calls: 1,
    ok: Number(status === "ok"),
    failed: Number(status === "failed"),
    unknown: Number(status === "unknown"),
    soft: Number(record.facts.result?.value.outcome.soft === true),
  };
}
