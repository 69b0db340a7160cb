import type { LoopLink } from "../core/model/call-links.ts";
import type { CallRecord } from "../core/model/call-record.ts";
import type { Source, StoredResponseRef } from "../core/model/observation.ts";
import type { Category } from "../core/model/outcome.ts";
import type { TokenKind } from "../core/model/token-usage.ts";
import type { HealthThresholds } from "../core/score/health.ts";
import type { CallPage, CallQuery } from "./call-query.ts";
import type { ChosenState, ErrorDetail } from "./error-rows.ts";
import type { FirstUse, FirstUseQuery } from "./first-use.ts";
import type { OutboxStore } from "./outbox-port.ts";
import type {
  Breakdown,
  BreakdownQuery,
  FingerprintQuery,
  LeakQuery,
  LoopQuery,
  Page,
  Range,
  RollupQuery,
  SeriesQuery,
  SessionQuery,
  UsageBreakdown,
  UsageQuery,
} from "./queries.ts";
import type {
  BreakdownRow,
  CallFaultRow,
  CallRepairRow,
  FingerprintRow,
  LeakRow,
  LoopRow,
  OriginRow,
  SecondChanceRow,
  SeriesPoint,
  SessionDetail,
  SessionRow,
  SessionUsageRow,
  Summary,
  SuspensionRow,
  ToolModelRow,
  TurnRow,
  UsageRow,
} from "./rows.ts";

export * from "./call-query.ts";
export * from "./error-rows.ts";
export type * from "./first-use.ts";
export type * from "./outbox-port.ts";
export * from "./queries.ts";
export type * from "./rows.ts";

/** Lines of one journal, in order, up to a position. The store saves the position in the same transaction. */
export interface Batch {
  readonly journal: string;
  /** Sortable text; see ingest/journal. */
  readonly position: string;
  /** False while a start replays the journal: this changes rollups but not live counters. */
  readonly live: boolean;
  /** Observations as JSON lines; bytes are UTF-8. */
  readonly lines: string | Uint8Array;
  /** Thresholds for the health of the sessions of this batch; absent: the defaults. */
  readonly thresholds?: HealthThresholds;
  /** How long the tool name of a call id is used for results that arrive without their call; default 1 hour. */
  readonly nameTtlMs?: number;
}

/** The `code` of errors while the store is unavailable. A code, because errors lose their class between threads. */
export const STORE_UNAVAILABLE = "store-unavailable";

export function isStoreUnavailable(error: unknown): error is Error {
  return (error as { readonly code?: unknown } | undefined)?.code === STORE_UNAVAILABLE;
}

/** A line that could not be applied, and why. */
export interface Rejected {
  readonly line: string;
  readonly reason: string;
}

/** A call to count in the live counters, with its labels. */
export interface CountedCall {
  readonly provider: string;
  readonly model: string;
  readonly tool_name: string;
  readonly outcome: "ok" | "failed" | "unknown";
  readonly category?: Category;
  readonly execution_time_ms?: number;
  /** Present if the tool is unknown, so that a warning can report it. */
  readonly tool_call_id?: string;
}

/** A leak to count in the live counter: as the number of parsed calls, at least 1. */
export interface CountedLeak {
  readonly model: string;
  readonly format: string;
  readonly result: "recovered" | "left";
  readonly calls: number;
}

/** Tokens to add to the live counter. */
export interface CountedTokens {
  readonly model: string;
  readonly kind: TokenKind;
  readonly tokens: number;
}

/** A repair of a native call to count in the live counter. */
export interface CountedRepair {
  readonly model: string;
  readonly class: string;
  readonly result: "repaired" | "left";
}

/** A turn that was asked for again. */
export interface CountedSecondChance {
  readonly model: string;
  readonly reason: string;
  readonly result: string;
}

/** A call with which a loop went on. `loop.level` is set if it reached a level. */
export interface CountedLoop {
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly provider: string;
  readonly model: string;
  readonly tool_name: string;
  readonly loop: LoopLink;
}

export interface Applied {
  readonly observations: number;
  /** Observations ignored because their session was deleted later. */
  readonly refused: number;
  readonly rejected: readonly Rejected[];
  readonly counted: readonly CountedCall[];
  readonly leaks: readonly CountedLeak[];
  readonly tokens: readonly CountedTokens[];
  readonly repairs: readonly CountedRepair[];
  readonly loops: readonly CountedLoop[];
  readonly secondChances: readonly CountedSecondChance[];
  /** Number of the newest event line, for readers of the events. */
  readonly last_event: number;
}

