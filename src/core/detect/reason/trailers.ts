/**
 * Lines that close a failed run without naming its reason: counts, pointers to logs, "make: *** [all] Error 1". Lower
 * case; found anywhere in the line.
 */
const TRAILERS: readonly string[] =
  `could not compile|aborting due to|process completed with exit code|command failed with|] error |] fehler |] erreur |] errore |] erro |ld returned|linker command failed
collect2:|build failed|build failure|failed to execute goal|lifecycle script|a complete log|complete log of this run|elifecycle|exited with|exit status|exit code|returned non-zero|execution halted|compilation terminated
build stopped|error generated|errors generated|--stacktrace|stack trace|see above|debug.log|test failed, to|tests failed|test files|failures:|failed (failures|failed (errors|test result: failed|test suites:|snapshots:|ran all test
short test summary|problems (|problem (|errors found|found 1 error|failures=|[help|build finished|npm error code|npm err! code|npm error errno|npm error syscall|npm error path|npm err! errno|npm err! syscall|npm err! path|npm error command|npm error workspace|npm error location|npm error gyp|npm error a complete|npm error this is|npm error for
leaving directory|entering directory|recipe for target|compilation aborted|some tests failed|failed to push some refs|the command returned|compilation failed|previous errors|is not recoverable|child returned status|could not read from remote|make sure you have the correct access|aborted due to compilation|could not create the java|a fatal exception has occurred|would be reformatted|would be formatted|could not be completed because of`
    .split(/[|\n]/)
    .filter((part) => part !== "");

/** The same, only at the start of a line. */
const STARTS: readonly string[] =
  "for more information|re-run|rerun|run with|to see the full|after correcting|npm warn|info visit|try --help|for help|please report|for details|usage of|error: aborting|to fix|or use|did you mean|if you |see |please |hint|note|time:|summary|1 failed|errors occurred|make: target".split(
    "|",
  );

const COUNT =
  /^\W{0,4}(?:\d+ \w+(?:,| and|;|$)|(?:found|generated|total|failures?|errors?|tests?(?: run)?|fail|passed|failed)\s?:? ?\d+(?:\s*$|[,;.)]| (?:error|warning|problem|fail|pass|test))|fail(?:ed|ures?)?!?$|fail\s+\S+$|errors?!?$|--- fail|=+ )/i;

/** Whether the line only closes the output. */
export function isTrailer(line: string): boolean {
  if (COUNT.test(line) || line.includes("*** [")) {
    return true;
  }
  const lower = line.toLowerCase();
  // A pointer to the program's help; the complaint itself may contain one too.
  if ((lower.includes("--help") || lower.includes("--usage")) && !/^[\w.+/-]{1,40}\s?: /.test(line)) {
    return true;
  }
  return startsTrailer(lower) || TRAILERS.some((part) => lower.includes(part));
}

/** Whether the line starts like a closing remark. */
export function startsTrailer(line: string): boolean {
  const start = line.slice(0, 24).toLowerCase();
  return STARTS.some((part) => start.startsWith(part));
}
