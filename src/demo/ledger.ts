import type { Status } from "../core/model/outcome.ts";
import type { Api } from "../core/wire/index.ts";

/** One scripted call with its expected outcome. */
export interface LedgerEntry {
  readonly agent: string;
  readonly model: string;
  readonly api: Api | "history";
  readonly tool: string;
  readonly expected: Status;
}

/** The expected calls of a demo, with which dashboard and report must agree. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];

  add(entry: LedgerEntry): void {
    this.entries.push(entry);
  }

  /** Counts by status for each value of a field. */
  by(field: "tool" | "model" | "agent" | "api"): ReadonlyMap<string, Record<Status | "calls", number>> {
    const sums = new Map<string, Record<Status | "calls", number>>();
    for (const entry of this.entries) {
      const sum = sums.get(entry[field]) ?? { calls: 0, ok: 0, failed: 0, unknown: 0 };
      sum.calls += 1;
      sum[entry.expected] += 1;
      sums.set(entry[field], sum);
    }
    return sums;
  }
}
