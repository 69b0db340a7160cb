/** Title suffix of tests that cannot run here; scripts/run-tests.mjs lists them by this reason. */
export function notRun(reason: string | undefined): string {
  return reason === undefined ? "" : ` (not run: ${reason})`;
}

/** In CI, a missing program is an error and not a reason to skip tests. */
export function requireInCi(problem: string | undefined): string | undefined {
  if (problem !== undefined && process.env.CI) throw new Error(problem);
  return problem;
}
