import type { LeakReport, RepairedCall } from "../../core/repair/index.ts";
import { RepairTurn, type TurnContext } from "../../core/repair/repair-turn.ts";
import { stopProblem } from "../../core/repair/stop-reason.ts";
import type { TextSegment } from "../../core/repair/text-segment.ts";
import type { UnrepairedReason } from "../../core/repair/types.ts";
import type { Content, FinishReason, Generated } from "./model-types.ts";

/** What became of an answer and of its leaks. */
export interface MendedAnswer {
  readonly answer: Generated;
  readonly leaks: readonly LeakReport[];
}

/** A whole answer in which leaked calls are calls; the very one that came where there is nothing to mend. */
export function repairGenerated(answer: Generated, context: TurnContext): MendedAnswer {
  const turn = new RepairTurn(context);
  const units = new Map<Content, TextSegment>();
  if (context.options.thinkingFirst === true && answer.content[0]?.type !== "reasoning") turn.forbid("thinking");
  for (const part of answer.content) {
    if (isCallPart(part)) turn.forbid("native-call");
    if (part.type !== "text") continue;
    if (isCited(part)) turn.forbid("citations");
    const unit = turn.newSegment();
    unit.push(part.text);
    units.set(part, unit);
  }
  turn.end(endProblem(answer.finishReason));
  const leaks = turn.reports;
  if (!turn.isRepaired) return { answer, leaks };
  const content = answer.content.flatMap((part): Content[] => {
    const unit = units.get(part);
    if (unit === undefined || part.type !== "text" || unit.accepted.length === 0) return [part];
    return unit.isRemoved ? [] : [{ ...part, text: unit.remaining(0, unit.length) }];
  });
  return {
    answer: {
      ...answer,
      content: [...content, ...turn.calls.map(toolCall)],
      finishReason: callsMade(answer.finishReason),
    },
    leaks,
  };
}

/** Calls of the client and of the provider, in an answer or a stream. */
export function isCallPart({ type }: { readonly type: string }): boolean {
  return type.startsWith("tool-");
}

export function isCited(part: object): boolean {
  return "citations" in part && Array.isArray(part.citations) && part.citations.length > 0;
}

export function endProblem({ unified }: FinishReason): UnrepairedReason | undefined {
  return unified === "interrupted" ? "broken-off" : stopProblem(unified.replace("-", "_"));
}

export function callsMade(reason: FinishReason): FinishReason {
  return { ...reason, unified: "tool-calls" };
}

export function toolCall({ id, name, arguments: args }: RepairedCall) {
  return { type: "tool-call", toolCallId: id, toolName: name, input: args } as const;
}
