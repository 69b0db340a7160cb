import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import type { ToolDefinition } from "../model/model-function.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { CircuitOptions } from "../policy/circuit.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { DefinitionFormats } from "./definitions.ts";
import type { FailureParser } from "./failures.ts";
import type { AgentHooks, Ledger } from "./hooks.ts";
import type { Tool } from "./tool.ts";

export interface RegistryOptions {
  /** What tools get as `context`; a call may bring its own. */
  readonly context?: unknown;
  /** `throw`: an unknown name throws `UnknownToolError`; nothing else ever does. */
  readonly onUnknown?: "report" | "throw";
  /** Other names for tools. None may be the name of a tool. */
  readonly aliases?: { readonly [alias: string]: string };
  /** So many names are listed in the answer to an unknown one; 50. */
  readonly maxListed?: number;
  /** For tools that do not say; 60 s. */
  readonly timeoutMs?: number;
  /** For tools that do not say; 32 KB. */
  readonly maxResultBytes?: number;
  /** For every tool on its own; `false` for none. 5 failures, 30 s. */
  readonly breaker?: CircuitOptions | false;
  readonly sanitizer?: Sanitizer;
  readonly hooks?: AgentHooks;
  readonly clock?: Clock;
  /** For calls that come without an id. */
  readonly newId?: () => string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly context?: unknown;
  /** Not longer than this, whatever the tool says. */
  readonly timeoutMs?: number;
  readonly reading?: FailureParser;
  /** As the option of the registry; either of them throws. */
  readonly onUnknown?: "report" | "throw";
  readonly ledger?: Ledger;
  /** What the call's id is unique in; the round of a run. */
  readonly scope?: string;
  readonly onRetry?: (attempt: number, delayMs: number) => void;
}

/** What a registry and the loops around it share. */
export interface AgentEnvironment {
  readonly clock: Clock;
  readonly sanitizer: Sanitizer;
  readonly hooks: AgentHooks;
  readonly newId: () => string;
}

/** Tools by name. Calls every one of them the same way, and says how it ended. */
export interface ToolRegistry {
  /** The tools that can be called, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly environment: AgentEnvironment;
  register(...tools: Tool[]): void;
  unregister(name: string): boolean;
  /** The tool of that name or alias. */
  find(name: string): Tool | undefined;
  /** The same tools, of which only some can be called. */
  only(names: Iterable<string>): ToolRegistry;
  /** Never rejects, except for an unknown name in strict mode. */
  call(call: ModelCall, options?: CallOptions): Promise<ToolOutcome>;
  /** The tools as a model is told of them. */
  definitions(): ToolDefinition[];
  definitions<Format extends keyof DefinitionFormats>(format: Format): DefinitionFormats[Format][];
}
