// Shells: missing commands, syntax errors, signals, options such as -e and -u, and scripts that report by themselves.
import { bad, fine } from "../builders.ts";
import type { Case, Category, Family } from "../types.ts";

const L = { localized: true } as const;

/** The same breakage in every shell that is installed. */
function everyShell(
  name: string,
  script: string,
  category: Category,
  fact: string,
  rest: Partial<Case> = {},
): readonly Case[] {
  return ["bash", "dash", "zsh", "ksh", "busybox"].map((shell) =>
    bad(shell, name, shell === "busybox" ? "busybox sh run.sh" : `${shell} run.sh`, category, fact, {
      files: { "run.sh": script },
      seeds: 1,
      ...rest,
    }),
  );
}

/** A status and nothing that explains it: only a harness that shows the status can tell. */
const QUIET_EXITS: readonly (readonly [string, string])[] = [
  ["sh", "sh -c 'echo compiling @stem@; exit 3'"],
  ["python3", "python3 -c \"import sys; print('checked @big@ rows'); sys.exit(7)\""],
  ["perl", "perl -e 'print qq(loaded @stem@\\n); exit 9'"],
  ["ruby", "ruby -e 'puts %q(visited @n@ pages); exit 5'"],
  ["php", "php -r 'echo \"wrote @file@\\n\"; exit(6);'"],
  ["node", "node -e \"console.log('synced @stem@'); process.exit(8)\""],
  ["awk", "awk 'BEGIN { print \"@n@ columns\"; exit 4 }'"],
  ["lua5.4", "lua5.4 -e 'print(\"@stem@ ready\") os.exit(11)'"],
  ["make", "make -s -f /dev/null --eval='x: ; @echo step @n@' x && exit 12"],
];

