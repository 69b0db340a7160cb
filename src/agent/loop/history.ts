import { providerFor } from "../history/repair-history.ts";
import type { DroppedCall, Message, ModelCall, ProviderTurn, SafeError } from "../model/message.ts";
import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import { jsonValue } from "../outcome/result-text.ts";
import type { FailurePolicy, HistoryMode } from "../policy/policy.ts";
import { isPending } from "../registry/failures.ts";
import { shownName } from "../sanitize/user-texts.ts";
import { shownInput } from "./events.ts";
import type { RejectedCall } from "./leak-reader.ts";

export interface Round {
  readonly turn: string;
  readonly text: string;
  readonly outcomes: readonly ToolOutcome[];
  readonly provider: ProviderTurn | undefined;
}

export interface WrittenRound {
  /** The assistant message and its results, as sent to the model. */
  readonly messages: readonly Message[];
  /** Failures mentioned only in a note. */
  readonly summarized: readonly FailedCall[];
}

/**
 * Writes a round to the history: which calls are kept, with which results. A call and its result are kept or dropped
 * together.
 */
export function writeRound({ turn, text, outcomes, provider }: Round, policy: FailurePolicy): WrittenRound {
  const modes = modesOf(outcomes, provider, policy);
  const reported = outcomes.filter((_, index) => modes[index] === "report");
  const pending = outcomes.filter(isPending).map(({ call }) => call.id);
  const removed = outcomes.flatMap((outcome, index) => {
    const mode = modes[index];
    return outcome.ok || mode === "report" ? [] : [{ outcome, mode, index }];
  });
  const remainingProvider =
    provider === undefined
      ? undefined
      : providerFor(provider, new Map(reported.map(({ call }) => [call.id, call.id])), removed.length === 0);
  // A summarized call is always kept: the next run must know about it too.
  const dropped = removed
    .filter(({ mode }) => policy.keepDropped || isSummary(mode))
    .map(({ outcome, index, mode }) => droppedCall(outcome, index, isSummary(mode)));
  const assistant: Message = {
    role: "assistant",
    content: text,
    turn,
    ...(reported.length > 0 && { toolCalls: reported.map(callOf) }),
    ...(remainingProvider !== undefined && { provider: remainingProvider }),
    ...(dropped.length > 0 && { dropped }),
    ...(pending.length > 0 && { pending }),
  };
  const results = reported.filter((outcome) => !isPending(outcome));
  const isEmpty = text.trim() === "" && reported.length === 0 && dropped.length === 0;
  return {
    messages: isEmpty ? [] : [assistant, ...results.map((outcome) => resultOf(outcome, turn))],
    summarized: removed.flatMap(({ outcome, mode }) => (isSummary(mode) ? [outcome] : [])),
  };
}

export function isSummary(mode: HistoryMode | undefined): boolean {
  return mode === "summarise" || mode === "summarize";
}

/** A sealed turn must be sent back unchanged or not at all: if one of its calls is kept, all are. */
function modesOf(
  outcomes: readonly ToolOutcome[],
  provider: ProviderTurn | undefined,
  { history }: FailurePolicy,
): readonly HistoryMode[] {
  const modes = outcomes.map((outcome): HistoryMode => {
    return outcome.ok || isPending(outcome) ? "report" : history[outcome.failure.kind];
  });
  const isSealed = provider?.sealed === true && modes.includes("report");
  return isSealed ? modes.map(() => "report") : modes;
}

/** The call with the arguments that were actually used, so that the model learns what worked. */
function callOf({ call, input }: ToolOutcome): ModelCall {
  return { ...call, arguments: shownInput(input) };
}

export function resultOf(outcome: ToolOutcome, turn: string): Message {
  const { id, name } = outcome.call;
  const base = { role: "tool", toolCallId: id, name, turn } as const;
  if (outcome.ok) {
    const { modelText, modelParts, value } = outcome;
    const parts = modelParts === undefined ? {} : { parts: modelParts };
    return { ...base, content: modelText, ...parts, shown: { result: jsonValue(value) } };
  }
  const { call, failure } = outcome;
  return { ...base, content: failure.modelMessage, isError: true, shown: { error: safeError(call, failure) } };
}

function droppedCall({ call, input, failure }: FailedCall, index: number, isSummarized: boolean): DroppedCall {
  const error = safeError(call, failure);
  const { kind: category, retryable, permanent = false, executed } = failure;
  const base = { id: call.id, name: call.name, input: shownInput(input), index, error };
  return isSummarized ? { ...base, summary: { category, retryable, permanent, executed } } : base;
}

export function safeError(
  { name }: ModelCall,
  { kind, userMessage, retryable, ref }: FailedCall["failure"],
): SafeError {
  return { category: kind, message: userMessage, tool: name, retryable, ref };
}

/** Tells the model about leaked calls that could not be parsed. */
export function rejectedText(rejected: readonly RejectedCall[], tools: Iterable<string>): string {
  const names = [...tools].slice(0, 50).join(", ");
  const what = rejected
    .slice(0, 3)
    .map(
      ({ name, reason, format }) =>
        `${name === undefined ? "a call" : `a call of '${shownName(name)}'`} (${format}: ${reason})`,
    )
    .join(", ");
  return `Your last message contained ${what} that could not be parsed. Nothing was run. Call tools through the API's tool calling, with the arguments as one complete JSON object. Available tools: ${names}`;
}
