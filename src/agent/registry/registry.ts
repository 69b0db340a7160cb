import { type Clock, systemClock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import type { ToolDefinition } from "../model/model-function.ts";
import { causeOf, type ToolFailure } from "../outcome/failure.ts";
import type { OutcomeNote, ToolOutcome } from "../outcome/outcome.ts";
import { canonicalText } from "../outcome/result-text.ts";
import { Circuit, type CircuitOptions } from "../policy/circuit.ts";
import { createSanitizer, type Sanitizer } from "../sanitise/sanitizer.ts";
import { shownName } from "../sanitise/user-texts.ts";
import { callTool } from "./call-tool.ts";
import { type DefinitionFormats, definitionFor } from "./definitions.ts";
import { abortedFailure, type FailureReading, type FailureScene, failureIn, sceneOf, UNEXPECTED } from "./failures.ts";
import type { AgentHooks, LogEntry } from "./hooks.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { describeUnknown } from "./names.ts";
import { runOnce } from "./run-once.ts";
import type { Tool } from "./tool.ts";
import { UnknownToolError } from "./unknown-tool-error.ts";

export interface RegistryOptions {
  /** What tools get as `context`; a call may bring its own. */
  readonly context?: unknown;
  /** `throw`: an unknown name throws {@link UnknownToolError}; nothing else ever does. */
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
  readonly reading?: FailureReading;
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

/**
 * @example
 * const registry = createToolRegistry([searchPlaces, getWeather]);
 * const outcome = await registry.call({ id: "1", name: "search_places", arguments: '{"location":"Paris"}' });
 * if (!outcome.ok) console.log(outcome.failure.modelMessage);
 */
export function createToolRegistry(tools: Iterable<Tool>, options: RegistryOptions = {}): ToolRegistry {
  return new Registry(tools, options);
}

const LISTED = 50;
const TIMEOUT = 60_000;
const RESULT_BYTES = 32_768;
const LONGEST_WAIT = 2 ** 31 - 1;
const NEVER = new AbortController().signal;
const BREAKER: CircuitOptions = { failures: 5, cooldownMs: 30_000 };

class Registry implements ToolRegistry {
  readonly #all = new Map<string, Tool>();
  readonly #aliases = new Map<string, string>();
  readonly #circuits = new Map<string, Circuit>();
  readonly #options: RegistryOptions;
  readonly environment: AgentEnvironment;

  constructor(tools: Iterable<Tool>, options: RegistryOptions) {
    this.#options = options;
    this.environment = {
      clock: options.clock ?? systemClock,
      sanitizer: options.sanitizer ?? createSanitizer(),
      hooks: options.hooks ?? {},
      newId: options.newId ?? (() => globalThis.crypto.randomUUID()),
    };
    this.register(...tools);
    for (const [alias, name] of Object.entries(options.aliases ?? {})) {
      if (this.#all.has(alias)) throw new TypeError(`The alias '${alias}' is the name of a tool.`);
      if (!this.#all.has(name)) throw new TypeError(`The alias '${alias}' stands for '${name}', which is no tool.`);
      this.#aliases.set(alias, name);
    }
  }

  get tools(): ReadonlyMap<string, Tool> {
    return this.#all;
  }

  register(...tools: Tool[]): void {
    for (const tool of tools) {
      if (this.#all.has(tool.name)) throw new TypeError(`There are two tools named '${tool.name}'.`);
      if (this.#aliases.has(tool.name)) throw new TypeError(`'${tool.name}' is already an alias.`);
      this.#all.set(tool.name, tool);
    }
  }

  unregister(name: string): boolean {
    this.#circuits.delete(name);
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
    const scene = sceneOf(this.environment, tool?.name ?? name, call.arguments, options.reading);
    if (tool === undefined) {
      const failure = unknownFailure(scene, name, [...callable.keys()], this.#options.maxListed ?? LISTED);
      this.#log({ level: "warn", event: "unknown_tool", message: failure.modelMessage, ref: failure.ref });
      if (this.#options.onUnknown === "throw" || options.onUnknown === "throw") throw new UnknownToolError(failure);
      return this.#settled(endedEarly(call, failure));
    }
    if (!callable.has(tool.name)) {
      return this.#settled(
        endedEarly(call, disabledFailure(scene, [...callable.keys()], this.#options.maxListed ?? LISTED)),
      );
    }
    const refusal = await this.#refusal(scene, tool, call, options.signal);
    if (refusal !== undefined) return this.#settled(endedEarly(call, refusal));
    const outcome = await this.#remembered(scene, tool, call, options);
    const notes: OutcomeNote[] = tool.name === name ? [] : [{ kind: "alias", from: name }];
    return this.#settled(notes.length === 0 ? outcome : { ...outcome, notes: [...notes, ...outcome.notes] });
  }

  /** Somebody was asked, and said no. A guard that fails has not said yes. */
  async #refusal(
    scene: FailureScene,
    tool: Tool,
    call: ModelCall,
    signal: AbortSignal | undefined,
  ): Promise<ToolFailure | undefined> {
    const { approve } = this.environment.hooks;
    if (approve === undefined) return undefined;
    // People may take as long as they like, but nobody waits for them after an abort.
    const limits = { timeoutMs: LONGEST_WAIT, signal: signal ?? NEVER, clock: this.environment.clock };
    const end = await runOnce(async () => approve.call(this.environment.hooks, call, tool), limits);
    if (end.kind === "aborted") return abortedFailure(scene, false);
    if (end.kind !== "value") return deniedFailure(scene, "", end.kind === "threw" ? end.error : undefined);
    if (end.value === undefined || end.value === true) return undefined;
    const why = typeof end.value === "object" ? this.environment.sanitizer.forModel(end.value.reason, scene.known) : "";
    return deniedFailure(scene, why);
  }

  async #remembered(scene: FailureScene, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const { ledger } = options;
    if (ledger === undefined) return this.#guarded(scene, tool, call, options);
    if (call.id === "") return endedEarly(call, deniedFailure(scene, "A call without an id cannot be remembered."));
    const key = `${options.scope ?? ""}/${call.id}`;
    const fingerprint = `${tool.name} ${canonicalText(call.arguments)}`;
    try {
      const entry = await ledger.get(key);
      if (entry !== undefined && entry.fingerprint !== fingerprint) {
        return endedEarly(call, deniedFailure(scene, "Another call with the same id was made before."));
      }
      if (entry?.outcome !== undefined) return { ...entry.outcome, replayed: true };
      if (entry !== undefined && tool.idempotent !== true) return endedEarly(call, interruptedFailure(scene));
      await ledger.set(key, { fingerprint });
      const outcome = await this.#guarded(scene, tool, call, options);
      await this.#remember(ledger, key, { fingerprint, outcome });
      return entry === undefined ? outcome : { ...outcome, notes: [...outcome.notes, { kind: "possible-duplicate" }] };
    } catch (error) {
      // Whether it was made before cannot be known: it is not made.
      return endedEarly(call, failureIn(scene, "execution", { code: "ledger", modelMessage: UNEXPECTED }, error));
    }
  }

  /** The call is over: that it could not be written down does not undo it. */
  async #remember(ledger: Ledger, key: string, entry: LedgerEntry): Promise<void> {
    try {
      await ledger.set(key, entry);
    } catch (cause) {
      this.#log({ level: "error", event: "ledger", message: "An outcome could not be remembered.", cause });
    }
  }

  async #guarded(scene: FailureScene, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const circuit = this.#circuit(tool.name);
    if (circuit?.enter() === false) return endedEarly(call, openFailure(scene));
    const own = tool.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT;
    const outcome = await callTool(tool, call, {
      ...scene,
      clock: this.environment.clock,
      signal: options.signal ?? NEVER,
      context: options.context ?? this.#options.context,
      timeoutMs: Math.max(1, Math.min(own, options.timeoutMs ?? own)),
      maxResultBytes: tool.maxResultBytes ?? this.#options.maxResultBytes ?? RESULT_BYTES,
      onRetry: (attempt, delayMs) => this.#quietly(() => options.onRetry?.(attempt, delayMs)),
    });
    if (outcome.ok) circuit?.succeeded();
    else if (outcome.failure.kind === "execution" || outcome.failure.kind === "timeout") circuit?.failed();
    else circuit?.left();
    return outcome;
  }

  #circuit(name: string): Circuit | undefined {
    const { breaker = BREAKER } = this.#options;
    if (breaker === false) return undefined;
    let circuit = this.#circuits.get(name);
    if (circuit === undefined) {
      circuit = new Circuit(breaker, () => this.environment.clock.now());
      this.#circuits.set(name, circuit);
    }
    return circuit;
  }

  #settled(outcome: ToolOutcome): ToolOutcome {
    if (!outcome.ok && outcome.failure.executed && !outcome.replayed) {
      const { failure } = outcome;
      const message = `Tool '${shownName(outcome.call.name)}' failed: ${failure.kind}`;
      this.#log({ level: "error", event: failure.kind, message, ref: failure.ref, cause: causeOf(failure) });
    }
    this.#quietly(() => this.environment.hooks.onOutcome?.(outcome));
    return outcome;
  }

  #log(entry: LogEntry): void {
    this.#quietly(() => this.environment.hooks.log?.(entry));
  }

  /** An onlooker that fails is not part of the run. */
  #quietly(watch: () => void): void {
    try {
      watch();
    } catch {
      // Nothing to tell it to.
    }
  }
}

/** Some of the tools of a registry. Circuits and hooks are the registry's own. */
class Selection implements ToolRegistry {
  readonly #whole: Registry;
  readonly #names: ReadonlySet<string>;
  readonly #call: Registry["callAmong"];

  constructor(whole: Registry, names: ReadonlySet<string>, call: Registry["callAmong"]) {
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

function definitionsOf(tools: Iterable<Tool>, format: keyof DefinitionFormats | undefined): unknown[] {
  return [...tools].map(({ name, description, inputSchema }) => {
    const definition: ToolDefinition = { name, ...(description !== undefined && { description }), inputSchema };
    return format === undefined ? definition : definitionFor(format, definition);
  });
}

/** The outcome of a call that never reached its tool. */
export function endedEarly(call: ModelCall, failure: ToolFailure): ToolOutcome {
  return { call, input: call.arguments, attempts: 0, durationMs: 0, replayed: false, notes: [], ok: false, failure };
}

function unknownFailure(scene: FailureScene, name: string, names: readonly string[], most: number): ToolFailure {
  const { text, suggestions, listed } = describeUnknown(name, names, most);
  return failureIn(scene, "unknown_tool", { modelMessage: text, suggestions, available: listed });
}

function disabledFailure(scene: FailureScene, names: readonly string[], most: number): ToolFailure {
  const available = names.slice(0, most);
  return failureIn(scene, "denied", {
    code: "disabled",
    retryable: false,
    available,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' cannot be called now.\n\nAvailable tools: ${available.join(", ")}`,
  });
}

function deniedFailure(scene: FailureScene, why: string, cause?: unknown): ToolFailure {
  const reason = why === "" ? "" : ` ${why}`;
  return failureIn(
    scene,
    "denied",
    { retryable: false, modelMessage: `Error: Tool '${shownName(scene.tool)}' was not allowed to run.${reason}` },
    cause,
  );
}

function interruptedFailure(scene: FailureScene): ToolFailure {
  return failureIn(scene, "execution", {
    code: "interrupted",
    executed: true,
    retryable: false,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' was started before an interruption and may have taken effect. It was not run again: check first.`,
  });
}

function openFailure(scene: FailureScene): ToolFailure {
  return failureIn(scene, "circuit_open", {
    modelMessage: `Error: Tool '${shownName(scene.tool)}' has failed several times in a row and is switched off for a while. Go on without it.`,
  });
}
