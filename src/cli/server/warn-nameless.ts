import { UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { CountedCall } from "../../store/port.ts";
import type { Logger } from "../logger.ts";

/** A client that never shows its calls would fill the log. */
const ONCE_IN_MS = 60_000;

/** Warns of results whose tool nobody named: how many, and nothing of what they say or whose they are. At most once a minute; then of all since. */
export function warnUnnamedCalls(
  logger: Pick<Logger, "warn">,
  now: () => number,
): (calls: readonly CountedCall[]) => void {
  let results = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (calls) => {
    for (const { tool_name } of calls) if (tool_name === UNKNOWN_TOOL) results += 1;
    if (results === 0 || now() - toldAt < ONCE_IN_MS) return;
    logger.warn({ results }, `results of calls that nobody saw: their tool is recorded as ${UNKNOWN_TOOL}`);
    results = 0;
    toldAt = now();
  };
}
