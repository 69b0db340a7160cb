import type { Changes } from "../core/model/changes.ts";
import type { LeakObservation } from "../core/model/observation.ts";
import type { CountedLeak, LeakRow } from "./port.ts";

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

/** What the live counter is told about a batch. */
export function countedLeaks({ leaks }: Changes, live: boolean): readonly CountedLeak[] {
  return leaks
    .filter((leak) => live && leak.live)
    .map(({ model, format, result, parsed }) => ({ model: model ?? "", format, result, calls: Math.max(1, parsed) }));
}
