// Exit statuses and texts that look like failures and are answers by documented convention, and the label they get.
// Every entry is quoted by its key in `Case.convention`.

const CONVENTIONS = {
  "grep-no-match": "grep, rg and their like exit 1 when no line matches (POSIX): the search ran, ok",
  "diff-differs": "diff and cmp exit 1 when the inputs differ (POSIX); git diff --exit-code too: ok",
  "test-false": "test, [ and [[ exit 1 when the expression is false: ok",
  "which-none":
    "which and command -v exit 1 without a complaint when the program is absent: the question was answered, ok",
  "nothing-to-commit": "git commit exits 1 when there is nothing to commit: nothing was asked that did not happen, ok",
  "jq-e":
    "jq -e exits 1 when the last output is false or null, 4 when there is no output: the answer is the status, ok",
  "no-tests-found":
    "vitest, jest and mocha exit 1 when no test file exists: the run that was asked for did not happen, error",
  "no-tests-collected": "pytest exits 5 when it collected or selected no test: its own status for this answer, ok",
  "expr-zero": "expr and let exit 1 when the result is 0 or empty: ok",
  "or-echo": "a command with its stderr discarded and `|| echo TEXT` asks a question; TEXT is the answer: ok",
  "cmp-silent": "cmp -s and git diff --quiet answer by status only: ok when the status is shown, else unknown",
  "pgrep-none": "pgrep exits 1 when no process matches: ok",
  "git-grep-none": "git grep exits 1 when nothing matches: ok",
  "linter-findings":
    "a linter that reports findings and exits non-zero did its work, but the checked code fails: error, build_failure or test_failure",
  "format-check": "a formatter's --check exits 1 when files would change: the check fails, error",
  "make-question": "make -q exits 1 when a target is out of date: ok",
  silent: "no output and no status: nobody can tell, unknown",
} as const;

export type Convention = keyof typeof CONVENTIONS;
