import type { CallEffect, LoopKind } from "../loop/loop-signal.ts";
import type { ThreadKey } from "./call-key.ts";
import type { Category, FlagStatus, Phase, ReportedStatus, Retryable, Status } from "./outcome.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { CallOrigin } from "./tool-call.ts";

/** The channels through which observations arrive. */
export const SOURCES = ["proxy", "hook", "transcript", "library", "mcp"] as const;
export type Source = (typeof SOURCES)[number];

/** Where in its thread a call was seen; see docs/decisions/0001. */
export type CallLocation =
  | { readonly kind: "history"; readonly conversation: string; readonly n: number }
  | { readonly kind: "response"; readonly conversation: string; readonly n: number; readonly response_id: string }
  | { readonly kind: "exact"; readonly n: number }
  | { readonly kind: "newest" }
  /** A stored place of a record: for observations about a call that this store already has. */
  | { readonly kind: "known"; readonly place: string };

/** The facts that are stored about a call's arguments. */
export interface ArgumentFacts {
  readonly fingerprint: string;
  /** A salted hash per top-level key. */
  readonly keys: { readonly [name: string]: string };
  /**
   * Salted hashes of the resources a call uses: `path:…`, `url:…`, `command:…`; see `core/score/link-call.ts` for
   * all kinds.
   */
  readonly resources: readonly string[];
  readonly size_bytes: number;
  readonly preview?: string;
  /** What the call does, inferred from its name and arguments. */
  readonly effect?: CallEffect;
}

/** The outcome, as stored and sent. */
export interface OutcomeFacts {
  readonly status: Status;
  readonly flag: FlagStatus;
  readonly reported: ReportedStatus;
  readonly soft: boolean;
  readonly confidence: number;
  readonly rule: string;
  readonly phase?: Phase;
  readonly category?: Category;
  readonly severity?: number;
  readonly retryable?: Retryable;
  readonly exit_code?: number;
  readonly status_message?: string;
  readonly excerpt?: string;
  /** Equal for the same failure, whatever paths, numbers and ids its text contains; see `core/score`. */
  readonly fingerprint?: string;
}

/** The facts that are stored about a call's result. */
export interface ResultFacts {
  readonly hash: string;
  /** A salted hash that is equal for results which differ only in times, ids and white space; see `core/loop`. */
  readonly normalized_hash?: string;
  readonly size_bytes: number;
  readonly outcome: OutcomeFacts;
  /** The resources in the text of a failure, as {@link ArgumentFacts.resources}. */
  readonly resources?: readonly string[];
  /** Assumed because no result arrived in time; any reported result replaces it. */
  readonly provisional?: true;
  /**
   * According to this source, the client returned the result and the tool did not run. A source that observed the run
   * takes precedence.
   */
  readonly not_executed?: true;
  /** The outcome if the call is {@link CallObservation.permission_requested}. */
  readonly if_permission_requested?: OutcomeFacts;
}

/**
 * The texts that every observation may have, and every call has as a fact. Declared once: reading, redaction, bounds
 * and merge follow from it.
 */
export const COMMON_TEXTS = ["model", "provider", "client", "client_version", "api", "request_id"] as const;
export type CommonText = (typeof COMMON_TEXTS)[number];

/** The fields of every observation: thread, source, time. */
export interface ObservationBase extends ThreadKey, Readonly<Partial<Record<CommonText, string>>> {
  readonly v: 1;
  readonly source: Source;
  /** When it happened by the source's clock, in ms. Determines the order. */
  readonly occurred_at: number;
  /** When Toolmend received it, in ms. */
  readonly seen_at: number;
  /** False for imports, which change rollups but not live counters. */
  readonly live: boolean;
}

/** What repair did to a native call that does not fit its schema or its API. */
export interface CallRepairFacts {
  readonly result: "repaired" | "left";
  /** The classes of its faults, and the JSON path of each. */
  readonly classes: readonly string[];
  readonly paths: readonly string[];
  /** Why a call that was left does not fit. */
  readonly problem?: string;
  /** Why a call was left that repair could have changed. */
  readonly reason?: string;
  /** The arguments as the model wrote them and as they were sent, redacted; only if capture stores text. */
  readonly before?: string;
  readonly after?: string;
}

