import type { ToolOutcome } from "../outcome/outcome.ts";

/** What a ledger keeps of one call. Without an outcome: it was started, and nobody saw it end. */
export interface LedgerEntry {
  readonly fingerprint: string;
  readonly outcome?: ToolOutcome;
}

/** Remembers calls across restarts, so that a call that was made is not made again. */
export interface Ledger {
  get(key: string): LedgerEntry | undefined | Promise<LedgerEntry | undefined>;
  set(key: string, entry: LedgerEntry): void | Promise<void>;
}

/** A ledger that lives as long as the process. */
export function memoryLedger(): Ledger {
  const entries = new Map<string, LedgerEntry>();
  return {
    get: (key) => entries.get(key),
    set: (key, entry) => {
      entries.set(key, entry);
    },
  };
}
