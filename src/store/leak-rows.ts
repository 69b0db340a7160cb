import type { LeakObservation, SuspensionObservation } from "../core/model/observation.ts";
import { addTally, EMPTY_TALLY, failureRate, type Tally } from "../core/model/session-record.ts";
import type { CallOrigin } from "../core/model/tool-call.ts";
import type { LeakRow, OriginRow, SuspensionRow } from "./port.ts";

export function leakRow(leak: LeakObservation): LeakRow {
  return {
    project: leak.project,
    session_id: leak.session_id,
    request_id: leak.request_id,
    at: new Date(leak.occurred_at).toISOString(),
    model: leak.model ?? null,
    provider: leak.provider ?? null,
    result: leak.result,
    format: leak.format,
    reason: leak.reason ?? null,
    evidence: leak.evidence ?? [],
    parsed: leak.parsed,
    dropped: leak.dropped,
    repairs: leak.repairs,
    tool_names: leak.tool_names,
    tool_call_ids: leak.tool_call_ids,
    before: leak.before ?? null,
    after: leak.after ?? [],
  };
}

/** Phases of calls that did not run. */
const NOT_RUN = new Set(["call", "gate"]);

export function originRow(
  origin: CallOrigin,
  tallies: readonly (Tally & { readonly phase: string })[],
  pending: number,
  discarded: number,
): OriginRow {
  const tally = tallies.reduce<Tally>((sum, one) => addTally(sum, one), EMPTY_TALLY);
  const refused = tallies.filter(({ phase }) => NOT_RUN.has(phase)).reduce((sum, { failed }) => sum + failed, 0);
  const { calls, ok, failed, unknown, soft } = tally;
  return { origin, calls, ok, failed, unknown, soft, failure_rate: failureRate(tally), refused, pending, discarded };
}

export function suspensionRow(suspension: SuspensionObservation): SuspensionRow {
  return {
    project: suspension.project,
    session_id: suspension.session_id,
    request_id: suspension.request_id,
    at: new Date(suspension.occurred_at).toISOString(),
    provider: suspension.provider ?? null,
    model: suspension.model ?? null,
    http_status: suspension.http_status,
    message: suspension.message ?? null,
    tool_call_ids: suspension.tool_call_ids,
  };
}