/** What the wrapper of an MCP server knows about a call. */
export interface McpFacts {
  /** The server's name in the client's configuration, and the tool's name on that server. */
  readonly server: string;
  readonly tool: string;
  /** As in the server's `initialize` response. */
  readonly server_name?: string;
  readonly server_version?: string;
  /** Id of the call at the wrapper. */
  readonly id: string;
  /**
   * The client sends no id: `tool_call_id` is {@link id}, and the model's call is found by tool, arguments and time.
   */
  readonly inferred?: true;
  /** Why a client may reject a result that the server reports as successful. */
  readonly output?: string;
  /** Number of requests, if the server asked for input. */
  readonly rounds?: number;
}

/** Facts about one call. */
export interface CallObservation extends ObservationBase {
  readonly kind: "call";
  readonly tool_call_id: string;
  readonly place: CallLocation;
  readonly name?: string;
  readonly origin?: CallOrigin;
  /** The format of a leaked call, and the repairs needed to parse it. */
  readonly format?: string;
  readonly repairs?: readonly string[];
  /** Set for a native call that does not fit its schema. */
  readonly call_repair?: CallRepairFacts;
  readonly arguments?: ArgumentFacts;
  readonly result?: ResultFacts;
  readonly execution_time_ms?: number;
  readonly turnaround_ms?: number;
  /**
   * Id of the first call of the turn: calls with the same value were made in parallel. Every channel knows this id. If
   * it occurred earlier in the thread (servers reuse `call_0`), `id/n` with the number of earlier occurrences.
   */
  readonly turn?: string;
  /** Index within the turn, from 0. */
  readonly turn_index?: number;
  /**
   * Index within the thread, if the source shows the whole thread. Orders calls that were first observed at the same
   * time.
   */
  readonly order?: number;
  /** Id of the user's prompt that led to the call; the client's id if it has one. */
  readonly prompt?: string;
  /** The workflow of that prompt. */
  readonly workflow?: string;
  readonly mcp?: McpFacts;
  /** The client accepted the call as valid: it was about to run it, or to request permission. */
  readonly permission_requested?: true;
}

/** A prompt of the user. Its calls have the same `prompt`. */
export interface PromptObservation extends ObservationBase {
  readonly kind: "prompt";
  readonly prompt: string;
  readonly workflow?: string;
  /** The redacted words; only with `--capture full`. */
  readonly text?: string;
}

/**
 * A change of a session's state. `stopped`: a turn ended, another may follow. `idle`: emitted by Toolmend after the
 * idle timeout.
 */
export interface SessionObservation extends ObservationBase {
  readonly kind: "session";
  readonly event: "started" | "stopped" | "ended" | "idle";
  /** The name of the folder that the client works in, and its branch; unless capture stores no text. */
  readonly folder?: string;
  readonly branch?: string;
}

/** What the guard did with a request; see docs/loops.md. */
export interface GuardFact {
  /** `stop`: the request was refused and not sent. */
  readonly action: "note" | "stop";
  /** Number of notes in the request, with those of earlier requests of the conversation. */
  readonly notes: number;
  /** Whether the conversation has reached this point for the first time. */
  readonly is_new: boolean;
  readonly run?: number;
  readonly kind?: LoopKind;
  readonly period?: number;
  readonly tools?: readonly string[];
}

/** A request, observed when the proxy forwards it. */
export interface RequestObservation extends ObservationBase {
  readonly kind: "request";
  readonly request_id: string;
  /** The conversation within the thread; see {@link CallLocation}. */
  readonly conversation?: string;
  readonly streaming: boolean;
  readonly size_bytes: number;
  readonly message_count: number;
  readonly tool_count: number;
  readonly guard?: GuardFact;
}

