import type { ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { Tool } from "./tool.ts";

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
export function quietly(watch: () => void): void {
  try {
    watch();
  } catch {
    // Nobody is left to tell it to.
  }
}

export function logQuietly(hooks: AgentHooks, entry: LogEntry): void {
  quietly(() => hooks.log?.(entry));
}
