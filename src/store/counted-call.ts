import { recordStatus, toolName } from "../core/model/call-record.ts";
import type { Changes } from "../core/model/changes.ts";
import type { CountedCall, CountedLeak } from "./port.ts";

/** The calls of a batch that live counters must count. */
export function countedCalls(changes: Changes): readonly CountedCall[] {
  return changes.calls.flatMap(({ after, counts }) => {
    const outcome = recordStatus(after);
    if (!counts || outcome === "pending") return [];
    const { facts } = after;
    const category = facts.result?.value.outcome.category;
    return [
      {
        provider: facts.provider?.value ?? "",
        model: facts.model?.value ?? "",
        tool_name: toolName(after),
        outcome,
        ...(category !== undefined && { category }),
        ...(facts.execution_time_ms !== undefined && { execution_time_ms: facts.execution_time_ms.value }),
      },
    ];
  });
}

/** The leaks of a batch that the live counter must count. */
export function countedLeaks({ leaks }: Changes, live: boolean): readonly CountedLeak[] {
  return leaks
    .filter((leak) => live && leak.live)
    .map(({ model, format, result, parsed }) => ({ model: model ?? "", format, result, calls: Math.max(1, parsed) }));
}