/** A turn that was requested again because no call in it could work; see docs/second-chance.md. */
export interface SecondChanceFacts {
  /** Why the calls of the first response could not work. */
  readonly reason: string;
  /** `healed` and `text`: the client received the second response. */
  readonly result: string;
  /** How long the client waited for it. */
  readonly duration_ms: number;
  /**
   * The tokens of each response, as far as it reported them. The usage of the response is their sum if it was replaced.
   */
  readonly first_usage?: TokenUsage;
  readonly usage?: TokenUsage;
  /** The status of a rejected second request. */
  readonly http_status?: number;
  /** The calls of the first response. */
  readonly calls: readonly SecondChanceCall[];
  /** Ids of the calls of the second response that the client received. */
  readonly healed_by: readonly string[];
}

/** A call that could not work. */
export interface SecondChanceCall {
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly reason: string;
  /** Redacted; only if capture stores text. */
  readonly arguments?: string;
}

export const EXCHANGE_ENDS = ["complete", "client_gone", "upstream_error", "truncated"] as const;
export type ExchangeEnd = (typeof EXCHANGE_ENDS)[number];

/** The response to a request, observed when it ends, completely or not. */
export interface ResponseObservation extends ObservationBase {
  readonly kind: "response";
  readonly request_id: string;
  readonly http_status: number;
  readonly ended: ExchangeEnd;
  readonly size_bytes: number;
  readonly duration_ms: number;
  readonly first_byte_ms?: number;
  readonly stop_reason?: string;
  /** Absent if the response reports none. */
  readonly usage?: TokenUsage;
  /** The id that the provider gave the response. */
  readonly response_id?: string;
  /** The turn of its calls; see {@link CallObservation.turn}. */
  readonly turn?: string;
  readonly tool_call_ids: readonly string[];
  readonly stored_response?: StoredResponseRef;
  readonly second_chance?: SecondChanceFacts;
}

/** The token usage of a response, as a client reports it: in its transcript, or through the library. */
export interface UsageObservation extends ObservationBase {
  readonly kind: "usage";
  readonly usage: TokenUsage;
  /** The id that the provider gave the response. Absent only for Codex, which does not store it. */
  readonly response_id?: string;
  /** The turn of its calls; see {@link CallObservation.turn}. */
  readonly turn?: string;
}

/**
 * What is needed to record a request that continues a conversation stored by the provider; see
 * docs/decisions/responses-chain.md.
 */
export interface StoredResponseRef {
  /** Lookup keys: salted hashes of provider, project, credential and the id of the response, or of its conversation. */
  readonly answer_key?: string;
  readonly conversation_key?: string;
  /** The number of calls with each reusable id in the history up to this response. */
  readonly counts?: { readonly [id: string]: number };
  /** The number of user messages, and the last prompt. */
  readonly prompt_position?: { readonly count: number; readonly prompt?: string; readonly workflow?: string };
}

/** Leaked calls of one response, repaired or not; one observation for each format and reason. */
export interface LeakObservation extends ObservationBase {
  readonly kind: "leak";
  readonly request_id: string;
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly repairs: readonly string[];
  /** The number of parsed calls, and of those not passed on although others of the response were. */
  readonly parsed: number;
  readonly dropped: number;
  readonly tool_names: readonly string[];
  readonly tool_call_ids: readonly string[];
  /** Why the leak was not repaired. */
  readonly reason?: string;
  /** Why the text was treated as a call rather than a mention of one. */
  readonly evidence?: readonly string[];
  /** Excerpts of the model's text and of the repaired calls, redacted; only if capture stores text. */
  readonly before?: string;
  readonly after?: readonly LeakedCall[];
}

/** A repaired call, as sent to the client. */
export interface LeakedCall {
  readonly tool_name: string;
  readonly arguments: string;
}

/**
 * An upstream rejected a request with repaired calls in its history: repair is suspended for the session, and for the
 * upstream and model.
 */
export interface SuspensionObservation extends ObservationBase {
  readonly kind: "suspension";
  readonly request_id: string;
  readonly http_status: number;
  /** The repaired calls in its history. */
  readonly tool_call_ids: readonly string[];
  /** The upstream's error message, redacted; only if capture stores text. */
  readonly message?: string;
}

/** What the journal stores: facts from one source, without unredacted text. */
export type Observation =
  | CallObservation
  | RequestObservation
  | ResponseObservation
  | LeakObservation
  | SuspensionObservation
  | PromptObservation
  | UsageObservation
  | SessionObservation;
