import type { ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { Tool } from "./define-tool.ts";

/** One line for the server's log. `cause` is raw: it must not leave the server. */
export interface LogEntry {
  readonly level: "warn" | "error";
  /** `unknown_tool`, `execution`, `leak_recovered`, … */
  readonly event: string;
  readonly message: string;
  readonly ref?: string;
  readonly cause?: unknown;
  readonly details?: { readonly [key: string]: unknown };
}

type Answer = boolean | { readonly reason: string } | undefined;

/** Who watches, and who may say no. What a watcher throws changes nothing; a guard that throws has said no. */
export interface AgentHooks {
  log?(entry: LogEntry): void;
  /** Before a call runs: `false` or a reason refuses it. */
  approve?(call: ModelCall, tool: Tool): Answer | Promise<Answer>;
  onOutcome?(outcome: ToolOutcome): void;
}

/** An onlooker that fails is not part of the run. */
export function ignoreErrors(watch: () => void): void {
  try {
    watch();
  } catch {
    // Nobody is left to tell it to.
  }
}

export function logSafely(hooks: AgentHooks, entry: LogEntry): void {
  ignoreErrors(() => hooks.log?.(entry));
}

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
