import type { Category, Outcome, Phase, Retryable } from "../model/outcome.ts";
import type { InvalidCall } from "./call/validate-call.ts";
import { categorize, phaseOf } from "./categorize.ts";
import { getErrorSeverity, RETRY_ADVICE } from "./severity.ts";
import type { Signal } from "./signal.ts";
import type { TextSignals } from "./text-signals.ts";

/** A soft failure has half the severity. */
const SOFT_WEIGHT = 0.5;

/** The fields of an outcome that only failures have. */
export interface Failure {
  readonly phase: Phase;
  readonly category: Category;
  readonly severity: number;
  readonly retryable: Retryable;
  readonly message: string;
}

/** Describes a failure: category, phase, severity, retry advice and message. */
export function failureOf(
  { stated, report, lastLine }: TextSignals,
  fault: InvalidCall | undefined,
  text: string,
  soft: boolean,
): Failure {
  const failure = report?.says === "failure" ? report : stated?.says === "failure" ? stated : undefined;
  const words = failure?.words ?? text.trimStart().slice(0, 500);
  const ran = stated?.exitCode !== undefined || isOutput(failure);
  const category = categoryOf(failure, stated, words, ran ? undefined : fault, text);
  const phase = fault !== undefined && !ran ? "call" : (failure?.phase ?? (ran ? "run" : phaseOf(category, words)));
  const severity = getErrorSeverity(category);
  return {
    phase,
    category,
    severity: soft ? severity * SOFT_WEIGHT : severity,
    retryable: RETRY_ADVICE[category],
    message: lastLine ?? messageOf(words, failure),
  };
}

/** Output of a program proves that it ran. */
function isOutput(failure: Signal | undefined): boolean {
  return failure !== undefined && (failure.rule.startsWith("output-") || failure.rule.startsWith("traceback"));
}

/** Categories that the text may refine. */
const VAGUE: ReadonlySet<Category> = new Set<Category>(["failed", "http_client_error"]);

/** Number of lines above a program's last line that are searched for the reason. */
const LINES_ABOVE = 6;

/** Prefilter: a line that may describe a failure. */
const TELLS = /err|denied|fail|fatal|not found|refused|cannot|could not/i;

/** Programs end with a summary; the reason is in the lines above. */
function categoryAbove(text: string, at: number): Category | undefined {
  const lines = text.slice(Math.max(0, at - 900), Math.max(0, at)).split("\n");
  for (const line of lines.slice(-LINES_ABOVE - 1).reverse()) {
    const category = TELLS.test(line) ? categorize(line.trim(), undefined) : undefined;
    if (category !== undefined) {
      return category;
    }
  }
  return undefined;
}

function categoryOf(
  failure: Signal | undefined,
  stated: Signal | undefined,
  words: string,
  fault: InvalidCall | undefined,
  text: string,
): Category {
  if (fault !== undefined) {
    return fault.category;
  }
  const exitCode = stated?.says === "failure" ? stated.exitCode : undefined;
  if (failure?.category !== undefined && !VAGUE.has(failure.category)) {
    return failure.category;
  }
  const told = failure === stated && exitCode !== undefined ? "" : words;
  return (
    categorize(told, exitCode) ??
    failure?.category ??
    (failure?.rule === "sentence-hindrance" ? "precondition" : undefined) ??
    (failure !== undefined && isOutput(failure) ? categoryAbove(text, failure.at) : undefined) ??
    (exitCode === undefined ? "error" : "exit_code")
  );
}

/** Returns the first line with content. */
function messageOf(words: string, failure: Signal | undefined): string {
  const line = words.split("\n", 8).find((part) => part.trim() !== "") ?? "";
  return line.trim() === "" ? (failure?.rule ?? "") : line.trim().slice(0, 500);
}

/** Maximum length of the message. */
const MESSAGE_LENGTH = 100;

/** Shorter durations are not worth showing. */
const LONG_MS = 30_000;

/**
 * Summarizes a failure in one line; undefined if the call did not fail.
 *
 * @example
 * formatStatusMessage(outcome, "Bash"); // "[EXIT_CODE] Bash exit=1 - error"
 */
export function formatStatusMessage(outcome: Outcome, tool: string): string | undefined {
  if (outcome.status !== "failed") {
    return undefined;
  }
  const head = [`[${(outcome.category ?? "error").toUpperCase()}]`, tool];
  if (outcome.exitCode !== undefined && outcome.exitCode !== 0) {
    head.push(`exit=${outcome.exitCode}`);
  }
  if (outcome.durationMs !== undefined && outcome.durationMs > LONG_MS) {
    head.push(`duration=${Math.round(outcome.durationMs / 1000)}s`);
  }
  const message = outcome.message ?? "";
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}...` : message;
  return shown === "" ? head.join(" ") : `${head.join(" ")} - ${shown}`;
}
