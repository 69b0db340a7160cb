import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import { changedFailure, type FailureKind, type ToolFailure } from "../outcome/failure.ts";
import type { OutcomeNote, ToolOutcome } from "../outcome/outcome.ts";
import { canonicalText } from "../outcome/result-text.ts";
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
import { type ModelResult, modelResult } from "./model-result.ts";
import { readGenerator } from "./read-generator.ts";

export interface CallContext extends FailureContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: unknown;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  onRetry(attempt: number, delayMs: number): void;
  onProgress(value: unknown): void;
  /** Called with each set of valid arguments before the tool runs with them; a failure ends the call. */
  beforeRun(input: unknown): Promise<ToolFailure | undefined>;
}

/** More progress than a page can show. */
const MAX_PROGRESS = 1000;
/** Further fallback candidates are unlikely to help. */
const MAX_CANDIDATES = 10;

/** Failures that other arguments must not circumvent. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(["denied", "circuit_open", "aborted"]);

type RunResult = { readonly input: unknown } & (
  | { readonly ok: true; readonly value: unknown; readonly result: ModelResult }
  | { readonly ok: false; readonly failure: ToolFailure; readonly error?: unknown }
);

/**
 * Calls a tool: parses and validates the arguments, runs it with retries and fallbacks, and returns the outcome. Never
 * throws.
 */
export async function callTool(tool: Tool, call: ModelCall, callContext: CallContext): Promise<ToolOutcome> {
  const startedAt = callContext.clock.now();
  const run = new ToolRun(tool, call, callContext);
  const result = await run.run();
  const base = {
    call,
    input: result.input,
    attempts: run.attempts,
    durationMs: Math.max(0, callContext.clock.now() - startedAt),
    replayed: false,
    notes: run.notes,
  };
  return result.ok
    ? { ...base, ok: true, value: result.value, ...result.result }
    : { ...base, ok: false, failure: result.failure };
}

class ToolRun {
  readonly #tool: Tool;
  readonly #call: ModelCall;
  readonly #context: CallContext;
  readonly notes: OutcomeNote[] = [];
  attempts = 0;

  constructor(tool: Tool, call: ModelCall, callContext: CallContext) {
    this.#tool = tool;
    this.#call = call;
    this.#context = callContext;
  }

