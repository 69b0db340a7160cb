import type { ToolCall } from "../model/tool-call.ts";
import type { FitProblem } from "./arguments-fit.ts";
import type { FormatRow } from "./formats/row.ts";

/** A tool as it was declared to the model, in the shape of any of the three APIs. */
export interface DeclaredTool {
  readonly name?: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly input_schema?: unknown;
  readonly inputSchema?: unknown;
  /** OpenAI's nesting. */
  readonly function?: { readonly name?: string; readonly description?: string; readonly parameters?: unknown };
}

/** How willing to be: see docs/formats.md. */
export type RecoverMode = "safe" | "eager" | "strict";

/**
 * Calls inside thinking: `whole` takes them when the message holds nothing else, `never` never, `always` as if they
 * stood in the answer.
 */
export type ThinkPolicy = "whole" | "never" | "always";

/** A text that the model was given, and who said it: see docs/decisions/recover-what-is-untrusted.md. */
export interface ContextText {
  readonly role: "user" | "system" | "assistant" | "tool";
  readonly text: string;
}

/** Options of `extractToolCalls` and `createLeakScanner`. */
export interface RecoverOptions {
  /** The tools of the request. Weak formats need them; values are typed by their schemas. */
  readonly tools?: readonly DeclaredTool[];
  /** Texts the model was given, in order: a call that repeats one of them is an echo. A string counts as the result of a tool. */
  readonly context?: readonly (string | ContextText)[];
  /** A command is an echo also where it occurs in user messages or tool results as plain text, not as part of a call. Off by default. */
  readonly strictCommands?: boolean;
  readonly mode?: RecoverMode;
  /** Names restrict to these formats; rows add one. */
  readonly formats?: readonly (string | FormatRow)[];
  readonly think?: ThinkPolicy;
  /** The template opened the thinking block itself: the text starts inside it. */
  readonly startsInThink?: boolean;
  /** Ids of calls whose format carries none. */
  readonly newId?: () => string;
  /** The largest candidate that is held, in UTF-16 units. */
  readonly maxCandidateChars?: number;
}

/** Half-open, in UTF-16 units of the whole text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A call that was written as text. */
export interface RecoveredCall extends ToolCall {
  readonly origin: "recovered";
  readonly format: string;
  readonly repairs: readonly string[];
  /** The arguments as the model wrote them. */
  readonly rawArguments: string;
  /** What was taken out of the text for it; calls written in one block share it. */
  readonly span: Span;
  /** Is the name among the declared tools? */
  readonly known: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  /** What made it a call rather than a mention: see docs/repair.md. */
  readonly evidence: Evidence;
  /** `false`: the text ended inside the arguments; only in mode `eager`, and never to be run. */
  readonly complete: boolean;
}

/** What made a candidate a call rather than a mention. */
export type Evidence =
  | "special-token"
  | "whole-message"
  | "start-of-message"
  | "announced"
  | "own-paragraph"
  | "end-of-thoughts";

/** Why something that looked like a call is not one. */
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

/** A candidate and what became of it. */
export type LeakMatch =
  | {
      readonly kind: "call";
      readonly span: Span;
      readonly format: string;
      /** Without those that an earlier match of the message made already. */
      readonly calls: readonly RecoveredCall[];
      /** How many calls of this match were left out for that. */
      readonly duplicates?: number;
    }
  | {
      readonly kind: "rejected";
      readonly span: Span;
      readonly format: string;
      readonly reason: RejectReason;
      readonly name?: string;
    };

/** What a whole text gave. */
export interface Extraction {
  /** The text without what became calls; the text itself when nothing did. */
  readonly content: string;
  readonly toolCalls: readonly RecoveredCall[];
  readonly matches: readonly LeakMatch[];
}

/** What a stream gives, in order. */
export type LeakEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: RecoveredCall }
  | { readonly kind: "match"; readonly match: LeakMatch };

/** Text in, text and calls out, as soon as each is certain. */
export interface LeakScanner {
  push(chunk: string): readonly LeakEvent[];
  end(): readonly LeakEvent[];
  /** UTF-16 units taken in and not yet given out. */
  readonly held: number;
}
