import {
  anything,
  type Checks,
  callback,
  checkOptions,
  clock,
  count,
  either,
  MAX_TIMER_MS,
  milliseconds,
  notNegative,
  object,
  oneOf,
  positive,
  recordOf,
  withMethods,
} from "../check-options.ts";
import { type Clock, systemClock } from "../clock.ts";
import { ignoreErrors } from "../ignore-errors.ts";
import type { ModelCall } from "../model/message.ts";
import type { ToolDefinition } from "../model/model-function.ts";
import { causeOf, failureOf, isBreakdown } from "../outcome/failure.ts";
import type { FailedCall, OutcomeNote, ToolOutcome } from "../outcome/outcome.ts";
import type { CircuitOptions } from "../policy/circuit.ts";
import { createSanitizer, type Sanitizer } from "../sanitize/safe-text.ts";
import { shownName } from "../sanitize/user-texts.ts";
import { CallDispatcher } from "./call-dispatcher.ts";
import { runOnce } from "./call-tool.ts";
import { consoleLog } from "./console-log.ts";
import type { Tool } from "./define-tool.ts";
import { checkFormat, type DefinitionFormats, definitionFor } from "./definitions.ts";
import {
  abortedFailure,
  disabledFailure,
  endedEarly,
  type FailureContext,
  type FailureParser,
  failureContext,
  failureIn,
  isPending,
  UNEXPECTED,
  unknownFailure,
} from "./failures.ts";
import { type AgentHooks, type Approval, checkHooks, type Ledger, type LogEntry, logSafely } from "./hooks.ts";
import { UnknownToolError } from "./names.ts";
import type { ToolContextOf, ToolName, ToolOutput } from "./tool-types.ts";

/**
 * @example
 * const registry = createToolRegistry([searchPlaces, getWeather]);
 * const outcome = await registry.call({ id: "1", name: "search_places", arguments: '{"location":"Paris"}' });
 * if (!outcome.ok) console.log(outcome.failure.modelMessage);
 */
export function createToolRegistry<T extends Tool>(
  tools: Iterable<T>,
  options: RegistryOptions<ToolContextOf<T>> = {},
): TypedToolRegistry<T> {
  // The class works with any tools; only its interface knows their types.
  return new Registry(tools, options) as ToolRegistry as TypedToolRegistry<T>;
}

const DEFAULT_MAX_LISTED = 50;
const NEVER = new AbortController().signal;

class Registry implements ToolRegistry {
  readonly #all = new Map<string, Tool>();
  readonly #aliases = new Map<string, string>();
  readonly #options: RegistryOptions;
  readonly #dispatcher: CallDispatcher;
  readonly environment: AgentEnvironment;

