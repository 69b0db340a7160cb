import type { Category, Phase, Retryable } from "../model/outcome.ts";
import { categorise, phaseOf } from "./categorise.ts";
import type { CallFault } from "./check-call.ts";
import type { Finding } from "./finding.ts";
import type { Reading } from "./reading.ts";
import { getErrorSeverity, RETRY_ADVICE } from "./severity.ts";

/** A failure the flag denies weighs half. */
const SOFT_WEIGHT = 0.5;

/** The part of an outcome that only failures have. */
export interface Failure {
  readonly phase: Phase;
  readonly category: Category;
  readonly severity: number;
  readonly retryable: Retryable;
  readonly message: string;
}

/** What failed, where, how bad it is and what it said. */
export function failureOf(
  { stated, report, lastLine }: Reading,
  fault: CallFault | undefined,
  text: string,
  soft: boolean,
): Failure {
  const failure = report?.says === "failure" ? report : stated?.says === "failure" ? stated : undefined;
  const words = failure?.words ?? text.trimStart().slice(0, 500);
  const ran = stated?.exitCode !== undefined || isOutput(failure);
  const category = categoryOf(failure, stated, words, ran ? undefined : fault);
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

/** What a program printed proves that it ran. */
function isOutput(failure: Finding | undefined): boolean {
  return failure !== undefined && (failure.rule.startsWith("output-") || failure.rule.startsWith("traceback"));
}

function categoryOf(
  failure: Finding | undefined,
  stated: Finding | undefined,
  words: string,
  fault: CallFault | undefined,
): Category {
  if (fault !== undefined) {
    return fault.category;
  }
  const exitCode = stated?.says === "failure" ? stated.exitCode : undefined;
  if (failure?.category !== undefined && failure.category !== "failed") {
    return failure.category;
  }
  const told = failure === stated && exitCode !== undefined ? "" : words;
  return categorise(told, exitCode) ?? failure?.category ?? (exitCode === undefined ? "error" : "exit_code");
}

/** The first line that says something. */
function messageOf(words: string, failure: Finding | undefined): string {
  const line = words.split("\n", 8).find((part) => part.trim() !== "") ?? "";
  return line.trim() === "" ? (failure?.rule ?? "") : line.trim().slice(0, 500);
}
