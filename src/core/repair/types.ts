import type { FitProblem } from "../recover/arguments-fit.ts";
import type { ContextText, Evidence, RejectReason } from "../recover/index.ts";
import type { Framing } from "../wire/framing.ts";
import type { Api } from "../wire/turn.ts";
import type { CallRepairOptions, CallReport } from "./calls/types.ts";

/** Why a leak was not repaired. */
export type UnrepairedReason =
  /** Rejected by the scanner: an echo of the model's input, truncated, or above a limit. */
  | "echo"
  | "truncated"
  | "too-large"
  | "too-costly"
  /** The model mentioned the call instead of making it. docs/repair.md lists these in the order of the checks. */
  | MentionReason
  /** The arguments do not fit the tool: one is missing, empty or invalid, or the text can be parsed in two ways. */
  | FitProblem
  /** The request's `tool_choice` names other tools. */
  | "tool-choice"
  /** The tool may not be called: not declared, run by the provider, forbidden by the settings, or an invalid name. */
  | "unknown-name"
  | "server-tool"
  | "denied"
  | "invalid-name"
  | "free-text-tool"
  /** The turn does not allow a repair. */
  | "native-call"
  | "max-tokens"
  | "refusal"
  | "content-filter"
  | "error"
  | "aborted"
  | "unknown-stop-reason"
  | "logprobs"
  | "citations"
  | "buffer-full"
  /** The call is in the model's reasoning, but not at its end. */
  | "reasoning"
  /** Extended thinking is on, but the turn does not start with it: the API would reject such a turn with a call. */
  | "thinking"
  /** The request does not allow a repair. */
  | "context-too-large"
  | "server-state"
  /** The response was passed through: its request was not known in time, or its content type is not parsed. */
  | "passed-through"
  /** The provider withheld a call that it could not read, and the text it reports is not one complete call. */
  | "malformed-call"
  /** The response came over a WebSocket, whose provider stores the conversation. */
  | "websocket"
  /** The upstream rejected a request that contained a repaired call. */
  | "suspended"
  | "observe";

/** Reject reasons of the recover engine that make a call of a declared tool a mention. */
export const MENTION_REASONS = [
  "in-list",
  "in-table",
  "in-markup",
  "placeholder",
  "example",
  "negated",
  "reported",
  "question",
  "in-sentence",
] as const satisfies readonly RejectReason[];
export type MentionReason = (typeof MENTION_REASONS)[number];

/** A tool that the client runs itself. */
export interface ClientTool {
  /** As the model may write it. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  /** As the API writes it, if the namespace is a separate field. */
  readonly wireName?: string | undefined;
  readonly namespace?: string | undefined;
  /** Takes free text instead of arguments. */
  readonly custom?: true | undefined;
}

/** What may be repaired in the response to a request. */
export interface RepairOptions {
  readonly tools: readonly ClientTool[];
  /** `known`: only names of `tools`. */
  readonly names: "known" | "any";
  /** Tools run by the provider; leaks of these are never repaired. */
  readonly serverTools?: ReadonlySet<string>;
  /** Whether the settings allow a tool name. */
  readonly isAllowed?: (name: string) => boolean;
  /** The only tools that the request's `tool_choice` allows; undefined allows all. */
  readonly chosenTools?: ReadonlySet<string>;
  /** The texts the model was given, loaded at the first candidate; undefined if they are too large to search. */
  readonly context: () => readonly (string | ContextText)[] | undefined;
  /** Commands that occur in untrusted texts are echoes, also where they are not calls. */
  readonly strictCommands?: boolean;
  /** False if the client accepts only one call at a time. */
  readonly parallel: boolean;
  /** The client requested JSON: output without an envelope is the response itself, not a call. */
  readonly structured?: boolean;
  /** A turn with calls must start with thinking. */
  readonly thinkingFirst?: boolean;
  /** Ids already used in the request; loaded when a call is made. */
  readonly usedIds?: () => ReadonlySet<string>;
  /** Whether ids must be 9 letters and digits, as Mistral requires. */
  readonly shortIds?: () => boolean;
  /** Returns this number of random letters and digits. */
  readonly randomAlphanumeric: (length: number) => string;
  /** Reports leaks, but forbids all changes for this reason. */
  readonly blocked?: UnrepairedReason;
  /** Gemini: the first call of a turn needs a thought signature, or the next request is rejected. */
  readonly signsCalls?: boolean;
  /** Leaks are not detected; only native calls are repaired. */
  readonly ignoresLeaks?: boolean;
  /** How native calls are repaired; absent if they are not checked. */
  readonly calls?: CallRepairOptions;
  /** For stored conversations, which lack the call: whether it can be stored to be inserted before its result later. */
  readonly canStoreCall?: (argumentsText: string) => boolean;
  /** Maximum length of a buffered candidate, in UTF-16 code units. */
  readonly maxCandidateChars?: number;
  /** Maximum size of buffered events. */
  readonly maxBufferedBytes?: number;
  /** Reports exceptions in repair; the affected events pass through unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** A repaired call in the form of the API. */
export interface RepairedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** A JSON object, or the free text of a custom tool. */
  readonly arguments: string;
  readonly custom?: true;
  readonly format: string;
  readonly repairs: readonly string[];
}

/** The leaks of one turn in one format, and their result. */
export interface LeakReport {
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly repairs: readonly string[];
  /** Number of calls that could be parsed. */
  readonly parsed: number;
  /** Of these, calls omitted from a repaired turn: duplicates, and all but the first if the client accepts only one. */
  readonly dropped: number;
  readonly names: readonly string[];
  readonly tool_call_ids: readonly string[];
  readonly reason?: UnrepairedReason;
  /** The evidence that these were calls rather than mentions. */
  readonly evidence?: readonly Evidence[];
  /** The model's text, truncated but not redacted. */
  readonly before?: string;
}

export type JsonRepairResult =
  | { readonly kind: "unchanged" }
  | { readonly kind: "left"; readonly leaks: readonly LeakReport[]; readonly callReports: readonly CallReport[] }
  | {
      readonly kind: "repaired";
      readonly text: string;
      readonly calls: readonly RepairedCall[];
      readonly leaks: readonly LeakReport[];
      readonly callReports: readonly CallReport[];
    };

/** One server-sent event with its exact bytes. */
export interface StreamFrame {
  readonly raw: Uint8Array;
  readonly event: string | undefined;
  readonly data: string | undefined;
  /** The parsed data, if the framer has parsed it already. */
  readonly json?: unknown;
  /** How it is separated from other events; absent for server-sent events. */
  readonly framing?: Framing;
}

/** Repairs a stream event by event. Events that need no repair are emitted byte for byte. */
export interface StreamRepairer {
  push(frame: StreamFrame): readonly Uint8Array[];
  /** Ends the stream. Undecided events are emitted unchanged. */
  end(): readonly Uint8Array[];
  /** True while events are buffered. */
  readonly isBuffering: boolean;
  /**
   * An event without content, for clients that treat inactivity as a lost connection; undefined if the API has none at
   * this point.
   */
  keepAlive(): Uint8Array | undefined;
  readonly calls: readonly RepairedCall[];
  /** Complete after {@link StreamRepairer.end}. */
  readonly leaks: readonly LeakReport[];
  /** Native calls that were repaired or do not fit. Complete after {@link StreamRepairer.end}. */
  readonly callReports: readonly CallReport[];
}

export type { Api };
