import type { CallLinks } from "../core/model/call-links.ts";
import {
  type CallRecord,
  isCounted,
  type RecordStatus,
  recordStatus,
  settledAt,
  toolName,
  turnaroundMs,
  workflowOf,
} from "../core/model/call-record.ts";
import { factValue, orNull } from "../core/model/facts.ts";
import { isoTime } from "../core/model/iso-time.ts";
import type { CallRepairFacts, OutcomeFacts } from "../core/model/observation.ts";
import type { Category, Phase, Retryable } from "../core/model/outcome.ts";
import { scoredCallOf } from "../core/model/rollup.ts";
import { listScores, type Score, scoreCall } from "../core/score/scores.ts";

/** A call as queries return it. */
export interface CallRow extends CallLinkColumns {
  readonly id: string;
  readonly agent_id: string;
  readonly tool_call_id: string;
  readonly occurrence: number;
  readonly tool_name: string;
  readonly status: RecordStatus;
  readonly phase: Phase | null;
  readonly category: Category | null;
  readonly severity: number | null;
  readonly soft: boolean;
  readonly retryable: Retryable | null;
  readonly exit_code: number | null;
  readonly status_message: string | null;
  readonly rule: string | null;
  readonly confidence: number | null;
  /** Redacted; null if capture stores no text. */
  readonly excerpt: string | null;
  readonly arguments_preview: string | null;
  readonly fingerprint: string | null;
  readonly model_name: string | null;
  readonly provider: string | null;
  readonly client: string | null;
  /** As the client's user agent names it. */
  readonly client_version: string | null;
  readonly source: string;
  /** The MCP server and its tool, if the server's wrapper reported the call. */
  readonly mcp_server: string | null;
  readonly mcp_tool: string | null;
  /** Why a client may reject a result that the server reports as successful. */
  readonly mcp_output: string | null;
  readonly origin: string | null;
  readonly format: string | null;
  /** What repair did to a native call that does not fit; null if it fits. */
  readonly repair: CallRepairFacts | null;
  readonly request_id: string | null;
  readonly turn: string | null;
  readonly prompt: string | null;
  readonly workflow: string | null;
  readonly at: string;
  readonly settled_at: string | null;
  readonly execution_time_ms: number | null;
  readonly turnaround_ms: number | null;
  readonly input_size_bytes: number;
  readonly output_size_bytes: number | null;
  /** Carried over from another session, and not counted. */
  readonly inherited: boolean;
  readonly scores: readonly Score[];
}

/** {@link CallLinks} with null for missing links. */
type CallLinkColumns = {
  readonly [K in Exclude<keyof Required<CallLinks>, "new_change">]: Required<CallLinks>[K] | null;
};

const NONE = {} as const;

export function callRow(id: string, record: CallRecord, given: CallLinks | undefined): CallRow {
  const { key, facts } = record;
  const links: Partial<CallLinks> = given ?? NONE;
  const result = facts.result?.value;
  const outcome: Partial<OutcomeFacts> = result?.outcome ?? NONE;
  const settled = settledAt(record);
  return {
    id,
    agent_id: key.agent_id,
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    tool_name: toolName(record),
    status: recordStatus(record),
    phase: orNull(outcome.phase),
    category: orNull(outcome.category),
    severity: orNull(outcome.severity),
    soft: outcome.soft === true,
    retryable: orNull(outcome.retryable),
    exit_code: orNull(outcome.exit_code),
    status_message: orNull(outcome.status_message),
    rule: orNull(outcome.rule),
    confidence: orNull(outcome.confidence),
    excerpt: orNull(outcome.excerpt),
    arguments_preview: factValue(facts.preview),
    fingerprint: orNull(outcome.fingerprint),
    model_name: factValue(facts.model),
    provider: factValue(facts.provider),
    client: factValue(facts.client),
    client_version: factValue(facts.client_version),
    source: record.sources.join("+"),
    mcp_server: orNull(facts.mcp?.value.server),
    mcp_tool: orNull(facts.mcp?.value.tool),
    mcp_output: orNull(facts.mcp?.value.output),
    origin: factValue(facts.origin),
    format: orNull(facts.recovery?.value.format),
    repair: factValue(facts.call_repair),
    request_id: factValue(facts.request_id),
    turn: factValue(facts.turn),
    prompt: factValue(facts.prompt),
    workflow: orNull(workflowOf(record)),
    at: isoTime(record.first_at),
    settled_at: settled === undefined ? null : isoTime(settled),
    execution_time_ms: factValue(facts.execution_time_ms),
    turnaround_ms: orNull(turnaroundMs(record)),
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    output_size_bytes: orNull(result?.size_bytes),
    inherited: record.inherited_from !== undefined,
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: orNull(links.preceding_success),
    is_cascade_failure: orNull(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
    loop: orNull(links.loop),
    loop_end: orNull(links.loop_end),
    scores: isCounted(record) ? listScores(id, scoreCall(scoredCallOf(record, given))) : [],
  };
}
