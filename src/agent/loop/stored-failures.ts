import { hasFields } from "../../core/model/narrow.ts";
import { type MatchedCall, matchResults, providerFor } from "../history/repair-history.ts";
import type { Message } from "../model/message.ts";
import { FAILURE_KINDS, type FailureKind } from "../outcome/failure.ts";
import { readReturnedError } from "../outcome/tool-error.ts";
import type { FailurePolicy, HistoryMode } from "../policy/policy.ts";
import { isSummary } from "./history.ts";
import type { Notes } from "./notes.ts";

/**
 * Applies the policy's history modes to a stored conversation: failed calls that a run would drop are not replayed to
 * the model either, whichever program or policy stored them. Summarized ones enter the notes.
 */
export function storedFailures(messages: readonly Message[], policy: FailurePolicy, notes: Notes): readonly Message[] {
  const calls = matchResults(messages, []);
  const dropped = new Set<number>();
  const replaced = new Map<number, Message | undefined>();
  for (const [index, message] of messages.entries()) {
    for (const { name, input, summary } of message.dropped ?? [])
      if (summary !== undefined) notes.summarized(name, input, summary);
    const matched = calls.get(index) ?? [];
    const modes = modesOf(message, matched, policy);
    const removed = matched.filter((_, at) => modes[at] !== "report");
    for (const [at, { call, result }] of matched.entries()) {
      const category = failureKind(result?.message);
      if (result === undefined) continue;
      if (category === undefined) notes.succeeded(call.name, call.arguments);
      else if (isSummary(modes[at])) notes.summarized(call.name, call.arguments, summaryOf(result.message, category));
    }
    if (removed.length === 0) continue;
    for (const { result } of removed) if (result !== undefined) dropped.add(result.index);
    replaced.set(index, withoutCalls(message, matched, new Set(removed)));
  }
  if (replaced.size === 0) return messages;
  return messages.flatMap((message, index) => {
    if (dropped.has(index)) return [];
    return replaced.has(index) ? (replaced.get(index) ?? []) : [message];
  });
}

/** As in a run, a sealed turn is kept whole if one of its calls is kept. */
function modesOf(
  { provider }: Message,
  matched: readonly MatchedCall[],
  { history }: FailurePolicy,
): readonly HistoryMode[] {
  const modes = matched.map(({ result }): HistoryMode => {
    const kind = failureKind(result?.message);
    return kind === undefined ? "report" : history[kind];
  });
  return provider?.sealed === true && modes.includes("report") ? modes.map(() => "report") : modes;
}

/** The kind of a stored failure: as stored with it, otherwise an execution failure. */
function failureKind(result: Message | undefined): FailureKind | undefined {
  if (result === undefined) return undefined;
  const { shown, isError, content } = result;
  if (shown !== undefined && "error" in shown) {
    return FAILURE_KINDS.find((kind) => kind === shown.error.category) ?? "execution";
  }
  if (isError === true) return "execution";
  // Rows of programs that store a failure as `{"error": "…"}` without a flag.
  return content.startsWith("{") ? readReturnedError(parsed(content))?.kind : undefined;
}

function parsed(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return hasFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function summaryOf({ shown }: Message, category: FailureKind) {
  const retryable = shown === undefined || !("error" in shown) || shown.error.retryable;
  return { category, retryable, permanent: false, executed: category === "execution" || category === "timeout" };
}

function withoutCalls(
  message: Message,
  matched: readonly MatchedCall[],
  removed: ReadonlySet<MatchedCall>,
): Message | undefined {
  const remaining = matched.filter((one) => !removed.has(one)).map(({ call }) => call);
  if (remaining.length === 0 && message.content.trim() === "") return undefined;
  const { toolCalls: _, provider, ...rest } = message;
  const names = new Map(remaining.map(({ id }) => [id, id]));
  const remainingProvider = provider === undefined ? undefined : providerFor(provider, names, false);
  return {
    ...rest,
    ...(remaining.length > 0 && { toolCalls: remaining }),
    ...(remainingProvider !== undefined && { provider: remainingProvider }),
  };
}
