import type { ParsedRequest } from "../parsed-request.ts";

/** Why a request is rejected, in the provider's words. */
export interface Problem {
  readonly message: string;
  /** OpenAI only: which part of the request. */
  readonly param?: string;
  /** OpenAI only. */
  readonly code?: string;
}

/** One validation rule of a provider. Pure: the same request always has the same problem. */
export interface Rule {
  readonly name: string;
  readonly check: (request: ParsedRequest) => Problem | undefined;
}

/** The first problem of a list of candidates. */
export function firstProblem<T>(
  candidates: Iterable<T>,
  check: (candidate: T) => Problem | undefined,
): Problem | undefined {
  for (const candidate of candidates) {
    const problem = check(candidate);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Values that occur more than once, in order of occurrence. */
export function repeated<T>(values: Iterable<T>): T[] {
  const known = new Set<T>();
  const twice: T[] = [];
  for (const value of values) {
    if (known.has(value)) twice.push(value);
    known.add(value);
  }
  return twice;
}
