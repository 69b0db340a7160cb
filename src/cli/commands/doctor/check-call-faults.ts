import { faultAdvice, faultText } from "../../../core/repair/calls/fault-text.ts";
import type { CallFaultRow } from "../../../store/port.ts";
import { commandLine } from "../../command-line.ts";
import type { Config } from "../../config.ts";
import { countRepairable, repairableText } from "../repairable-failures.ts";
import type { CheckResult } from "./check-machine.ts";
import { readerOf } from "./check-store.ts";

const DAY_MS = 24 * 3_600_000;
const CHECKED_DAYS = 7;
/** Fewer faults than this may be chance. */
const MIN_FAULTS = 5;
const MIN_SHARE = 0.05;
const MAX_FINDINGS = 5;

/** Reports which servers and models send native calls that do not fit, and how to fix that at the source. */
export async function checkCallFaults(config: Config, now: number): Promise<readonly CheckResult[]> {
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return [];
    try {
      const range = { since: now - CHECKED_DAYS * DAY_MS };
      return [
        ...callFaultFindings(await reader.callFaults(range)),
        ...repairableFindings(await countRepairable(reader, range)),
      ];
    } finally {
      await reader.close();
    }
  } catch {
    // `checkStore` reports what is wrong with the store. A store of an older version lacks these columns.
    return [];
  }
}

export function repairableFindings(count: number): readonly CheckResult[] {
  if (count === 0) return [];
  return [
    {
      check: "repairable failures",
      status: "warning",
      detail: `${repairableText(count).trim().slice(0, -1)}, in ${CHECKED_DAYS} days`,
      advice: `Repair only observes them. Run: ${commandLine("mcp findings")}; for native calls: --repair-calls on.`,
    },
  ];
}

export function callFaultFindings(rows: readonly CallFaultRow[]): readonly CheckResult[] {
  const frequent = rows.filter(({ class: fault, repaired, left, calls }) => {
    const faults = repaired + left;
    return fault !== "none" && faults >= MIN_FAULTS && faults >= calls * MIN_SHARE;
  });
  return frequent.slice(0, MAX_FINDINGS).map(({ provider, model, class: fault, repaired, left, calls }) => ({
    check: "native calls",
    status: "warning",
    detail: `${model ?? "a model"} at ${provider ?? "an unknown upstream"} ${faultText(fault)}: ${repaired + left} of ${calls} calls in ${CHECKED_DAYS} days, ${repaired} repaired`,
    advice: faultAdvice(fault),
  }));
}