  async run(): Promise<RunResult> {
    const raw = this.#call.arguments;
    if (this.#context.signal.aborted) return { input: raw, ok: false, failure: abortedFailure(this.#context, false) };
    const read = await readArguments(raw, this.#tool.inputSchema);
    if (read.kind === "malformed") return { input: raw, ok: false, failure: malformedFailure(this.#context, read.why) };
    if (read.steps.length > 0) this.notes.push({ kind: "repaired-arguments", steps: read.steps });
    const first = await this.#withRetries(read.value);
    if (first.ok || REFUSALS.has(first.failure.kind)) return first;
    return this.#withQuestion(await this.#withFallback(first));
  }

  /** Runs one set of arguments, with the retries the tool allows. */
  async #withRetries(raw: unknown): Promise<RunResult> {
    const { retry, idempotent } = this.#tool;
    const retries = idempotent === true ? (retry?.retries ?? 0) : 0;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#once(raw, attempt);
      if (result.ok || attempt > retries || !this.#isWorthRetrying(result.failure, result.error)) return result;
      const delayMs = backoffMs(retry ?? { retries }, attempt, this.#context.clock);
      this.notes.push({ kind: "retried", attempt: attempt + 1, delayMs });
      this.#context.onRetry(attempt + 1, delayMs);
      await this.#context.clock.sleep(delayMs, this.#context.signal);
      if (this.#context.signal.aborted) return { ...result, failure: abortedFailure(this.#context, true) };
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

  async #once(raw: unknown, attempt: number): Promise<RunResult> {
    const callContext = this.#context;
    const fail = (failure: ToolFailure, error?: unknown): RunResult => ({ input: raw, ok: false, failure, error });
    try {
      const checking = await runOnce(() => checkInput(this.#tool, raw), callContext);
      if (checking.kind === "threw") throw checking.error;
      if (checking.kind !== "value") return fail(this.#unfinished(checking.kind));
      const checked = checking.value;
      if (checked.kind === "issues") return fail(argumentFailure(callContext, checked.issues, checked.ignored));
      const refusal = attempt === 1 ? await callContext.beforeRun(raw) : undefined;
      if (refusal !== undefined) return fail(refusal);
      this.attempts += 1;
      const end = await runOnce(async (signal) => {
        const running = this.#toolContext(signal, attempt);
        return readGenerator(await this.#tool.run(checked.value, running), running);
      }, callContext);
      if (end.kind === "timeout" || end.kind === "aborted") return fail(this.#unfinished(end.kind));
      if (end.kind === "threw") return fail(thrownFailure(callContext, end.error), end.error ?? "nothing");
      const returned = readFailure(end.value, this.#tool.detectError?.bind(this.#tool), callContext.reading);
      if (returned !== undefined) return fail(returnedFailure(callContext, returned, end.value));
      if (attempt === 1 && checked.ignored.length > 0) {
        this.notes.push({ kind: "ignored-arguments", fields: checked.ignored });
      }
      return { input: raw, ok: true, value: end.value, result: this.#modelResult(end.value, checked.ignored) };
    } catch (error) {
      // The schema, `detectError` or `toModel` threw. The model cannot fix that.
      return fail(
        failureIn(
          callContext,
          "execution",
          { executed: this.attempts > 0, unexpected: true, modelMessage: UNEXPECTED },
          error,
        ),
        error,
      );
    }
  }

  #unfinished(kind: "timeout" | "aborted"): ToolFailure {
    const executed = this.attempts > 0;
    if (kind === "aborted") return abortedFailure(this.#context, executed);
    const isHarmless = this.#tool.idempotent === true || !executed;
    return timeoutFailure(this.#context, this.#context.timeoutMs, { executed, isHarmless });
  }

  #toolContext(signal: AbortSignal, attempt: number): ToolContext {
    let count = 0;
    const progress = (value: unknown): void => {
      count += 1;
      // A finished call has no progress, and a tool that never stops reporting must not fill the memory.
      if (!signal.aborted && count <= MAX_PROGRESS) this.#context.onProgress(value);
    };
    return { call: this.#call, signal, attempt, context: this.#context.context, progress };
  }

  #modelResult(value: unknown, ignored: readonly string[]): ModelResult {
    const { cut, ...result } = modelResult(this.#tool, value, this.#context.maxResultBytes);
    if (cut !== undefined) this.notes.push({ kind: "truncated", ...cut });
    if (ignored.length === 0) return result;
    const note = `[Ignored, because '${this.#tool.name}' has no such parameters: ${ignored.join(", ")}.]`;
    return {
      modelText: `${result.modelText}\n\n${note}`,
      ...(result.modelParts !== undefined && { modelParts: [...result.modelParts, { kind: "text", text: note }] }),
    };
  }

  /** Tries other arguments from the context. If they succeed, the history will contain them. */
  async #withFallback(first: RunResult & { ok: false }): Promise<(RunResult & { ok: false }) | RunResult> {
    const seen = new Set([comparableText(first.input)]);
    let last: RunResult & { ok: false } = first;
    let count = 0;
    try {
      for await (const candidate of this.#candidates(first.failure)) {
        const input = merged(first.input, candidate);
        if (seen.has(comparableText(input))) continue;
        seen.add(comparableText(input));
        count += 1;
        const result = await this.#withRetries(input);
        if (result.ok) {
          this.notes.push({ kind: "backfilled", fields: Object.keys(candidate) });
          return result;
        }
        last = result;
        if (REFUSALS.has(result.failure.kind)) break;
      }
    } catch {
      // If the fallback itself fails, the first failure remains.
    }
    if (count === 0 || last.failure.kind !== "missing_parameter") return { ...last, input: first.input };
    // Once values were supplied, asking the user for them would not help.
    const failure = changedFailure(last.failure, {
      kind: "execution",
      userMessage: this.#context.sanitizer.userText("execution", this.#tool.name),
    });
    return { input: first.input, ok: false, failure };
  }

  /** The tool's fallback candidates, each within the time limit of a call. */
  async *#candidates(failure: ToolFailure): AsyncGenerator<FallbackArguments, void, void> {
    const offered = this.#tool.fallback?.(failure, this.#toolContext(this.#context.signal, 1));
    if (offered === undefined) return;
    const iterator = Symbol.asyncIterator in offered ? offered[Symbol.asyncIterator]() : offered[Symbol.iterator]();
    for (let count = 0; count < MAX_CANDIDATES; count += 1) {
      const end = await runOnce(() => iterator.next(), this.#context);
      if (end.kind !== "value" || end.value.done === true) return;
      yield end.value.value;
    }
  }

  #withQuestion(result: RunResult): RunResult {
    const { question } = this.#tool;
    if (result.ok || question === undefined || result.failure.kind !== "missing_parameter") return result;
    try {
      const text = typeof question === "string" ? question : question(result.failure);
      return {
        ...result,
        failure: changedFailure(result.failure, { question: this.#context.sanitizer.forUser(text) }),
      };
    } catch {
      return result;
    }
  }
}

function merged(input: unknown, candidate: FallbackArguments): unknown {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input, ...candidate } : candidate;
}

/** Ignores case and white space: "paris" and "Paris " are the same candidate. */
function comparableText(input: unknown): string {
  return canonicalText(input).toLowerCase().replace(/\s+/g, " ").replace(/" | "/g, '"');
}

export type RunEnd<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" };

export interface RunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Runs a function once. Its end, the time limit or the abort decides, whichever comes first. A function that ignores
 * its signal is not awaited, and its later result is ignored. Never rejects.
 */
export async function runOnce<T>(
  start: (signal: AbortSignal) => T | Promise<T>,
  limits: RunLimits,
): Promise<RunEnd<T>> {
  const { signal, clock, timeoutMs } = limits;
  if (signal.aborted) return { kind: "aborted" };
  const runController = new AbortController();
  const timer = new AbortController();
  let stop: (end: RunEnd<T>) => void = () => undefined;
  const stopped = new Promise<RunEnd<T>>((resolve) => {
    stop = resolve;
  });
  const onAbort = (): void => {
    // Settled before the abort, so that the rejection caused by the signal does not count as the tool's own.
    stop({ kind: "aborted" });
    runController.abort(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  clock.sleep(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    stop({ kind: "timeout" });
    runController.abort(new DOMException(`No result within ${timeoutMs} ms.`, "TimeoutError"));
  });
  const running = (async (): Promise<RunEnd<T>> => {
    try {
      return { kind: "value", value: await start(runController.signal) };
    } catch (error) {
      return { kind: "threw", error };
    }
  })();
  const end = await Promise.race([stopped, running]);
  signal.removeEventListener("abort", onAbort);
  timer.abort();
  return end;
}
