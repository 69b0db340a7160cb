import type { LanguageModelMiddleware } from "ai";
import type { CallReport, LeakReport, RepairedCall } from "../../core/repair/index.ts";
import { RepairTurn, type TurnContext } from "../../core/repair/repair-turn.ts";
import { stopProblem } from "../../core/repair/stop-reason.ts";
import type { TextSegment } from "../../core/repair/text-segment.ts";
import type { UnrepairedReason } from "../../core/repair/types.ts";
import { PartCalls } from "./part-calls.ts";

/** The repaired result and the reports for its leaks. */
export interface RepairedResult {
  readonly result: Generated;
  readonly leaks: readonly LeakReport[];
  readonly callReports: readonly CallReport[];
}

/**
 * Repairs the native calls of a complete result and turns its leaked calls into tool calls. Returns the same object if
 * there is nothing to repair.
 */
export function repairGenerated(given: Generated, context: TurnContext): RepairedResult {
  const native = new PartCalls(context);
  const result = endProblem(given.finishReason) === undefined ? native.repairAll(given) : given;
  const callReports = native.reports;
  if (context.options.ignoresLeaks === true) return { result, leaks: [], callReports };
  const turn = new RepairTurn(context);
  const segments = new Map<Content, TextSegment>();
  if (context.options.thinkingFirst === true && result.content[0]?.type !== "reasoning") turn.forbid("thinking");
  for (const part of result.content) {
    if (isCallPart(part)) turn.forbid("native-call");
    if (part.type !== "text") continue;
    if (isCited(part)) turn.forbid("citations");
    const segment = turn.newSegment();
    segment.push(part.text);
    segments.set(part, segment);
  }
  turn.end(endProblem(result.finishReason));
  const leaks = turn.reports;
  if (!turn.isRepaired) return { result, leaks, callReports };
  const content = result.content.flatMap((part): Content[] => {
    const segment = segments.get(part);
    if (segment === undefined || part.type !== "text" || segment.accepted.length === 0) return [part];
    return segment.isRemoved ? [] : [{ ...part, text: segment.remaining(0, segment.length) }];
  });
  return {
    result: {
      ...result,
      content: [...content, ...turn.calls.map(toolCall)],
      finishReason: withToolCalls(result.finishReason),
    },
    callReports,
    leaks,
  };
}

/** True for calls of the client and of the provider, in a result or a stream. */
export function isCallPart({ type }: { readonly type: string }): boolean {
  return type.startsWith("tool-");
}

export function isCited(part: object): boolean {
  return "citations" in part && Array.isArray(part.citations) && part.citations.length > 0;
}

export function endProblem({ unified }: FinishReason): UnrepairedReason | undefined {
  return unified === "interrupted" ? "aborted" : stopProblem(unified.replace("-", "_"));
}

export function withToolCalls(reason: FinishReason): FinishReason {
  return { ...reason, unified: "tool-calls" };
}

export function toolCall({ id, name, arguments: args }: RepairedCall) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: args } as const;
}

// Derived from the middleware type, so that they match the installed version of the SDK.
type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
type Streamed = Awaited<ReturnType<WrapStream>>;

export type CallOptions = Parameters<WrapGenerate>[0]["params"];
export type Model = Parameters<WrapGenerate>[0]["model"];
export type Generated = Awaited<ReturnType<WrapGenerate>>;
export type Content = Generated["content"][number];
export type FinishReason = Generated["finishReason"];
export type StreamPart = Streamed["stream"] extends ReadableStream<infer Part> ? Part : never;