/** An event, as written to the JSONL file. */
/** Events in order. */
export interface EventText {
  /** Each line ends with a newline. Empty if the events belong to deleted sessions. */
  readonly text: string;
  /** The number of the last event. */
  readonly last: number;
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

export interface EventLine {
  readonly id: number;
  readonly line: string;
}

/** An idle session without an end after its last activity. */
export interface IdleSession {
  readonly project: string;
  readonly session_id: string;
  readonly last_at: number;
  readonly source: Source;
}

/** A repaired call without a result, with its complete arguments. */
export interface PendingRepairedCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * A repaired call that must be put back whole, encrypted by the server that repaired it; see
 * docs/decisions/repair-server-state.md.
 */
export interface SealedCall {
  readonly project: string;
  readonly tool_call_id: string;
  readonly created_at: number;
  readonly sealed: string;
}

/** Encrypted calls. They are not observations: nothing but this table contains them. */
export interface SealedCallStore {
  saveSealedCall(call: SealedCall): Promise<void>;
  /** Newest first. */
  sealedCalls(since: number, limit: number): Promise<readonly SealedCall[]>;
  findSealedCalls(project: string, ids: readonly string[]): Promise<readonly SealedCall[]>;
  deleteSealedCalls(project: string, ids: readonly string[]): Promise<void>;
  deleteSealedCallsBefore(time: number): Promise<void>;
}

/**
 * Identifies a response stored by the provider: by its id, or as the last one of a conversation. `key` as in
 * `StoredResponseRef`.
 */
export interface StoredResponseKey {
  readonly project: string;
  readonly kind: "answer" | "conversation";
  readonly key: string;
}

/** The stored response that a request continues: its thread, and the parts of the history that the request omits. */
export interface StoredTurn extends Pick<StoredResponseRef, "counts" | "prompt_position"> {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  readonly ended_at: number;
  /** With arguments only if they are stored completely. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments?: string }[];
}

/** A call of known origin: native, or repaired, then with its arguments if they are stored completely. */
export interface KnownCallOrigin {
  readonly tool_call_id: string;
  readonly mended?: { readonly name: string; readonly arguments: string };
}

/** What a deletion removed from the store. */
export interface Removed {
  readonly sessions: number;
  readonly calls: number;
  /** Events that were still in the store: unread ones, and the last ones for the live feed. */
  readonly events: number;
  /** Calls and sessions that had been exported; the target keeps them. */
  readonly exported: number;
}

/** A deleted session, for data folders that have copies of its lines. */
export interface Deletion {
  readonly id: number;
  /** A hash of project and session id. */
  readonly session: string;
  /** Deleted by retention: the aggregates still count the session. */
  readonly keepsSums: boolean;
}

/** Queries, available to any process at any time. */
export interface StoreReader {
  summary(range: Range): Promise<Summary>;
  /** Most failures first. */
  breakdown(by: Breakdown, query: BreakdownQuery): Promise<readonly BreakdownRow[]>;
  series(query: SeriesQuery): Promise<readonly SeriesPoint[]>;
  /** Models and versions of clients that were first used in a range, in order of time. */
  /** Tokens of the given sessions, by model. */
  sessionUsage(sessions: readonly Pick<SessionRow, "project" | "session_id">[]): Promise<readonly SessionUsageRow[]>;
  firstUses(query: FirstUseQuery): Promise<readonly FirstUse[]>;
  /** Every pair of tool and model that occurred; most calls first. */
  toolModel(query: RollupQuery): Promise<readonly ToolModelRow[]>;
  /** Regressed errors first, then the most frequent. Of equally frequent ones, refused and cancelled calls come last. */
  fingerprints(query: FingerprintQuery): Promise<readonly FingerprintRow[]>;
  error(project: string, fingerprint: string): Promise<ErrorDetail | undefined>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** Number of sessions with their last activity in a range whose `health` is unhealthy. Read from rollups. */
  unhealthySessions(range: Range): Promise<number>;
  sessionDetail(project: string, sessionId: string, page?: Page): Promise<SessionDetail | undefined>;
  /** One page of calls that match all filters; newest results first. */
  calls(query: CallQuery): Promise<CallPage>;
  /** Tokens of responses, by model, provider or day; sorted by key. */
  usage(by: UsageBreakdown, query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Tokens of the responses of a session, in order of time; at most 5000. */
  turns(project: string, sessionId: string, page?: Page): Promise<readonly TurnRow[]>;
  /** Newest first. */
  leaks(query: LeakQuery): Promise<readonly LeakRow[]>;
  /** Native calls that were repaired or do not fit. Newest first. */
  callRepairs(query: LeakQuery): Promise<readonly CallRepairRow[]>;
  /** How many native calls of each model had which faults, and how many it made at all. */
  callFaults(range: Range): Promise<readonly CallFaultRow[]>;
  /** Turns that were asked for again, by provider, model and reason. */
  secondChances(range: Range): Promise<readonly SecondChanceRow[]>;
  /** Newest first. */
  loops(query: LoopQuery): Promise<readonly LoopRow[]>;
  /** Newest first. */
  suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]>;
  /** One row for each origin, always both. */
  originOutcomes(range: Range): Promise<readonly OriginRow[]>;
  /** Repaired calls of the Responses API without a result, whose arguments are stored completely; newest first. */
  pendingRepairedCalls(since: number, limit: number): Promise<readonly PendingRepairedCall[]>;
  /** The ids among these that are repaired calls. */
  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]>;
  /** The calls among these whose origin is known. */
  callOrigins(project: string, ids: readonly string[]): Promise<readonly KnownCallOrigin[]>;
  /** The newest response with this key. */
  threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined>;
  events(after: number, limit: number): Promise<readonly EventLine[]>;
  /** The next events as one text, for files: up to a few thousand lines. Undefined if there are none. */
  eventText(after: number): Promise<EventText | undefined>;
  lastEvent(): Promise<number>;
  close(): Promise<void>;
}

/** Coordination between servers that share one store. */
export interface SharedStore {
  /** Resolves when another server may have written something: on its notification, or after a polling interval. */
  waitForChanges(): Promise<void>;
  setting(name: string): Promise<string | undefined>;
  saveSetting(name: string, value: string): Promise<void>;
  /** Saves a value if none exists. Returns the stored one. */
  setSettingIfAbsent(name: string, value: string): Promise<string>;
  /** Returns whether this server holds the lease of a task that only one server should do. */
  tryAcquireLease(task: string, forMs: number): Promise<boolean>;
}

/** Stores records. `apply` is the only way to add data. */
export interface Store extends StoreReader, OutboxStore, SealedCallStore {
  /** Absent if the store belongs to a single server. */
  readonly shared?: SharedStore;
  apply(batch: Batch): Promise<Applied>;
  appliedPosition(journal: string): Promise<string | undefined>;
  cursor(name: string): Promise<number>;
  /**
   * Calls without a result in sessions that are idle since `before` or that the client reported as ended, except
   * discarded calls.
   */
  idleCalls(before: number, limit: number): Promise<readonly CallRecord[]>;
  idleSessions(before: number, limit: number): Promise<readonly IdleSession[]>;
  /** Advances the cursor of an event reader, and deletes events that every reader has read. */
  moveCursor(name: string, position: number): Promise<void>;
  /**
   * Deletes a session, and subtracts it from the aggregates. Observations of the session from before `at` are ignored
   * afterwards. After a crash, {@link finishDeletions} completes the deletion.
   */
  deleteSession(project: string, sessionId: string, at: number): Promise<Removed>;
  /**
   * Deletes up to `limit` sessions without activity since `before`, and keeps the aggregates. Call again until it
   * removes none.
   */
  deleteBefore(before: number, limit: number, at: number): Promise<Removed>;
  /** Sets the state of an error for all users. Returns false if the error does not exist. */
  setErrorState(project: string, fingerprint: string, state: ChosenState, at: number): Promise<boolean>;
  /** Completes interrupted deletions that began before that time. */
  finishDeletions(begunBefore: number): Promise<Removed>;
  /** Removes remains of deleted rows from the database files. */
  scrub(): Promise<void>;
  /**
   * Deletions since the files of a data folder were last cleaned, oldest first. A folder is identified by the id of its
   * journal.
   */
  deletions(folder: string, limit: number): Promise<readonly Deletion[]>;
  /** Marks the files of a data folder as clean up to this deletion. */
  filesCleaned(folder: string, upTo: number): Promise<void>;
}