  constructor(tools: Iterable<Tool>, options: RegistryOptions) {
    checkRegistryOptions(options);
    this.#options = options;
    const sanitizer = options.sanitizer ?? createSanitizer();
    this.environment = {
      clock: options.clock ?? systemClock,
      sanitizer,
      hooks: options.hooks ?? {},
      log: logOf(options, sanitizer),
      newId: options.newId ?? (() => globalThis.crypto.randomUUID()),
    };
    this.#dispatcher = new CallDispatcher(this.environment, options);
    this.register(...tools);
    for (const [alias, name] of Object.entries(options.aliases ?? {})) {
      if (this.#all.has(alias)) throw new TypeError(`The alias '${alias}' is the name of a tool.`);
      if (!this.#all.has(name)) throw new TypeError(`The alias '${alias}' refers to '${name}', which is not a tool.`);
      this.#aliases.set(alias, name);
    }
  }

  get tools(): ReadonlyMap<string, Tool> {
    return this.#all;
  }

  register(...tools: Tool[]): void {
    for (const tool of tools) {
      if (this.#all.has(tool.name)) throw new TypeError(`A tool named '${tool.name}' is already registered.`);
      if (this.#aliases.has(tool.name)) throw new TypeError(`'${tool.name}' is already an alias.`);
      this.#all.set(tool.name, tool);
    }
  }

  unregister(name: string): boolean {
    this.#dispatcher.forget(name);
    return this.#all.delete(name);
  }

  find(name: string): Tool | undefined {
    return this.#all.get(name) ?? this.#all.get(this.#aliases.get(name) ?? "");
  }

  only(names: Iterable<string>): ToolRegistry {
    return new Selection(this, new Set(names), (call, allowed, options) => this.callAmong(call, allowed, options));
  }

  definitions(): ToolDefinition[];
  definitions<Format extends keyof DefinitionFormats>(format: Format): DefinitionFormats[Format][];
  definitions(format?: keyof DefinitionFormats): unknown[] {
    return definitionsOf(this.#all.values(), format);
  }

  call(call: ModelCall, options: CallOptions = {}): Promise<ToolOutcome> {
    return this.callAmong(call, this.#all, options);
  }

  async callAmong(call: ModelCall, callable: ReadonlyMap<string, Tool>, options: CallOptions): Promise<ToolOutcome> {
    const name = String(call.name);
    const tool = this.find(name);
    const context = failureContext(this.environment, tool?.name ?? name, call.arguments, options.reading);
    if (tool === undefined) {
      const failure = unknownFailure(
        context,
        name,
        [...callable.keys()],
        this.#options.maxListed ?? DEFAULT_MAX_LISTED,
      );
      logSafely(this.environment, {
        level: "warn",
        event: "unknown_tool",
        message: failure.modelMessage,
        ref: failure.ref,
      });
      if (this.#options.onUnknown === "throw" || options.onUnknown === "throw") throw new UnknownToolError(failure);
      return this.#settled(endedEarly(call, failure));
    }
    if (!callable.has(tool.name)) {
      return this.#settled(
        endedEarly(call, disabledFailure(context, [...callable.keys()], this.#options.maxListed ?? DEFAULT_MAX_LISTED)),
      );
    }
    const outcome = this.#known(name, context, callable, await this.#around(context, tool, call, options));
    const notes: OutcomeNote[] = tool.name === name ? [] : [{ kind: "alias", from: name }];
    return this.#settled(notes.length === 0 ? outcome : { ...outcome, notes: [...notes, ...outcome.notes] });
  }

  /** Makes the call, inside the hook around it. */
  async #around(context: FailureContext, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const { hooks } = this.environment;
    const make = (): Promise<ToolOutcome> => this.#dispatcher.make(context, tool, call, options);
    if (hooks.aroundCall === undefined) return make();
    // The hook has no time limit, but an abort does not wait for it.
    const limits = { timeoutMs: MAX_TIMER_MS, signal: options.signal ?? NEVER, clock: this.environment.clock };
    const end = await runOnce(async () => hooks.aroundCall?.(call, make) ?? make(), limits);
    if (end.kind === "value") return end.value;
    if (end.kind === "aborted") return endedEarly(call, abortedFailure(context, true));
    const cause = end.kind === "threw" ? end.error : undefined;
    return endedEarly(call, failureIn(context, "execution", { unexpected: true, modelMessage: UNEXPECTED }, cause));
  }

  /** A tool may become unknown during a call, if a server removed it. */
  #known(
    name: string,
    context: FailureContext,
    callable: ReadonlyMap<string, Tool>,
    outcome: ToolOutcome,
  ): ToolOutcome {
    if (outcome.ok || outcome.failure.kind !== "unknown_tool") return outcome;
    const others = [...callable.keys()].filter((other) => other !== context.tool);
    const failure = unknownFailure(context, name, others, this.#options.maxListed ?? DEFAULT_MAX_LISTED);
    return { ...outcome, failure: failureOf(failure, causeOf(outcome.failure)) };
  }

  #settled(outcome: ToolOutcome): ToolOutcome {
    if (isPending(outcome)) return outcome;
    if (!outcome.ok && !outcome.replayed) this.#logFailure(outcome);
    ignoreErrors(() => this.environment.hooks.onOutcome?.(outcome));
    return outcome;
  }

  /** Logs failures of calls that ran, and exceptions. Invalid calls are reported to the model only. */
  #logFailure({ call, failure }: FailedCall): void {
    const cause = causeOf(failure);
    if (failure.kind === "aborted" || (!failure.executed && cause === undefined)) return;
    const message = `Tool '${shownName(call.name)}' failed: ${failure.kind}`;
    const level = failure.executed && !isBreakdown(failure) ? "warn" : "error";
    logSafely(this.environment, { level, event: failure.kind, message, ref: failure.ref, cause });
  }
}

function logOf({ log, hooks }: RegistryOptions, sanitizer: Sanitizer): (entry: LogEntry) => void {
  if (hooks?.log !== undefined) return (entry) => hooks.log?.(entry);
  if (log === false) return () => undefined;
  return log ?? consoleLog(sanitizer);
}

const OFF = { expected: "false", isValid: (value: unknown) => value === false };
const CHECKS: Checks<keyof RegistryOptions> = {
  context: anything,
  onUnknown: oneOf("report", "throw"),
  aliases: recordOf("an object of texts", (value) => typeof value === "string"),
  maxListed: count(0),
  timeoutMs: milliseconds,
  maxResultBytes: positive,
  breaker: either("false or { failures, cooldownMs }", OFF, object),
  sanitizer: withMethods("created by createSanitizer()", "forModel", "forUser", "userText"),
  hooks: object,
  log: either("a function or false", OFF, callback),
  clock,
  newId: callback,
};
const BREAKER_CHECKS: Checks<keyof CircuitOptions> = { failures: count(1), cooldownMs: notNegative };

function checkRegistryOptions(options: RegistryOptions): void {
  checkOptions(OWNER, options, CHECKS);
  const { breaker = false, hooks } = options;
  if (breaker !== false) checkOptions(OWNER, breaker, BREAKER_CHECKS, "breaker", Object.keys(BREAKER_CHECKS));
  if (hooks !== undefined) checkHooks(OWNER, hooks);
}

const OWNER = "createToolRegistry";

export interface RegistryOptions<Context = unknown> {
  /** Passed to tools as `context`; a call can override it. */
  readonly context?: Context;
  /** `throw`: an unknown name throws `UnknownToolError`; nothing else ever throws. */
  readonly onUnknown?: "report" | "throw";
  /** Alternative names of tools. An alias must not be the name of a tool. */
  readonly aliases?: { readonly [alias: string]: string };
  /** Maximum number of names listed for an unknown one; default 50. */
  readonly maxListed?: number;
  /** For tools without their own limit; default 60 s. */
  readonly timeoutMs?: number;
  /** For tools without their own limit; default 32 KB. */
  readonly maxResultBytes?: number;
  /**
   * Switches a tool off for all runs that share this registry, after consecutive exceptions and timeouts. Off by
   * default: the calls of one user would affect all others.
   */
  readonly breaker?: CircuitOptions | false;
  readonly sanitizer?: Sanitizer;
  readonly hooks?: AgentHooks;
  /**
   * Receives problems: failed calls, unknown names, errors of the model. By default each problem is printed once to the
   * console, without secrets; `false` switches that off.
   */
  readonly log?: ((entry: LogEntry) => void) | false;
  readonly clock?: Clock;
  /** Creates ids for calls without one. */
  readonly newId?: () => string;
}

export interface CallOptions<Context = unknown> {
  readonly signal?: AbortSignal;
  readonly context?: Context;
  /** Upper bound for the tool's own time limit. */
  readonly timeoutMs?: number;
  readonly reading?: FailureParser;
  /** Like the registry's option; either of them throws. */
  readonly onUnknown?: "report" | "throw";
  readonly ledger?: Ledger;
  /** Scope in which the call's id is unique: the round of a run. */
  readonly scope?: string;
  readonly onRetry?: (attempt: number, delayMs: number) => void;
  readonly onProgress?: (value: unknown) => void;
  /** A decision that was made before, instead of asking the approval hook. */
  readonly approval?: Approval;
}

/** Shared by a registry and the loops that use it. */
export interface AgentEnvironment {
  readonly clock: Clock;
  readonly sanitizer: Sanitizer;
  readonly hooks: AgentHooks;
  readonly log: (entry: LogEntry) => void;
  readonly newId: () => string;
}

/** Tools by name. Calls them uniformly and returns an outcome for every call. */
export interface ToolRegistry {
  /** The tools that can be called, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly environment: AgentEnvironment;
  register(...tools: Tool[]): void;
  unregister(name: string): boolean;
  /** Finds a tool by name or alias. */
  find(name: string): Tool | undefined;
  /** A view of the same tools in which only some can be called. */
  only(names: Iterable<string>): ToolRegistry;
  /** Never rejects, except for an unknown name in strict mode. */
  call(call: ModelCall, options?: CallOptions): Promise<ToolOutcome>;
  /** Tool declarations for a model. */
  definitions(): ToolDefinition[];
  definitions<Format extends keyof DefinitionFormats>(format: Format): DefinitionFormats[Format][];
}

/** A registry whose tools the compiler knows. */
export interface TypedToolRegistry<T extends Tool> extends ToolRegistry {
  /** For the compiler only; has no value. */
  readonly "~tools"?: T;
  only(names: Iterable<ToolName<T>>): TypedToolRegistry<T>;
  call<const Name extends string>(
    call: ModelCall & { readonly name: Name },
    options?: CallOptions<ToolContextOf<T>>,
  ): Promise<ToolOutcome<ToolOutput<T, Name>>>;
}

/** Calls a tool if it is currently callable. */
export type SelectedCall = (
  call: ModelCall,
  callable: ReadonlyMap<string, Tool>,
  options: CallOptions,
) => Promise<ToolOutcome>;

/** Some of the tools of a registry, with its circuits and hooks. */
export class Selection implements ToolRegistry {
  readonly #whole: ToolRegistry;
  readonly #names: ReadonlySet<string>;
  readonly #call: SelectedCall;

  constructor(whole: ToolRegistry, names: ReadonlySet<string>, call: SelectedCall) {
    this.#whole = whole;
    this.#names = names;
    this.#call = call;
  }

  get environment(): AgentEnvironment {
    return this.#whole.environment;
  }

  get tools(): ReadonlyMap<string, Tool> {
    return new Map([...this.#whole.tools].filter(([name]) => this.#names.has(name)));
  }

  register(...tools: Tool[]): void {
    this.#whole.register(...tools);
  }

  unregister(name: string): boolean {
    return this.#whole.unregister(name);
  }

  find(name: string): Tool | undefined {
    const tool = this.#whole.find(name);
    return tool !== undefined && this.#names.has(tool.name) ? tool : undefined;
  }

  only(names: Iterable<string>): ToolRegistry {
    return new Selection(this.#whole, new Set([...names].filter((name) => this.#names.has(name))), this.#call);
  }

  call(call: ModelCall, options: CallOptions = {}): Promise<ToolOutcome> {
    return this.#call(call, this.tools, options);
  }

  definitions(): ToolDefinition[];
  definitions<Format extends keyof DefinitionFormats>(format: Format): DefinitionFormats[Format][];
  definitions(format?: keyof DefinitionFormats): unknown[] {
    return definitionsOf(this.tools.values(), format);
  }
}

/** Tool declarations, in a neutral format or in that of an API. */
export function definitionsOf(tools: Iterable<Tool>, format: keyof DefinitionFormats | undefined): unknown[] {
  if (format !== undefined) checkFormat(format);
  return [...tools].map(({ name, description, inputSchema }) => {
    const definition: ToolDefinition = { name, ...(description !== undefined && { description }), inputSchema };
    return format === undefined ? definition : definitionFor(format, definition);
  });
}
