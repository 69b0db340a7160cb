import type { CallRecord } from "../core/model/call-record.ts";
import type { Source, StoredResponseRef } from "../core/model/observation.ts";
import type { Category } from "../core/model/outcome.ts";
import type { HealthThresholds } from "../core/score/health.ts";
import type { Deletion, Removed } from "./deletion-port.ts";
import type { OutboxStore } from "./outbox-port.ts";
import type {
  Breakdown,
  BreakdownQuery,
  FingerprintQuery,
  LeakQuery,
  Page,
  Range,
  RollupQuery,
  SeriesQuery,
  SessionQuery,
} from "./queries.ts";
import type {
  BreakdownRow,
  FingerprintRow,
  LeakRow,
  OriginRow,
  SeriesPoint,
  SessionDetail,
  SessionRow,
  Summary,
  SuspensionRow,
  ToolModelRow,
} from "./rows.ts";

export type * from "./deletion-port.ts";
export type * from "./outbox-port.ts";
export * from "./queries.ts";
export type * from "./rows.ts";

/** Lines of one journal, in order, up to a position. The store keeps the position with the rows. */
export interface Batch {
  readonly journal: string;
  /** Sortable text; see ingest/journal. */
  readonly position: string;
  /** False while a start replays what was acknowledged before: rollups move, counters do not. */
  readonly live: boolean;
  /** Observations as JSON lines. */
  readonly lines: string;
  /** What the health of the sessions it touches is judged by; absent: the default. */
  readonly thresholds?: HealthThresholds;
}

/** The `code` of an error that says: the store cannot be reached at the moment, and may be later. A code, because errors come from other threads without their class. */
export const STORE_UNAVAILABLE = "store-unavailable";

export function isStoreUnavailable(error: unknown): error is Error {
  return (error as { readonly code?: unknown } | undefined)?.code === STORE_UNAVAILABLE;
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
  /** How many of them were refused because their session was deleted after they were made. */
  readonly refused: number;
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

/** A session that has gone quiet, and whose end was not told since it last said something. */
export interface IdleSession {
  readonly project: string;
  readonly session_id: string;
  readonly last_at: number;
  readonly source: Source;
}

/** A mended call that is still to be answered, with the arguments as they were. */
export interface PendingRepairedCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Names an answer that the provider holds: by its own id, or as the last one of a conversation. `key` as in `StoredResponseRef`. */
export interface StoredResponseKey {
  readonly project: string;
  readonly kind: "answer" | "conversation";
  readonly key: string;
}

/** An answer that a request goes on from: whose it is, and what the request leaves out. */
export interface StoredTurn extends Pick<StoredResponseRef, "counts" | "prompt_position"> {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  readonly ended_at: number;
  /** Arguments only where they are kept whole. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments?: string }[];
}

/** A call of which it is known how it was made: by the model, or by repair, then with its arguments where they are kept whole. */
export interface KnownCallOrigin {
  readonly tool_call_id: string;
  readonly mended?: { readonly name: string; readonly arguments: string };
}

/** Questions that any process may ask at any time. */
export interface StoreReader {
  summary(range: Range): Promise<Summary>;
  /** Worst first. */
  breakdown(by: Breakdown, query: BreakdownQuery): Promise<readonly BreakdownRow[]>;
  series(query: SeriesQuery): Promise<readonly SeriesPoint[]>;
  /** Every pair of tool and model that occurred; most calls first. */
  toolModel(query: RollupQuery): Promise<readonly ToolModelRow[]>;
  /** Most frequent first. */
  fingerprints(query: FingerprintQuery): Promise<readonly FingerprintRow[]>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** How many sessions last heard of in a range are unhealthy by rate; a sum, whatever their number. */
  unhealthySessions(range: Range): Promise<number>;
  sessionDetail(project: string, sessionId: string, page?: Page): Promise<SessionDetail | undefined>;
  /** Newest first. */
  leaks(query: LeakQuery): Promise<readonly LeakRow[]>;
  /** Newest first. */
  suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]>;
  /** One row for each origin, always both. */
  originOutcomes(range: Range): Promise<readonly OriginRow[]>;
  /** Mended calls of the Responses API without a result, of which the whole arguments are kept; newest first. */
  pendingRepairedCalls(since: number, limit: number): Promise<readonly PendingRepairedCall[]>;
  /** Which of these ids are calls that repair made. */
  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Which of these calls were seen being made, and how. */
  madeCalls(project: string, ids: readonly string[]): Promise<readonly KnownCallOrigin[]>;
  /** The newest answer under this key. */
  threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined>;
  events(after: number, limit: number): Promise<readonly EventLine[]>;
  lastEvent(): Promise<number>;
  close(): Promise<void>;
}

/** What servers that write to one store need of each other. */
export interface SharedStore {
  /** Resolves when another server may have written something: at its word, or after a while without one. */
  waitForChanges(): Promise<void>;
  setting(name: string): Promise<string | undefined>;
  saveSetting(name: string, value: string): Promise<void>;
  /** The value that was kept first, whoever came first. */
  setSettingIfAbsent(name: string, value: string): Promise<string>;
  /** May this server do, for so long, what only one should do? */
  tryAcquireLease(task: string, forMs: number): Promise<boolean>;
}

/** Where records live. `apply` is the only way in. */
export interface Store extends StoreReader, OutboxStore {
  /** Absent where a store belongs to one server. */
  readonly shared?: SharedStore;
  apply(batch: Batch): Promise<Applied>;
  appliedPosition(journal: string): Promise<string | undefined>;
  cursor(name: string): Promise<number>;
  /**
   * Calls without a result, in sessions that have been quiet since `before` or whose client said that they ended; thrown-away ones are not among them.
   */
  quietCalls(before: number, limit: number): Promise<readonly CallRecord[]>;
  quietSessions(before: number, limit: number): Promise<readonly IdleSession[]>;
  /** Moves a reader of events forward, and lets go of events that every reader has passed. */
  moveCursor(name: string, position: number): Promise<void>;
  /**
   * Removes a session and everything it adds to sums, if it exists. Observations of the session from before `at` are refused afterwards.
   * After a crash, {@link finishDeletions} completes it.
   */
  deleteSession(project: string, sessionId: string, at: number): Promise<Removed>;
  /** Removes up to `limit` sessions without activity since `before`; sums keep what they added. Call again until it removes none. */
  deleteBefore(before: number, limit: number, at: number): Promise<Removed>;
  /** Completes deletions that began before and were interrupted. */
  finishDeletions(begunBefore: number): Promise<Removed>;
  /** Removes remains of deleted rows from the database's own files. */
  scrub(): Promise<void>;
  /** Deletions since the files of a data folder were last cleaned, oldest first. Folders are named by the id of their journal. */
  deletions(folder: string, limit: number): Promise<readonly Deletion[]>;
  /** Records that a data folder's files contain no line of the sessions up to this deletion. */
  filesCleaned(folder: string, upTo: number): Promise<void>;
}
