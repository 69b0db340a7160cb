import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import { changedFailure, type ToolFailure } from "../outcome/failure.ts";
import type { OutcomeNote, ToolOutcome } from "../outcome/outcome.ts";
import { canonicalText, limitText, resultText } from "../outcome/result-text.ts";
import { backoffMs, isProgramMistake } from "../policy/backoff.ts";
import { checkInput, readArguments } from "./arguments.ts";
import type { FallbackArguments, Tool, ToolContext } from "./define-tool.ts";
import {
  abortedFailure,
  argumentFailure,
  type FailureContext,
  failureIn,
  malformedFailure,
  readFailure,
  returnedFailure,
  thrownFailure,
  timeoutFailure,
  UNEXPECTED,
} from "./failures.ts";
import { runOnce } from "./run-once.ts";

export interface CallContext extends FailureContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: unknown;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  onRetry(attempt: number, delayMs: number): void;
}

/** Further fallback candidates are unlikely to help. */
const MAX_CANDIDATES = 10;

type Tried = { readonly input: unknown } & (
  | { readonly ok: true; readonly value: unknown; readonly modelText: string }
  | { readonly ok: false; readonly failure: ToolFailure; readonly error?: unknown }
);

/**
 * Calls a tool: parses and validates the arguments, runs it with retries and fallbacks, and returns the outcome. Never
 * throws.
 */
export async function callTool(tool: Tool, call: ModelCall, scene: CallContext): Promise<ToolOutcome> {
  const startedAt = scene.clock.now();
  const run = new ToolRun(tool, call, scene);
  const tried = await run.whole();
  const base = {
    call,
    input: tried.input,
    attempts: run.attempts,
    durationMs: Math.max(0, scene.clock.now() - startedAt),
    replayed: false,
    notes: run.notes,
  };
  return tried.ok
    ? { ...base, ok: true, value: tried.value, modelText: tried.modelText }
    : { ...base, ok: false, failure: tried.failure };
}

class ToolRun {
  readonly #tool: Tool;
  readonly #call: ModelCall;
  readonly #scene: CallContext;
  readonly notes: OutcomeNote[] = [];
  attempts = 0;

  constructor(tool: Tool, call: ModelCall, scene: CallContext) {
    this.#tool = tool;
    this.#call = call;
    this.#scene = scene;
  }