export const SHELLS: Family = {
  name: "shells",
  cases: [
    ...everyShell("command-missing", "echo preparing @stem@\n@stem@-build --all\n", "not_found", "@stem@-build", {
      exit: 127,
    }),
    ...everyShell("unset-variable", "set -u\necho deploying\necho $@id@\n", "error", "@id@", {
      also: ["precondition", "not_found", "invalid_arguments"],
    }),
    ...everyShell("source-missing", "set -e\n. ./@missing@\necho loaded\n", "not_found", "@missing@"),
    ...everyShell("redirect-refused", "set -e\necho x > /etc/@file@\n", "permission_denied", "/etc/@file@"),
    ...everyShell("stops-at-first", "set -e\necho step 1\ncat @missing@\necho step 2\n", "not_found", "@missing@"),
    ...everyShell("cd-missing", "cd @dir@/@stem@ || exit 3\npwd\n", "not_found", "@dir@/@stem@"),
    ...everyShell("syntax", "if true; then\n  echo @stem@\n", "error", "run.sh", {
      also: ["build_failure", "invalid_arguments"],
      signs: ["yntax", "parse"],
    }),
    ...everyShell("own-message", "echo checking @stem@\necho 'fatal: @msg@' >&2\nexit 4\n", "error", "@msg@", {
      also: ["exit_code"],
    }),
    bad("fish", "command-missing", "fish -c '@stem@-build --all'", "not_found", "@stem@-build", { exit: 127 }),

    bad("bash", "command-missing-inline", "@stem@ctl status", "not_found", "@stem@ctl", { exit: 127, ...L }),
    bad("bash", "missing-after-output", "echo 'installing @stem@'; @stem@-setup --yes", "not_found", "@stem@-setup", {
      exit: 127,
      ...L,
    }),
    bad("bash", "not-executable", "./@stem@.sh", "permission_denied", "@stem@.sh", {
      files: { "@stem@.sh": "echo hi\n" },
      exit: 126,
      ...L,
    }),
    bad("bash", "script-missing", "bash @missing@", "not_found", "@missing@", { exit: 127, ...L }),
    bad("bash", "path-missing", "./bin/@stem@ --version", "not_found", "bin/@stem@", { exit: 127, ...L }),
    bad("bash", "is-a-folder", "./@dir@", "permission_denied", "@dir@", {
      setup: "mkdir @dir@",
      exit: 126,
      also: ["error", "precondition"],
      ...L,
    }),
    bad("bash", "bad-interpreter", "./run", "not_found", "run", {
      files: { run: "#!/usr/bin/@stem@lang\nprint 1\n" },
      setup: "chmod +x run",
      also: ["permission_denied"],
      ...L,
    }),
    bad("bash", "cd-missing", "cd @dir@/@stem@ && ls", "not_found", "@dir@/@stem@", L),
    bad("bash", "cd-file", "cd @file@", "error", "@file@", {
      files: { "@file@": "x" },
      also: ["not_found", "precondition"],
      ...L,
    }),
    bad("bash", "unset-parameter", 'set -u; echo "$@id@"', "error", "@id@", {
      also: ["precondition", "not_found", "invalid_arguments"],
      ...L,
    }),
    bad("bash", "required-parameter", ': "@usd@{@env@:?set it first}"', "precondition", "@env@", {
      also: ["error", "invalid_arguments"],
      ...L,
    }),
    bad("bash", "syntax-inline", "bash -c 'for f in *.txt; echo $f; done'", "error", "`echo'", {
      also: ["invalid_arguments"],
      signs: ["syntax"],
      maskable: false,
    }),
    bad("bash", "unexpected-end", "bash -c 'if [ -f x ]; then echo @stem@'", "error", "bash", {
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("bash", "unclosed-quote", "bash -c 'echo \"@stem@'", "error", "bash", { also: ["invalid_arguments"], ...L }),
    bad("bash", "redirect-folder-missing", "echo x > @dir@/@stem@/@file@", "not_found", "@dir@/@stem@/@file@", L),
    bad("bash", "redirect-input-missing", "sort < @missing@", "not_found", "@missing@", L),
    bad("bash", "redirect-refused", "echo data > /usr/@file@", "permission_denied", "/usr/@file@", L),
    bad("bash", "arithmetic", "bash -c 'echo $(( 7 / 0 ))'", "error", "7 / 0", L),
    bad("bash", "readonly", "readonly @id@=1; @id@=2", "error", "@id@", L),
    bad("bash", "bad-option", "bash --lgoin", "invalid_arguments", "--lgoin", L),
    bad("bash", "builtin-usage", "set -o @stem@", "invalid_arguments", "@stem@", L),
    bad("bash", "ulimit", "ulimit -u 100000000", "permission_denied", "ulimit", { also: ["error"], ...L }),
    bad("bash", "kill-usage", "kill -X@stem@ 1", "invalid_arguments", "X@stem@", L),
    bad("bash", "kill-not-permitted", "kill 1", "permission_denied", "(1)", L),
    bad("bash", "segfault", "bash -c 'kill -SEGV $$' ; exit $?", "crash", "kill -SEGV", {
      exit: 139,
      signs: ["Segmentation"],
      maskable: false,
    }),
    bad("bash", "killed-child", "sh -c 'kill -9 $$'; exit $?", "crash", "kill -9", {
      exit: 137,
      signs: ["Killed"],
      maskable: false,
    }),
    bad(
      "bash",
      "segfault-child",
      "cat > c.sh <<'X'\nkill -SEGV $$\nX\nbash c.sh; s=$?; echo; exit $s",
      "crash",
      "bash c.sh",
      {
        exit: 139,
        maskable: false,
        ...L,
      },
    ),
    bad("bash", "abort-child", "perl -e 'kill ABRT => $$'; exit $?", "crash", "perl -e", {
      exit: 134,
      maskable: false,
      signs: ["Aborted"],
    }),
    bad("bash", "pipefail", "set -o pipefail; cat @missing@ | sort | head", "not_found", "@missing@", L),
    bad("bash", "silent-exit", "exit @n@", "exit_code", "", { maskable: false }),
    bad("bash", "silent-false", "false", "exit_code", "", {}),
    bad("bash", "exit-after-output", "echo 'loaded 3 modules'; echo 'phase 2'; exit @n@", "exit_code", "", {
      maskable: false,
    }),
    bad(
      "bash",
      "own-check",
      "echo 'checking @file@'; [ -s @file@ ] || { echo 'error: @file@ is empty' >&2; exit 1; }",
      "error",
      "@file@ is empty",
      { setup: "touch @file@", also: ["precondition", "not_found"] },
    ),
    bad("bash", "own-usage", "bash deploy.sh", "invalid_arguments", "TARGET", {
      files: { "deploy.sh": '[ $# -eq 1 ] || { echo "Usage: deploy.sh TARGET" >&2; exit 2; }\n' },
    }),
    bad("bash", "own-missing-tool", "bash check.sh", "not_found", "@stem@-cli", {
      files: {
        "check.sh":
          'command -v @stem@-cli >/dev/null || { echo "@stem@-cli is required but not installed. Aborting."; exit 1; }\n',
      },
      also: ["precondition"],
    }),
    bad("bash", "own-env-missing", "bash start.sh", "precondition", "@env@", {
      files: { "start.sh": 'if [ -z "$@env@" ]; then echo "@env@ is not set" >&2; exit 1; fi\n' },
      also: ["error", "auth", "not_found", "invalid_arguments"],
    }),
    bad("bash", "trap-report", "bash job.sh", "not_found", "@missing@", {
      files: {
        "job.sh":
          "set -eE\ntrap 'echo \"job.sh failed at line $LINENO\"' ERR\necho copying\ncp @missing@ /tmp/\necho copied\n",
      },
    }),
    bad("bash", "argument-list", "/bin/echo $(seq 1 600000) > out.txt", "oversized", "/bin/echo", {
      exit: 126,
      also: ["error", "permission_denied"],
      ...L,
    }),
    bad("bash", "open-files", "ulimit -n 4; cat @file@ | cat", "error", "bash", {
      files: { "@file@": "x" },
      exit: "any",
      also: ["crash"],
      maskable: false,
    }),
    bad("bash", "file-size", "ulimit -f 1; head -c 100000 /dev/zero > big.bin", "crash", "head -c", {
      maskable: false,
      also: ["oversized", "error"],
      ...L,
    }),
    ...QUIET_EXITS.map(([program, command]) =>
      bad(program, "quiet-exit", command, "exit_code", "", { also: ["error"], maskable: false }),
    ),
    bad("bash", "interrupted", "echo 'copying @stem@'; bash -c 'kill -INT $$'; exit 130", "cancelled", "", {
      exit: 130,
      maskable: false,
      also: ["exit_code"],
    }),
    bad("bash", "terminated-child", "sh -c 'kill -TERM $$'; exit $?", "cancelled", "$", {
      exit: 143,
      maskable: false,
      also: ["crash", "timeout"],
      ...L,
    }),
    bad("bash", "terminated-job", "bash serve.sh; exit $?", "cancelled", "$", {
      files: { "serve.sh": "echo 'serving @stem@ on port @closed@'\nkill -TERM $$\n" },
      ...{ exit: 143, maskable: false, also: ["crash", "timeout"], ...L },
    }),
    bad("bash", "killed-job", "bash train.sh; exit $?", "crash", "bash train.sh", {
      files: { "train.sh": 'for i in 1 2 3; do echo "epoch $i"; done\nkill -KILL $$\n' },
      ...{ exit: 137, maskable: false, also: ["cancelled"], ...L },
    }),
    bad("sudo", "not-allowed", "sudo -n systemctl restart @stem@", "permission_denied", "sudo", { also: ["auth"] }),

    fine("bash", "handled", "cat @missing@ 2>/dev/null; echo 'using defaults'", { maskable: false }),
    fine(
      "bash",
      "recovered",
      "for i in 1 2; do if [ $i -eq 1 ]; then echo 'attempt 1 failed: connection refused'; else echo 'attempt 2 succeeded'; fi; done",
      { maskable: false },
    ),
    fine("bash", "error-words", "echo 'error handling: done'; echo '0 errors, 0 warnings'", { maskable: false }),
    fine("bash", "warning-only", "echo 'warning: @id@ is deprecated' >&2; echo 'wrote @file@'"),
    fine("bash", "loop-output", 'for f in *.txt; do echo "checked $f: no error"; done', {
      files: { "a.txt": "", "b.txt": "" },
      maskable: false,
    }),
    fine("bash", "env-shown", "env | grep -c . && echo ERROR_LEVEL=3 && echo FAIL_FAST=0", { maskable: false }),
    fine("bash", "type", "type ls cd", L),
    fine("bash", "help", "help cd | head -12", { ...L, maskable: false }),
    fine("bash", "trap-ok", "trap 'echo cleanup' EXIT; echo 'no failures'", { maskable: false }),
    fine("bash", "script-with-summary", "bash sum.sh", {
      files: { "sum.sh": "echo 'processed: @big@'\necho 'failed: 0'\necho 'skipped: 2'\n" },
    }),
    fine("bash", "retry-loop", "bash retry.sh", {
      files: {
        "retry.sh":
          "n=0\nuntil [ $n -ge 2 ]; do n=$((n+1)); echo \"try $n: error: @msg@, retrying in 0s\"; done\necho 'try 3: ok'\necho 'uploaded @file@'\n",
      },
    }),
    fine(
      "bash",
      "missing-optional",
      "[ -f @missing@ ] && cat @missing@; echo 'optional file not found, continuing'; echo built",
      { maskable: false },
    ),
    fine("zsh", "plain", "zsh -c 'print -l errors/*(N); print total: 0 errors'"),
    fine("fish", "plain", "fish -c 'for x in one two; echo \"$x ok\"; end'"),
    fine("bash", "json-with-error-null", 'echo \'{"error": null, "result": {"failed": 0, "passed": @n@}}\''),
    fine(
      "bash",
      "history-of-failures",
      "printf 'run 1: FAILED\\nrun 2: FAILED\\nrun 3: passed\\n' > h.txt; cat h.txt",
      { maskable: false },
    ),
  ],
};
