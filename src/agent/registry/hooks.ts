import { distance } from "fastest-levenshtein";
import { type Checks, callback, checkOption } from "../check-options.ts";
import { ignoreErrors } from "../ignore-errors.ts";
import type { ModelCall } from "../model/message.ts";
import type { ModelFunction, ModelRequest } from "../model/model-function.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { Tool } from "./define-tool.ts";

/** An entry for the server's log. `cause` is raw: it must not leave the server. */
export interface LogEntry {
  readonly level: "warn" | "error";
  /** `unknown_tool`, `execution`, `leak_recovered`, … */
  readonly event: string;
  readonly message: string;
  readonly ref?: string;
  readonly cause?: unknown;
  readonly details?: { readonly [key: string]: unknown };
}

/** `suspend`: the run ends, and a later one continues with the decision. */
export type Approval = boolean | { readonly reason: string } | "suspend" | undefined;

/**
 * Observers and the approval hook. Exceptions and rejections of observers are ignored; an exception of `approve` is a
 * refusal.
 */
export interface AgentHooks {
  /** As the registry's option `log`, which it overrides. */
  log?(entry: LogEntry): void;
  /**
   * Called before a call runs, with its parsed and validated arguments. `false` or a reason refuses it. `suspend` ends
   * the run with the reason `approval`; pass the decision to a later run as `approvals`.
   */
  approve?(call: ModelCall, tool: Tool): Approval | Promise<Approval>;
  /** Runs around each call of a known tool: `next()` makes it. An exception is a failed call. */
  aroundCall?(call: ModelCall, next: () => Promise<ToolOutcome>): Promise<ToolOutcome>;
  /** Runs around each model call: `next(request)` makes it. An exception is an error of the model. */
  aroundModel?(request: ModelRequest, next: ModelFunction): ReturnType<ModelFunction>;
  onOutcome?(outcome: ToolOutcome): void;
}

export function logSafely({ log }: { readonly log: (entry: LogEntry) => void }, entry: LogEntry): void {
  ignoreErrors(() => log(entry));
}

const HOOKS: Checks<keyof AgentHooks> = {
  log: callback,
  approve: callback,
  aroundCall: callback,
  aroundModel: callback,
  onOutcome: callback,
};
/** Differences in letters that still count as a typing error. */
const MAX_TYPOS = 2;

/** Throws for a mistyped hook: an approval that is never asked would let every call run. Other fields are allowed. */
export function checkHooks(owner: string, hooks: AgentHooks): void {
  for (const [name, check] of Object.entries(HOOKS)) {
    const hook: unknown = Reflect.get(hooks, name);
    if (hook !== undefined) checkOption(owner, `hooks.${name}`, hook, check);
  }
  for (const [name, value] of Object.entries(hooks)) {
    if (Object.hasOwn(HOOKS, name) || typeof value !== "function") continue;
    const meant = Object.keys(HOOKS).find((hook) => distance(hook.toLowerCase(), name.toLowerCase()) <= MAX_TYPOS);
    if (meant !== undefined) throw new TypeError(`${owner}: 'hooks.${name}' is not a hook. Did you mean '${meant}'?`);
  }
}

/** A call in the ledger. Without an outcome, it was started but its end was not recorded. */
export interface LedgerEntry {
  readonly fingerprint: string;
  readonly outcome?: ToolOutcome;
}

/** Stores calls across restarts, so that they are not repeated. */
export interface Ledger {
  get(key: string): LedgerEntry | undefined | Promise<LedgerEntry | undefined>;
  set(key: string, entry: LedgerEntry): void | Promise<void>;
}

/** A ledger in memory. */
export function memoryLedger(): Ledger {
  const entries = new Map<string, LedgerEntry>();
  return {
    get: (key) => entries.get(key),
    set: (key, entry) => {
      entries.set(key, entry);
    },
  };
}
