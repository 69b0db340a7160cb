import type { CallLinks } from "../core/model/call-links.ts";
import type { RecordStatus } from "../core/model/call-record.ts";
import type { Counts } from "../core/model/counts.ts";
import type { LeakedCall } from "../core/model/observation.ts";
import type { Category, Phase, Retryable } from "../core/model/outcome.ts";
import type { Tally } from "../core/model/session-record.ts";
import type { CallOrigin } from "../core/model/tool-call.ts";
import type { Health } from "../core/score/health.ts";
import type { Score } from "../core/score/scores.ts";

export interface BreakdownRow extends Tally {
  readonly key: string;
  /** failed / (ok + failed); null without a verdict. */
  readonly failure_rate: number | null;
  /** The most frequent failure category, where there is a failure. */
  readonly top_category: Category | null;
  /** Failures by phase. */
  readonly phases: PhaseSplit;
  /** Of the measured times, in ms; only by tool. */
  readonly p95_ms: number | null;
  /** The window before, where it was asked for. */
  readonly previous: Tally | null;
}

export interface PhaseSplit {
  readonly call: number;
  readonly gate: number;
  readonly run: number;
}

export interface Summary extends Tally {
  readonly failure_rate: number | null;
  readonly pending: number;
  /** Calls whose turn the client threw away: a later request of the same conversation does not have them. */
  readonly discarded: number;
  readonly sessions: number;
  readonly requests: number;
  readonly last_at: number | null;
}

export interface SeriesPoint extends Tally {
  /** Start of the hour or day, in ms. */
  readonly at: number;
  readonly failure_rate: number | null;
  /** Failures by category. */
  readonly categories: Counts;
}

export interface ToolModelRow extends Tally {
  readonly tool: string;
  readonly model: string;
  readonly failure_rate: number | null;
  readonly top_category: Category | null;
}

/** The same failure in every session it occurred in. */
export interface FingerprintRow {
  readonly project: string;
  readonly fingerprint: string;
  readonly category: string;
  /** In the range that was asked for. */
  readonly count: number;
  /** Ever. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  /** Redacted; empty where texts are not kept. */
  readonly sample: string;
  /** Where it occurred, ever. */
  readonly tools: Counts;
  readonly models: Counts;
}

export interface SessionRow extends Tally {
  readonly project: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly source: string;
  readonly client: string | null;
  readonly provider: string | null;
  readonly model_used: string | null;
  readonly started_at: string;
  readonly last_at: string;
  readonly stopped_at: string | null;
  readonly ended_at: string | null;
  readonly requests: number;
  readonly success_rate: number | null;
  readonly health: Health;
  readonly rate_health: Health;
  readonly dominant_failure_mode: string | null;
  readonly worst_severity: number | null;
  /** The kind of work of most of its calls; `other` only where no other kind occurs. */
  readonly workflow: string | null;
}

/** One call with everything that is known of it. */
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
  /** Redacted; only where texts are kept. */
  readonly excerpt: string | null;
  readonly arguments_preview: string | null;
  readonly fingerprint: string | null;
  readonly model_name: string | null;
  readonly provider: string | null;
  readonly client: string | null;
  readonly source: string;
  readonly origin: string | null;
  readonly format: string | null;
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
  /** Done in another session and carried over: counts nowhere. */
  readonly inherited: boolean;
  readonly scores: readonly Score[];
}

/** {@link CallLinks} with a place for what is not there. */
type CallLinkColumns = { readonly [K in keyof Required<CallLinks>]: Required<CallLinks>[K] | null };

export interface PromptRow {
  readonly prompt: string;
  readonly workflow: string | null;
  readonly at: string;
}

/** A session's story: calls in the order in which they were made. */
export interface SessionDetail {
  readonly session: SessionRow;
  readonly scores: readonly Score[];
  readonly prompts: readonly PromptRow[];
  readonly calls: readonly CallRow[];
  /** Of how many calls these are a part, and where the part starts. */
  readonly total: number;
  readonly offset: number;
}

/** Calls that an answer held as text, and what became of them. */
export interface LeakRow {
  readonly project: string;
  readonly session_id: string;
  readonly request_id: string;
  readonly at: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly reason: string | null;
  /** What made the calls calls rather than mentions. */
  readonly evidence: readonly string[];
  readonly parsed: number;
  readonly dropped: number;
  readonly repairs: readonly string[];
  readonly tool_names: readonly string[];
  readonly tool_call_ids: readonly string[];
  /** What the model wrote; null where no texts are kept. */
  readonly before: string | null;
  /** The calls that it became. */
  readonly after: readonly LeakedCall[];
}

/** How the calls of one origin came out: those the model made properly (and all that repair did not make), and those it leaked. */
export interface OriginRow extends Pick<Tally, "calls" | "ok" | "failed" | "unknown" | "soft"> {
  readonly origin: CallOrigin;
  readonly failure_rate: number | null;
  /** Of the failed: not run, because the client knew no such tool, would not take the arguments, or was not allowed to. */
  readonly refused: number;
  readonly pending: number;
  /** Thrown away by the client: a later request of the same conversation does not have them. */
  readonly discarded: number;
}

/** An upstream that did not take back a call of ours. */
export interface SuspensionRow {
  readonly project: string;
  readonly session_id: string;
  readonly request_id: string;
  readonly at: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly http_status: number;
  readonly message: string | null;
  readonly tool_call_ids: readonly string[];
}
