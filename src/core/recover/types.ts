import type { ToolCall } from "../model/tool-call.ts";
import type { FitProblem } from "./arguments-fit.ts";
import type { FormatRow } from "./formats/table.ts";

/** A tool as declared to the model, in the shape of any of the three APIs. */
export interface DeclaredTool {
  readonly name?: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly input_schema?: unknown;
  readonly inputSchema?: unknown;
  /** OpenAI's nesting. */
  readonly function?: { readonly name?: string; readonly description?: string; readonly parameters?: unknown };
}

/** How readily calls are accepted: see docs/formats.md. */
export type RecoverMode = "safe" | "eager" | "strict";

/**
 * How calls inside thinking are handled: `whole` accepts them if the message has no other content, `never` rejects
 * them, `always` treats them like calls in the response.
 */
export type ThinkPolicy = "whole" | "never" | "always";

/** A text that the model was given, and its role: see docs/decisions/recover-what-is-untrusted.md. */
export interface ContextText {
  readonly role: "user" | "system" | "assistant" | "tool";
  readonly text: string;
}

/** Options of `extractToolCalls` and `createLeakScanner`. */
export interface RecoverOptions {
  /** The tools of the request. Weak formats require them; argument values are converted by their schemas. */
  readonly tools?: readonly DeclaredTool[];
  /**
   * Texts the model was given, in order. A call that repeats one of them is an echo. A string counts as a tool result.
   */
  readonly context?: readonly (string | ContextText)[];
  /**
   * Also treats a command as an echo if it occurs as plain text in user messages or tool results, outside a call. Off
   * by default.
   */
  readonly strictCommands?: boolean;
  readonly mode?: RecoverMode;
  /** Names restrict extraction to these formats; rows add formats. */
  readonly formats?: readonly (string | FormatRow)[];
  readonly think?: ThinkPolicy;
  /** The template opened the thinking block itself: the text starts inside it. */
  readonly startsInThink?: boolean;
  /** Creates ids for calls whose format has none. */
  readonly newId?: () => string;
  /** The largest candidate that is buffered, in UTF-16 units. */
  readonly maxCandidateChars?: number;
}

/** A half-open range in UTF-16 units of the whole text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A leaked call that was extracted from text. */
export interface RecoveredCall extends ToolCall {
  readonly origin: "recovered";
  readonly format: string;
  readonly repairs: readonly string[];
  /** The arguments as the model wrote them. */
  readonly rawArguments: string;
  /** The range removed from the text; calls written in one block share it. */
  readonly span: Span;
  /** Whether the name is a declared tool. */
  readonly known: boolean;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Why it is a call rather than a mention: see docs/repair.md. */
  readonly evidence: Evidence;
  /** `false`: the text ended inside the arguments. Only in mode `eager`; such a call must not be run. */
  readonly complete: boolean;
}

/** Why a candidate is a call rather than a mention. */
export type Evidence =
  | "special-token"
  | "whole-message"
  | "start-of-message"
  | "announced"
  | "own-paragraph"
  | "end-of-thoughts";

/** Why a candidate is not a call. */
export type RejectReason =
  | FitProblem
  | "echo"
  | "in-code"
  | "in-quote"
  | "in-think"
  | "in-markup"
  | "in-list"
  | "in-table"
  | "in-sentence"
  | "negated"
  | "example"
  | "reported"
  | "question"
  | "placeholder"
  | "after-invented-result"
  | "unknown-name"
  | "invalid-name"
  | "not-anchored"
  | "schema"
  | "not-an-object"
  | "truncated"
  | "malformed"
  | "too-large"
  | "too-costly"
  | "unsafe-key";

/** A candidate and its outcome. */
export type LeakMatch =
  | {
      readonly kind: "call";
      readonly span: Span;
      readonly format: string;
      readonly calls: readonly RecoveredCall[];
    }
  | {
      readonly kind: "rejected";
      readonly span: Span;
      readonly format: string;
      readonly reason: RejectReason;
      readonly name?: string;
    };

/** The result for a whole text. */
export interface Extraction {
  /** The text without the extracted calls; the text itself if there were none. */
  readonly content: string;
  readonly toolCalls: readonly RecoveredCall[];
  readonly matches: readonly LeakMatch[];
}

/** The output of a scanner, in order. */
export type LeakEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: RecoveredCall }
  | { readonly kind: "match"; readonly match: LeakMatch };

/** Takes text in chunks and returns text and calls as soon as they are certain. */
export interface LeakScanner {
  push(chunk: string): readonly LeakEvent[];
  end(): readonly LeakEvent[];
  /** UTF-16 units that were received and not yet returned. */
  readonly held: number;
}