  async whole(): Promise<Tried> {
    const raw = this.#call.arguments;
    if (this.#scene.signal.aborted) return { input: raw, ok: false, failure: abortedFailure(this.#scene, false) };
    const read = await readArguments(raw, this.#tool.inputSchema);
    if (read.kind === "malformed") return { input: raw, ok: false, failure: malformedFailure(this.#scene, read.why) };
    if (read.steps.length > 0) this.notes.push({ kind: "repaired-arguments", steps: read.steps });
    const first = await this.#withRetries(read.value);
    return first.ok ? first : this.#withQuestion(await this.#withFallback(first));
  }

  /** Runs one set of arguments, with the retries the tool allows. */
  async #withRetries(raw: unknown): Promise<Tried> {
    const { retry, idempotent } = this.#tool;
    const retries = idempotent === true ? (retry?.retries ?? 0) : 0;
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#once(raw, attempt);
      if (tried.ok || attempt > retries || !this.#isWorthRetrying(tried.failure, tried.error)) return tried;
      const delayMs = backoffMs(retry ?? { retries }, attempt, this.#scene.clock);
      this.notes.push({ kind: "retried", attempt: attempt + 1, delayMs });
      this.#scene.onRetry(attempt + 1, delayMs);
      await this.#scene.clock.sleep(delayMs, this.#scene.signal);
      if (this.#scene.signal.aborted) return { ...tried, failure: abortedFailure(this.#scene, true) };
    }
  }

  #isWorthRetrying({ kind, retryable }: ToolFailure, error: unknown): boolean {
    if (!retryable || (kind !== "execution" && kind !== "timeout")) return false;
    if (error === undefined) return true;
    const { when } = this.#tool.retry ?? {};
    try {
      return when === undefined ? !isProgramMistake(error) : when(error);
    } catch {
      return false;
    }
  }

  async #once(raw: unknown, attempt: number): Promise<Tried> {
    const scene = this.#scene;
    const fail = (failure: ToolFailure, error?: unknown): Tried => ({ input: raw, ok: false, failure, error });
    try {
      const checking = await runOnce(() => checkInput(this.#tool, raw), scene);
      if (checking.kind === "threw") throw checking.error;
      if (checking.kind !== "value") return fail(this.#unfinished(checking.kind));
      const checked = checking.value;
      if (checked.kind === "issues") return fail(argumentFailure(scene, checked.issues, checked.ignored));
      this.attempts += 1;
      const end = await runOnce((signal) => this.#tool.run(checked.value, this.#context(signal, attempt)), scene);
      if (end.kind === "timeout" || end.kind === "aborted") return fail(this.#unfinished(end.kind));
      if (end.kind === "threw") return fail(thrownFailure(scene, end.error), end.error ?? "nothing");
      const returned = readFailure(end.value, this.#tool.detectError?.bind(this.#tool), scene.reading);
      if (returned !== undefined) return fail(returnedFailure(scene, returned, end.value));
      if (attempt === 1 && checked.ignored.length > 0) {
        this.notes.push({ kind: "ignored-arguments", fields: checked.ignored });
      }
      return { input: raw, ok: true, value: end.value, modelText: this.#modelText(end.value, checked.ignored) };
    } catch (error) {
      // The schema, `detectError` or `toModel` threw. The model cannot fix that.
      return fail(
        failureIn(scene, "execution", { executed: this.attempts > 0, modelMessage: UNEXPECTED }, error),
        error,
      );
    }
  }

  #unfinished(kind: "timeout" | "aborted"): ToolFailure {
    const executed = this.attempts > 0;
    if (kind === "aborted") return abortedFailure(this.#scene, executed);
    const isHarmless = this.#tool.idempotent === true || !executed;
    return timeoutFailure(this.#scene, this.#scene.timeoutMs, { executed, isHarmless });
  }

  #context(signal: AbortSignal, attempt: number): ToolContext {
    return { call: this.#call, signal, attempt, context: this.#scene.context };
  }

  #modelText(value: unknown, ignored: readonly string[]): string {
    const { text, cut } = limitText(this.#tool.toModel?.(value) ?? resultText(value), this.#scene.maxResultBytes);
    if (cut !== undefined) this.notes.push({ kind: "truncated", ...cut });
    if (ignored.length === 0) return text;
    return `${text}\n\n[Ignored, because '${this.#tool.name}' has no such parameters: ${ignored.join(", ")}.]`;
  }

  /** Tries other arguments from the context. If they succeed, the history will contain them. */
  async #withFallback(first: Tried & { ok: false }): Promise<(Tried & { ok: false }) | Tried> {
    const seen = new Set([sameness(first.input)]);
    let last: Tried & { ok: false } = first;
    let tries = 0;
    try {
      for await (const candidate of this.#candidates(first.failure)) {
        const input = merged(first.input, candidate);
        if (seen.has(sameness(input))) continue;
        seen.add(sameness(input));
        tries += 1;
        const tried = await this.#withRetries(input);
        if (tried.ok) {
          this.notes.push({ kind: "backfilled", fields: Object.keys(candidate) });
          return tried;
        }
        last = tried;
        if (this.#scene.signal.aborted) break;
      }
    } catch {
      // If the fallback itself fails, the first failure remains.
    }
    if (tries === 0 || last.failure.kind !== "missing_parameter") return { ...last, input: first.input };
    // Once values were supplied, asking the user for them would not help.
    const failure = changedFailure(last.failure, {
      kind: "execution",
      userMessage: this.#scene.sanitizer.userText("execution", this.#tool.name),
    });
    return { input: first.input, ok: false, failure };
  }

  /** The tool's fallback candidates, each within the time limit of a call. */
  async *#candidates(failure: ToolFailure): AsyncGenerator<FallbackArguments, void, void> {
    const offered = this.#tool.fallback?.(failure, this.#context(this.#scene.signal, 1));
    if (offered === undefined) return;
    const iterator = Symbol.asyncIterator in offered ? offered[Symbol.asyncIterator]() : offered[Symbol.iterator]();
    for (let given = 0; given < MAX_CANDIDATES; given += 1) {
      const end = await runOnce(() => iterator.next(), this.#scene);
      if (end.kind !== "value" || end.value.done === true) return;
      yield end.value.value;
    }
  }

  #withQuestion(tried: Tried): Tried {
    const { question } = this.#tool;
    if (tried.ok || question === undefined || tried.failure.kind !== "missing_parameter") return tried;
    try {
      const text = typeof question === "string" ? question : question(tried.failure);
      return { ...tried, failure: changedFailure(tried.failure, { question: this.#scene.sanitizer.forUser(text) }) };
    } catch {
      return tried;
    }
  }
}

function merged(input: unknown, candidate: FallbackArguments): unknown {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input, ...candidate } : candidate;
}

/** Ignores case and white space: "paris" and "Paris " are the same candidate. */
function sameness(input: unknown): string {
  return canonicalText(input).toLowerCase().replace(/\s+/g, " ").replace(/" | "/g, '"');
}
