import type { FitProblem } from "../recover/arguments-fit.ts";
import type { ContextText, Evidence, RejectReason } from "../recover/index.ts";
import type { Api } from "../wire/turn.ts";

/** Why a leak stays text. */
export type UnrepairedReason =
  /** The scanner's own: a quotation of what the model was given, cut off, or larger than may be held. */
  | "echo"
  | "truncated"
  | "too-large"
  | "too-costly"
  /** The model mentioned the call instead of making it: docs/repair.md lists these in the order they are asked. */
  | MentionReason
  /** The arguments do not fit the tool: one is missing or empty, a value is not allowed, or the text has two readings. */
  | FitProblem
  /** The request's `tool_choice` names other tools. */
  | "tool-choice"
  /** Nobody may call it: not declared, of the provider, forbidden by the settings, or not a name in this API. */
  | "unknown-name"
  | "server-tool"
  | "denied"
  | "bad-name"
  | "arguments"
  /** The turn. */
  | "native-call"
  | "length"
  | "refusal"
  | "content-filter"
  | "error"
  | "broken-off"
  | "ended-otherwise"
  | "logprobs"
  | "citations"
  | "hold-cap"
  /** It stands among the model's thoughts, and not at their end. */
  | "reasoning"
  /** Extended thinking is on, and the turn does not begin with it: with a call in it the API would not take it back. */
  | "thinking"
  /** The request. */
  | "context-too-large"
  | "server-state"
  /** The answer went straight through: its request was not known in time, or its body not of a kind that is read. */
  | "passed"
  /** An upstream did not take back a call of ours. */
  | "suspended"
  | "observe";

/** Reasons of the recover engine for which a call of a declared tool is a mention. */
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
  /** As the API writes it, where a name space stands apart. */
  readonly wireName?: string | undefined;
  readonly namespace?: string | undefined;
  /** Takes free text instead of arguments. */
  readonly custom?: true | undefined;
}

/** What a request allows to be mended in its answer. */
export interface RepairOptions {
  readonly tools: readonly ClientTool[];
  /** `known`: only names of `tools`. */
  readonly names: "known" | "any";
  /** Never called, whatever the model writes: the provider runs these. */
  readonly serverTools?: ReadonlySet<string>;
  /** The settings' word on a tool's name. */
  readonly isAllowed?: (name: string) => boolean;
  /** The only tools that the request's `tool_choice` allows; undefined: all. */
  readonly chosenTools?: ReadonlySet<string>;
  /** Texts the model was given, asked for when the first candidate appears; undefined: more than may be searched. */
  readonly context: () => readonly (string | ContextText)[] | undefined;
  /** Commands that occur in untrusted texts are echoes, also where they are no calls. */
  readonly strictCommands?: boolean;
  /** False: the client takes one call at a time. */
  readonly parallel: boolean;
  /** The client asked for JSON: what has no envelope is the answer, not a call. */
  readonly structured?: boolean;
  /** A turn with calls must begin with thinking. */
  readonly thinkingFirst?: boolean;
  /** Ids that stand in the request already; asked for when a call is made. */
  readonly usedIds?: () => ReadonlySet<string>;
  /** Nine letters and digits, as Mistral wants them. */
  readonly shortIds?: () => boolean;
  /** Random letters and digits, so many. */
  readonly randomAlphanumeric: (length: number) => string;
  /** Nothing is changed for this reason, but leaks are told. */
  readonly blocked?: UnrepairedReason;
  /** The provider holds the conversation without the call: may this one be kept, so that it can be put back before its result? */
  readonly canStoreCall?: (argumentsText: string) => boolean;
  /** The largest candidate that is held, in UTF-16 units. */
  readonly maxCandidate?: number;
  /** The most bytes of events that are held. */
  readonly maxBufferedBytes?: number;
  /** Reports exceptions in repair; the affected events pass through unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** A leak that became a call, in the words of the API. */
export interface RepairedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** JSON of an object, or the free text of a custom tool. */
  readonly arguments: string;
  readonly custom?: true;
  readonly format: string;
  readonly repairs: readonly string[];
}

/** What became of the leaks of one turn that were written in one format. */
export interface LeakReport {
  readonly result: "recovered" | "left";
  readonly format: string;
  readonly repairs: readonly string[];
  /** Calls that could be read. */
  readonly parsed: number;
  /** Of these, not passed on although the turn was mended: the client takes one at a time. */
  readonly dropped: number;
  readonly names: readonly string[];
  readonly tool_call_ids: readonly string[];
  readonly reason?: UnrepairedReason;
  /** What made the calls calls rather than mentions. */
  readonly evidence?: readonly Evidence[];
  /** As the model wrote it, up to a bound. Nothing is redacted here. */
  readonly before?: string;
}

export type JsonRepairResult =
  | { readonly kind: "unchanged" }
  | { readonly kind: "left"; readonly leaks: readonly LeakReport[] }
  | {
      readonly kind: "repaired";
      readonly text: string;
      readonly calls: readonly RepairedCall[];
      readonly leaks: readonly LeakReport[];
    };

/** One server-sent event with the bytes it came in. */
export interface StreamFrame {
  readonly raw: Uint8Array;
  readonly event: string | undefined;
  readonly data: string | undefined;
  /** The data, parsed, where whoever cut the stream knows it. */
  readonly json?: unknown;
}

/** Events in, events out. What is not mended leaves byte for byte. */
export interface StreamRepairer {
  push(frame: StreamFrame): readonly Uint8Array[];
  /** The stream is over. What is still undecided leaves as it came. */
  end(): readonly Uint8Array[];
  /** Is anything held back at the moment? */
  readonly isBuffering: boolean;
  /** An event that says nothing, for clients that would take silence for a dead line; undefined when the API has none now. */
  keepAlive(): Uint8Array | undefined;
  readonly calls: readonly RepairedCall[];
  /** Complete after {@link StreamRepairer.end}. */
  readonly leaks: readonly LeakReport[];
}

export type { Api };
