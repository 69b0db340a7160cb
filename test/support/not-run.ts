/** The end of the title of tests that cannot run here: scripts/run-tests.mjs lists them by this reason. */
export function notRun(reason: string | undefined): string {
  return reason === undefined ? "" : ` (not run: ${reason})`;
}

/** On a CI server, what is missing is an error and no reason to leave tests out. */
export function requireInCi(problem: string | undefined): string | undefined {
  if (problem !== undefined && process.env.CI) throw new Error(problem);
  return problem;
}
