import type { ThreadKey } from "./call-key.ts";
import type { Category, FlagStatus, Phase, ReportedStatus, Retryable, Status } from "./outcome.ts";
import type { CallOrigin } from "./tool-call.ts";

/** Through which channel something was seen. */
export const SOURCES = ["proxy", "hook", "transcript", "library"] as const;
export type Source = (typeof SOURCES)[number];

/** Where in its thread a call was seen; see docs/decisions/0001. */
export type CallLocation =
  | { readonly kind: "history"; readonly conversation: string; readonly n: number }
  | { readonly kind: "response"; readonly conversation: string; readonly n: number; readonly response_id: string }
  | { readonly kind: "exact"; readonly n: number }
  | { readonly kind: "newest" }
  /** A place under which the record is known already: from ourselves, about a call of our own store. */
  | { readonly kind: "known"; readonly place: string };

/** What may be kept of a call's arguments. */
export interface ArgumentFacts {
  readonly fingerprint: string;
  /** A salted hash per top-level key. */
  readonly keys: { readonly [name: string]: string };
  /** Salted hashes of what the call is about: `path:…`, `url:…`, `command:…`; see `core/score/shared-resource.ts` for all kinds. */
  readonly resources: readonly string[];
  readonly size_bytes: number;
  readonly preview?: string;
}

/** The verdict, in the shape that is stored and sent. */
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
  /** The same for the same failure, whatever paths, numbers and ids its text names; see `core/score`. */
  readonly fingerprint?: string;
}

/** What may be kept of a call's result. */
export interface ResultFacts {
  readonly hash: string;
  readonly size_bytes: number;
  readonly outcome: OutcomeFacts;
  /** What the text of a failure names, as {@link ArgumentFacts.resources}. */
  readonly resources?: readonly string[];
  /** Said only because nothing else was: any real result takes it back. */
  readonly provisional?: true;
  /** The client answered in the tool's place, as far as this source saw: who saw the tool run knows better. */
  readonly not_executed?: true;
  /** The verdict instead, where the call is known to have been {@link CallObservation.permission_requested}. */
  readonly if_permission_requested?: OutcomeFacts;
}

/** What every observation says: whose it is, who saw it, and when. */
export interface Seen extends ThreadKey {
  readonly v: 1;
  readonly source: Source;
  /** When it happened, by the source's clock, in ms. Orders. */
  readonly occurred_at: number;
  /** When we learned of it, in ms. */
  readonly seen_at: number;
  /** False for import: rollups move, counters do not. */
  readonly live: boolean;
  readonly request_id?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly client?: string;
  readonly api?: string;
}

/** Something about one call. */
export interface CallObservation extends Seen {
  readonly kind: "call";
  readonly tool_call_id: string;
  readonly place: CallLocation;
  readonly name?: string;
  readonly origin?: CallOrigin;
  /** How a recovered call was written, and what had to be repaired to read it. */
  readonly format?: string;
  readonly repairs?: readonly string[];
  readonly arguments?: ArgumentFacts;
  readonly result?: ResultFacts;
  readonly execution_time_ms?: number;
  readonly turnaround_ms?: number;
  /**
   * Id of the first call of the model turn that made this one: what shares it was called in parallel. Every channel knows it. Where the same id stood
   * earlier in the thread (servers reuse `call_0`), `id/n` with how often it did.
   */
  readonly turn?: string;
  /** Which call of its turn it is, from 0. */
  readonly turn_index?: number;
  /** Which call of its whole thread it is, where the source shows the thread: orders calls that were first seen at one time. */
  readonly order?: number;
  /** Which message of the user it works on: the client's own id for it where there is one. */
  readonly prompt?: string;
  /** What kind of work that message asks for. */
  readonly workflow?: string;
  /** The client found the call in order: it was about to run it, or to ask whether it may. */
  readonly permission_requested?: true;
}

/** The user asked for something. Calls that name the same prompt are its work. */
export interface PromptObservation extends Seen {
  readonly kind: "prompt";
  readonly prompt: string;
  readonly workflow?: string;
}

/** A session's lifecycle. `stopped` ends a turn; another may follow. `idle` is set by Toolmend after the idle timeout. */
export interface SessionObservation extends Seen {
  readonly kind: "session";
  readonly event: "started" | "stopped" | "ended" | "idle";
}

/** A request of a client, as it set out. */
export interface RequestObservation extends Seen {
  readonly kind: "request";
  readonly request_id: string;
  /** Which conversation of its thread it belongs to; see `Place`. */
  readonly conversation?: string;
  readonly streaming: boolean;
  readonly size_bytes: number;
  readonly message_count: number;
  readonly tool_count: number;
}

export type ExchangeEnd = "complete" | "client_gone" | "upstream_error" | "truncated";

/** The answer to a request, when it has ended one way or another. */
export interface ResponseObservation extends Seen {
  readonly kind: "response";
  readonly request_id: string;
  readonly http_status: number;
  readonly ended: ExchangeEnd;
  readonly size_bytes: number;
  readonly duration_ms: number;
  readonly first_byte_ms?: number;
  readonly stop_reason?: string;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_creation_tokens?: number;
  readonly tool_call_ids: readonly string[];
  readonly stored_response?: StoredResponseRef;
}

/** What a request needs that goes on from an answer which the provider holds; see docs/decisions/responses-chain.md. */
export interface StoredResponseRef {
  /** Under what it is found: salted hashes of provider, project, credential and the id of the answer, or of its conversation. */
  readonly answer_key?: string;
  readonly conversation_key?: string;
  /** How often each id that servers hand out again stands in the history up to here. */
  readonly counts?: { readonly [id: string]: number };
  /** How many messages of people there were, and which one was the last. */
  readonly prompt_position?: { readonly count: number; readonly prompt?: string; readonly workflow?: string };
}

/** Calls that an answer held as text, and what became of them; one for each format and reason. */
export interface LeakObservation extends Seen {
  readonly kind: "leak";
  readonly request_id: string;
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly repairs: readonly string[];
  /** Calls that could be read, and how many of them were not passed on although the others were. */
  readonly parsed: number;
  readonly dropped: number;
  readonly tool_names: readonly string[];
  readonly tool_call_ids: readonly string[];
  /** Why it was left. */
  readonly reason?: string;
  /** What made the calls calls rather than mentions. */
  readonly evidence?: readonly string[];
  /** What the model wrote, and the calls that it became; redacted excerpts, where texts are kept. */
  readonly before?: string;
  readonly after?: readonly LeakedCall[];
}

/** A call that was mended, as the client got it. */
export interface LeakedCall {
  readonly tool_name: string;
  readonly arguments: string;
}

/** An upstream refused a request whose history carries calls that repair had made: repair rests for its session, and for its upstream and model. */
export interface SuspensionObservation extends Seen {
  readonly kind: "suspension";
  readonly request_id: string;
  readonly http_status: number;
  /** The calls of ours in its history. */
  readonly tool_call_ids: readonly string[];
  /** What the upstream said, redacted; never kept where no text is. */
  readonly message?: string;
}

/** A partial fact with its source: the only thing that enters the journal. */
export type Observation =
  | CallObservation
  | RequestObservation
  | ResponseObservation
  | LeakObservation
  | SuspensionObservation
  | PromptObservation
  | SessionObservation;
