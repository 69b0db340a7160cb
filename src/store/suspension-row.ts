import type { SuspensionObservation } from "../core/model/observation.ts";
import type { SuspensionRow } from "./port.ts";

export function suspensionRow(refusal: SuspensionObservation): SuspensionRow {
  return {
    project: refusal.project,
    session_id: refusal.session_id,
    request_id: refusal.request_id,
    at: new Date(refusal.occurred_at).toISOString(),
    provider: refusal.provider ?? null,
    model: refusal.model ?? null,
    http_status: refusal.http_status,
    message: refusal.message ?? null,
    tool_call_ids: refusal.tool_call_ids,
  };
}
