import type { LoopKind } from "../core/loop/index.ts";
import type { RecordStatus } from "../core/model/call-record.ts";
import type { Counts } from "../core/model/counts.ts";
import type { ExchangeEnd, GuardFact, LeakedCall } from "../core/model/observation.ts";
import type { Category } from "../core/model/outcome.ts";
import type { Tally } from "../core/model/session-record.ts";
import type { TokenColumns } from "../core/model/token-usage.ts";
import type { CallOrigin } from "../core/model/tool-call.ts";
import type { Health } from "../core/score/health.ts";
import type { Score } from "../core/score/scores.ts";
import type { CallRow } from "./call-row.ts";
import type { ErrorState } from "./error-rows.ts";

export type { CallRow } from "./call-row.ts";

export interface BreakdownRow extends Tally {
  readonly key: string;
  /** failed / (ok + failed); null without any known status. */
  readonly failure_rate: number | null;
  /** The most frequent failure category; null without failures. */
  readonly top_category: Category | null;
  /** Failures by phase. */
  readonly phases: PhaseSplit;
  /** 95th percentile of measured execution times; only by tool. */
  readonly p95_ms: number | null;
  /** The preceding window, if requested. */
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
  /** Calls that the client discarded: a later request of the same conversation does not contain them. */
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

/** One error: the same failure in all sessions. */
export interface FingerprintRow {
  readonly project: string;
  readonly fingerprint: string;
  readonly category: string;
  /** Within the queried range. */
  readonly count: number;
  /** Over all time. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  /** Redacted; empty if capture stores no text. */
  readonly sample: string;
  /** Occurrences over all time. */
  readonly tools: Counts;
  readonly models: Counts;
  readonly state: ErrorState;
  /** When people set the state; null for an error that was never resolved or ignored. */
  readonly state_at: string | null;
}

/** Tokens of responses by model, provider or day. */
/** Tokens of one model in one session. */
export interface SessionUsageRow extends TokenColumns {
  readonly project: string;
  readonly session_id: string;
  readonly model: string | null;
}

export interface UsageRow extends TokenColumns {
  readonly key: string;
  /** Responses that reported their tokens. */
  readonly responses: number;
}

/** Tokens of one response. */
export interface TurnRow extends TokenColumns {
  readonly at: string;
  readonly agent_id: string;
  /** As in `turn` of the calls that the response makes; null without calls. */
  readonly turn: string | null;
  readonly request_id: string | null;
  readonly model_name: string | null;
  readonly provider: string | null;
}

export interface SessionRow extends Tally, TokenColumns {
  readonly project: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly source: string;
  readonly client: string | null;
  /** Name of the folder that the client works in, and its branch; null if unknown or not captured. */
  readonly folder: string | null;
  readonly branch: string | null;
  /** The first words of the first prompt; null if prompts are not captured. */
  readonly task: string | null;
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
  /** The workflow of most of its calls; `other` only if no other one occurs. */
  readonly workflow: string | null;
  /** Loops, ended or not; see docs/loops.md. */
  readonly loops: number;
  /** Whether its last calls are a loop that may continue. */
  readonly looping: boolean;
}

export interface PromptRow {
  readonly prompt: string;
  readonly workflow: string | null;
  readonly at: string;
}

/** A session with a page of its calls, in order. */
export interface SessionDetail {
  readonly session: SessionRow;
  readonly scores: readonly Score[];
  readonly prompts: readonly PromptRow[];
  readonly calls: readonly CallRow[];
  /** What the guard did, oldest first. */
  readonly guard: readonly GuardRow[];
  /** Leaks, repaired or not, oldest first. */
  readonly leaks: readonly LeakRow[];
  /** Exchanges without a complete and successful response, oldest first. */
  readonly failed_exchanges: readonly FailedExchangeRow[];
  /** The number of all calls, and the index of the first one here. */
  readonly total: number;
  readonly offset: number;
}

/** A request that the upstream answered with an error, or whose response broke off. */
export interface FailedExchangeRow {
  readonly at: string;
  readonly agent_id: string;
  readonly request_id: string;
  /** 0 without a response. */
  readonly http_status: number;
  readonly ended: ExchangeEnd;
  readonly provider: string | null;
  readonly model: string | null;
}

/** Leaked calls of one response, repaired or not. */
export interface LeakRow {
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly request_id: string;
  readonly at: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly reason: string | null;
  /** Why the text was treated as a call rather than a mention of one. */
  readonly evidence: readonly string[];
  readonly parsed: number;
  readonly dropped: number;
  readonly repairs: readonly string[];
  readonly tool_names: readonly string[];
  readonly tool_call_ids: readonly string[];
  /** The text of the model; null if capture stores no text. */
  readonly before: string | null;
  /** The repaired calls. */
  readonly after: readonly LeakedCall[];
}

/** A native call that was repaired, or that does not fit and was left. */
export interface CallRepairRow {
  readonly project: string;
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly at: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly result: "repaired" | "left";
  readonly classes: readonly string[];
  readonly paths: readonly string[];
  readonly problem: string | null;
  readonly reason: string | null;
  /** The arguments as the model wrote them and as they were sent; null if capture stores no text. */
  readonly before: string | null;
  readonly after: string | null;
  readonly status: RecordStatus;
  /** The MCP server, if its wrapper reported the call. */
  readonly mcp_server: string | null;
}

/** How often native calls of a model had a fault. */
export interface CallFaultRow {
  readonly provider: string | null;
  readonly model: string | null;
  /** A class of faults; `none` for calls that no single repair fits. */
  readonly class: string;
  readonly repaired: number;
  readonly left: number;
  /** All native calls of the model in the range. */
  readonly calls: number;
}

/** Turns of a model that were asked for again. */
export interface SecondChanceRow {
  readonly provider: string | null;
  readonly model: string | null;
  /** Why the calls of the first response could not work. */
  readonly reason: string;
  readonly attempts: number;
  /** The client received working calls, or a text, instead. */
  readonly healed: number;
  readonly answered: number;
  /** The share of both. */
  readonly healed_rate: number;
  /** Mean time that the client waited for it. */
  readonly added_ms: number;
  /** The tokens of the second responses; null if none reported them. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** Outcomes of native or of repaired calls. */
export interface OriginRow extends Pick<Tally, "calls" | "ok" | "failed" | "unknown" | "soft"> {
  readonly origin: CallOrigin;
  readonly failure_rate: number | null;
  /** Failures of calls that did not run: unknown tool, invalid arguments, or refused permission. */
  readonly refused: number;
  readonly pending: number;
  /** Discarded by the client: a later request of the same conversation does not contain them. */
  readonly discarded: number;
}

/** A request with repaired calls that an upstream rejected. */
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

/** Tokens of the responses that made the calls of a loop; null where the provider reported none. */
export interface LoopTokens {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_tokens: number | null;
}

/** A note of the guard, or a refused request; see docs/loops.md. */
export interface GuardRow {
  readonly at: string;
  readonly agent_id: string;
  readonly action: GuardFact["action"];
  readonly kind: LoopKind;
  readonly run: number;
  readonly tools: readonly string[];
  /** Copies of the same request, which clients send again, are one row. */
  readonly requests: number;
}

/** Calls in a row that brought nothing new; see docs/loops.md. */
export interface LoopRow extends LoopTokens {
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
  /** Record id of the first call that brought nothing new. */
  readonly loop_id: string;
  readonly kind: LoopKind;
  readonly period: number;
  readonly run: number;
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly provider: string | null;
  /** When the run became a loop, and its last call. */
  readonly first_at: string;
  readonly last_at: string;
  /** Whether it may continue: nothing ended it, and its session has not ended. */
  readonly running: boolean;
  readonly ended_by: "human" | "new_call" | "new_result" | null;
}
