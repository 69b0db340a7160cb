import type { Status } from "../core/model/outcome.ts";
import type { Api } from "../core/wire/index.ts";

/** One call that really happened, in the words of whoever made it up. */
export interface LedgerEntry {
  readonly agent: string;
  readonly model: string;
  readonly api: Api | "history";
  readonly tool: string;
  readonly expected: Status;
}

/** The demo's own account of what happened: what dashboard and report must agree with. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];

  add(entry: LedgerEntry): void {
    this.entries.push(entry);
  }

  /** Calls, failures and so on per value of a field. */
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
