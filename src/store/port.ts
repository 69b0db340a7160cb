import type { CallRecord } from "../core/model/call-record.ts";
import type { LeakedCall } from "../core/model/observation.ts";
import type { Category } from "../core/model/outcome.ts";
import type { Health, Tally } from "../core/model/session-record.ts";
import type { CallOrigin } from "../core/model/tool-call.ts";

/** Lines of one journal, in order, up to a position. The store keeps the position with the rows. */
export interface Batch {
  readonly journal: string;
  /** Sortable text; see ingest/journal. */
  readonly position: string;
  /** False while a start replays what was acknowledged before: rollups move, counters do not. */
  readonly live: boolean;
  /** Observations as JSON lines. */
  readonly lines: string;
}

/** A line that could not be applied, and why. */
export interface Rejected {
  readonly line: string;
  readonly reason: string;
}

/** A call for which live counters move, with the labels they have. */
export interface CountedCall {
  readonly provider: string;
  readonly model: string;
  readonly tool_name: string;
  readonly outcome: "ok" | "failed" | "unknown";
  readonly category?: Category;
  readonly execution_time_ms?: number;
}

/** A leak for which the live counter moves: by as many calls as could be read, and by one where none could. */
export interface CountedLeak {
  readonly model: string;
  readonly format: string;
  readonly result: "recovered" | "left";
  readonly calls: number;
}

export interface Applied {
  readonly observations: number;
  readonly rejected: readonly Rejected[];
  readonly counted: readonly CountedCall[];
  readonly leaks: readonly CountedLeak[];
  /** Number of the newest event line, for whoever follows them. */
  readonly last_event: number;
}

/** An event as it will stand in the JSONL file. */
export interface EventLine {
  readonly id: number;
  readonly line: string;
}

/** Which records a question is about. Times in ms; rollups answer by whole hours. */
export interface Range {
  readonly project?: string;
  readonly since?: number;
  readonly until?: number;
}

export const BREAKDOWNS = ["tool", "model", "provider", "category", "phase", "day", "session"] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

export interface BreakdownRow extends Tally {
  readonly key: string;
  /** failed / (ok + failed); null without a verdict. */
  readonly failure_rate: number | null;
  /** The most frequent failure category, where there is a failure. */
  readonly top_category: Category | null;
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

export interface SessionRow extends Tally {
  readonly project: string;
  readonly session_id: string;
  readonly source: string;
  readonly client: string | null;
  readonly provider: string | null;
  readonly model_used: string | null;
  readonly started_at: string;
  readonly last_at: string;
  readonly requests: number;
  readonly success_rate: number | null;
  readonly health: Health;
}

export interface SessionQuery extends Range {
  readonly limit?: number;
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
export interface OriginRow extends Tally {
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

/** A mended call that is still to be answered, with the arguments as they were. */
export interface OpenMendedCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Questions that any process may ask at any time. */
export interface StoreReader {
  summary(range: Range): Promise<Summary>;
  breakdown(by: Breakdown, range: Range): Promise<readonly BreakdownRow[]>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** Newest first. */
  leaks(query: SessionQuery): Promise<readonly LeakRow[]>;
  /** Newest first. */
  suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]>;
  /** One row for each origin, always both. */
  originOutcomes(range: Range): Promise<readonly OriginRow[]>;
  /** Mended calls of the Responses API without a result, of which the whole arguments are kept; newest first. */
  openMendedCalls(since: number, limit: number): Promise<readonly OpenMendedCall[]>;
  /** Which of these ids are calls that repair made. */
  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]>;
  events(after: number, limit: number): Promise<readonly EventLine[]>;
  lastEvent(): Promise<number>;
  close(): Promise<void>;
}

/** Where records live. `apply` is the only way in. */
export interface Store extends StoreReader {
  apply(batch: Batch): Promise<Applied>;
  appliedPosition(journal: string): Promise<string | undefined>;
  cursor(name: string): Promise<number>;
  /** Calls without a result, in sessions that have been quiet since `before`; thrown-away ones are not among them. */
  quietCalls(before: number, limit: number): Promise<readonly CallRecord[]>;
  /** Moves a reader of events forward, and lets go of events that every reader has passed. */
  moveCursor(name: string, position: number): Promise<void>;
}
