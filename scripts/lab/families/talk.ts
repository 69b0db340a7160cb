// Successes whose text talks of errors: logs, stack traces and sources that are shown, reports with 0 failures, handled
// problems, and long outputs. Beside each long success stands a long failure, so that length alone decides nothing.
import { bad, fine } from "../builders.ts";
import type { Case, Family } from "../types.ts";

const L = { localized: true } as const;

const SHOWN: Readonly<Record<string, string>> = {
  "nginx.log":
    '2026/03/01 08:12:44 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream, host: "@host@"\n2026/03/01 08:12:45 [warn] 31#31: *8 upstream server temporarily disabled\n',
  "syslog.txt":
    "Mar  1 08:00:01 web1 kernel: [12.1] @stem@[411]: segfault at 0 ip 00007f err 4 in libc.so\nMar  1 08:00:02 web1 systemd[1]: @stem@.service: Failed with result 'exit-code'.\nMar  1 08:00:09 web1 systemd[1]: Started @stem@ service.\n",
  "java.trace":
    'Exception in thread "main" java.lang.IllegalStateException: @msg@\n\tat com.acme.@type@.run(@type@.java:41)\nCaused by: java.io.IOException: Connection reset\n\t... 3 more\n',
  "node.trace":
    "/srv/app/@stem@.js:10\n    throw new Error('@msg@');\n    ^\n\nError: @msg@\n    at Object.<anonymous> (/srv/app/@stem@.js:10:11)\n\nNode.js v20.1.0\n",
  "go.trace": "panic: @msg@\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/@stem@/main.go:12 +0x39\nexit status 2\n",
  "rust.trace":
    "thread 'main' panicked at '@msg@', src/main.rs:4:5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
  "build.log":
    "src/@stem@.c:14:3: error: '@id@' undeclared (first use in this function)\nmake: *** [Makefile:9: @stem@.o] Error 1\n",
  "pytest.log": "FAILED test_@stem@.py::test_total - assert @big@ == 17\n=== 1 failed, 40 passed in 2.31s ===\n",
  "npm.log": "npm ERR! code ENOENT\nnpm ERR! syscall open\nnpm ERR! enoent Could not read package.json\n",
  "errors.md":
    "# Error codes\n\n| code | meaning |\n|---|---|\n| 404 | @stem@ not found |\n| 500 | internal error: @msg@ |\n| 1 | the command failed |\n",
  "handler.py":
    "try:\n    run()\nexcept PermissionError as error:\n    log.error('permission denied: %s', error)\n    raise SystemExit('fatal: @msg@')\n",
  "handler.sh":
    "#!/bin/bash\nset -e\nfail() { echo \"ERROR: $1\" >&2; exit 1; }\n[ -f @file@ ] || fail '@file@: No such file or directory'\n",
  "messages.json":
    '{\n  "not_found": "The @stem@ was not found.",\n  "denied": "Permission denied",\n  "failed": "Command failed with exit code {code}"\n}\n',
  "locale.po":
    'msgid "No such file or directory"\nmsgstr "Datei oder Verzeichnis nicht gefunden"\n\nmsgid "fatal error"\nmsgstr "schwerer Fehler"\n',
  Dockerfile:
    "FROM debian:12\nRUN apt-get update || (echo 'update failed' && exit 1)\nHEALTHCHECK CMD curl -f http://localhost/ || exit 1\n",
  "junit.xml":
    '<testsuite name="@stem@" tests="3" failures="1" errors="0"><testcase name="a"><failure message="@msg@">AssertionError</failure></testcase></testsuite>\n',
  "events.jsonl":
    '{"level":"error","error":{"code":"E@n@","message":"@msg@"}}\n{"level":"info","success":false}\n{"level":"fatal","exit_code":1}\n',
  "CHANGELOG.md":
    '## 2.@n@.0\n\n- Fix crash when @msg@ (exit code 139)\n- Fix "cannot find module" error on start\n- Timeouts no longer abort the whole run\n',
};

const showing = Object.entries(SHOWN).flatMap(([file, text]): readonly Case[] => [
  fine("cat", `shows-${file}`, `cat ${file}`, { files: { [file]: text }, seeds: 1 }),
  fine("read-tool", `shows-${file}`, `cat ${file}`, {
    needs: ["cat"],
    files: { [file]: text },
    tool: "read",
    maskable: false,
    seeds: 2,
  }),
  fine("sed", `prints-${file}`, `sed -n '1,20p' docs/${file}`, {
    files: { [`docs/${file}`]: text },
    seeds: 1,
    maskable: false,
  }),
  fine("search-tool", `finds-in-${file}`, `grep -rniE 'error|fail|denied|panic' .`, {
    needs: ["grep"],
    files: { [`x/${file}`]: text, "x/b.txt": "error: none\n" },
    tool: "search",
    maskable: false,
    seeds: 1,
  }),
]);

/** Prints many plain lines from a script, so that the telling line is far from both ends or at one of them. */
const lines = (count: number, text: string) =>
  `for i in $(seq 1 ${count}); do echo "${text.replaceAll("%", "$i")}"; done`;

const LONG: readonly Case[] = [
  fine("long", "build-output", `bash run.sh`, {
    files: {
      "run.sh": `${lines(400, "[%/400] Building C object src/module%.c.o")}\necho 'Linking @stem@'\necho 'Build finished: 0 errors, 12 warnings'\n`,
    },
  }),
  fine("long", "log-with-errors", `bash run.sh`, {
    files: {
      "run.sh": `${lines(150, "INFO request % served")}\necho 'ERROR request 151: @msg@'\n${lines(150, "INFO request % served again")}\necho 'shutdown complete'\n`,
    },
  }),
  fine("long", "listing", "ls -R", {
    setup: "for d in a b c d e; do mkdir $d; for i in $(seq 1 60); do touch $d/error-$i.ts; done; done",
  }),
  fine("long", "install-output", "bash run.sh", {
    files: {
      "run.sh": `${lines(120, "Unpacking lib%-dev (1.%-2) ...")}\necho 'warning: failed to load optional cache, skipped'\n${lines(60, "Setting up lib%-dev ...")}\n`,
    },
  }),
  fine("long", "test-output", "bash run.sh", {
    files: {
      "run.sh": `${lines(250, "ok % - handles error case %")}\necho '1..250'\necho '# tests 250'\necho '# fail 0'\n`,
    },
  }),
  fine("long", "source-shown", "cat big.js", {
    tool: "read",
    maskable: false,
    setup: "for i in $(seq 1 300); do echo \"  if (x === $i) throw new Error('case $i failed');\"; done > big.js",
  }),
  fine("long", "grep-many", "grep -n error big.log", {
    setup: 'for i in $(seq 1 200); do echo "line $i error: @msg@"; done > big.log',
  }),
  fine("long", "csv", "cat rows.csv", {
    setup: 'echo id,status,error > rows.csv; for i in $(seq 1 400); do echo "$i,failed,@msg@"; done >> rows.csv',
  }),
  bad("long", "fails-at-end", "bash run.sh", "error", "@msg@", {
    files: { "run.sh": `${lines(400, "[%/400] Copying asset %.png")}\necho 'fatal: @msg@' >&2\nexit 1\n` },
    also: ["exit_code"],
  }),
  bad("long", "fails-in-middle", "bash run.sh", "error", "@msg@", {
    files: {
      "run.sh": `${lines(120, "INFO step % done")}\necho 'ERROR: @msg@' >&2\n${lines(120, "INFO cleaning %")}\nexit 1\n`,
    },
    also: ["exit_code"],
  }),
  bad("long", "compile-error-in-middle", "make -k", "build_failure", "@id@", {
    needs: ["make", "gcc"],
    files: {
      Makefile: "all: $(patsubst %.c,%.o,$(wildcard *.c))\n%.o: %.c\n\tgcc -c $<\n",
      "m5.c": "int f(void) { return @id@; }\n",
    },
    setup: 'for i in $(seq 10 40); do echo "int g$i(void){return $i;}" > m$i.c; done',
    also: ["error"],
    signs: ["make: ***"],
    ...L,
  }),
  bad("long", "traceback-after-rows", "python3 run.py", "error", "@msg@", {
    needs: ["python3"],
    files: { "run.py": "for i in range(500):\n    print('row', i, 'imported')\nraise RuntimeError('@msg@')\n" },
  }),
  bad("long", "traceback-before-rows", "python3 run.py", "error", "@msg@", {
    needs: ["python3"],
    files: {
      "run.py":
        "import sys, threading\nsys.stderr.write('Traceback (most recent call last):\\n  File \"run.py\", line 3, in <module>\\nRuntimeError: @msg@\\n')\nsys.stderr.flush()\nfor i in range(300):\n    print('cleanup', i)\nsys.stdout.flush()\nimport os\nos._exit(1)\n",
    },
  }),
  bad("long", "missing-command-after-rows", "bash run.sh", "not_found", "@stem@-deploy", {
    files: { "run.sh": `${lines(200, "uploading part %")}\n@stem@-deploy --all\n` },
    exit: 127,
    ...L,
  }),
  bad("long", "tests-one-of-many", "bash run.sh", "test_failure", "@msg@", {
    files: {
      "run.sh": `${lines(90, "ok % - case %")}\necho 'not ok 91 - @msg@'\n${lines(90, "ok 9% - later case %")}\necho '1..181'\necho '# fail 1'\nexit 1\n`,
    },
    also: ["error"],
    signs: ["# fail 1"],
  }),
  bad("long", "rm-denied-among-many", "rm -rv data", "permission_denied", "@file@", {
    needs: ["rm"],
    setup:
      "mkdir -p data/locked; for i in $(seq 1 80); do touch data/f$i; done; touch data/locked/@file@; chmod 555 data/locked",
    ...L,
  }),
];

const HANDLED: readonly Case[] = [
  fine("cat", "localized-error-log", "cat err.log", {
    ...L,
    seeds: 1,
    setup: "LC_ALL=@locale@ ls @missing@ 2> err.log; LC_ALL=@locale@ cat @dir@ 2>> err.log; echo ok >> err.log",
  }),
  fine("read-tool", "localized-error-log", "cat err.log", {
    ...L,
    needs: ["cat"],
    seeds: 1,
    tool: "read",
    maskable: false,
    setup:
      "echo '# log of 3 March' > err.log; LC_ALL=@locale@ make @stem@ 2>> err.log; LC_ALL=@locale@ git log 2>> err.log",
  }),
  fine("bash", "localized-optional", "rm @missing@; mkdir -p out && cp -v @file@ out/", {
    ...L,
    files: { "@file@": "x" },
    maskable: false,
  }),
  fine("bash", "localized-fallback", "cat @missing@ || cat @file@", {
    ...L,
    files: { "@file@": "default settings\n" },
    maskable: false,
  }),
  fine(
    "bash",
    "tool-fallback",
    "@stem@-fast --version || echo 'fast mode not available, using slow mode'; echo 'converted 3 files'",
    { maskable: false },
  ),
  fine(
    "bash",
    "failed-items-skipped",
    "for f in a.txt @missing@ b.txt; do wc -c $f; done; echo 'total: 2 of 3 files'",
    { files: { "a.txt": "1", "b.txt": "2" }, maskable: false },
  ),
  fine("bash", "negated", "! grep -q @id@ @file@ && echo 'no error found'", {
    files: { "@file@": "clean\n" },
    maskable: false,
  }),
  fine(
    "bash",
    "expected-failure",
    "if ! python3 -c 'raise SystemExit(\"@msg@\")'; then echo 'rejected bad input as expected'; fi",
    { needs: ["python3"], maskable: false },
  ),
  fine("bash", "cleanup-complains", "kill 999999 2>&1; rm -f x.pid; echo 'server stopped'", { maskable: false }),
  fine("bash", "report-zero", "printf 'Errors: 0\\nFailures: 0\\nSkipped: 2\\n'", {}),
  fine("bash", "exit-code-echo", 'true; echo "exit code: $?"', { maskable: false }),
  fine("bash", "checks-status", 'ls @missing@ 2>/dev/null; echo "exists: $([ -e @missing@ ] && echo yes || echo no)"', {
    maskable: false,
  }),
  fine("bash", "progress-noise", "printf 'Downloading 10%%\\rDownloading 100%%\\n'; echo 'error rate: 0.0%'", {
    maskable: false,
  }),
  fine("bash", "http-table", "printf 'GET /a 200\\nGET /b 404\\nGET /c 500\\n' | sort | uniq -c", { maskable: false }),
  fine(
    "bash",
    "doc-lookup",
    "man -P cat ls >/dev/null 2>&1; echo 'EXIT STATUS: 1 if minor problems, 2 if serious trouble'",
    { maskable: false },
  ),
  fine("bash", "names", "echo ErrorBoundary.tsx failed_jobs.sql exceptions.py not-found.tsx | tr ' ' '\\n'", {
    maskable: false,
  }),
  fine("python3", "error-analysis", "python3 a.py", {
    files: {
      "a.py":
        "from collections import Counter\nrows = ['timeout', 'denied', 'timeout']\nfor k, v in Counter(rows).most_common():\n    print(f'{k:10} {v} failures')\nprint('analysis complete')\n",
    },
  }),
  fine("python3", "metrics", "python3 a.py", {
    files: {
      "a.py":
        "print('epoch 1 loss 0.41 error 0.12')\nprint('epoch 2 loss 0.32 error 0.09')\nprint('mean squared error: 0.0@n@')\n",
    },
  }),
  fine("python3", "standard-error", "python3 a.py", {
    files: {
      "a.py":
        "import sys\nprint('estimate 4.2, standard error 0.3')\nprint('progress 50%', file=sys.stderr)\nprint('progress 100%', file=sys.stderr)\n",
    },
  }),
  fine("node", "error-codes", "node -p \"Object.keys(require('os').constants.errno).slice(0, 12)\"", {}),
  fine("node", "error-class", "node -p \"new Error('@msg@').message.length + ' characters, no failure'\"", {}),
  fine("git", "branch-names", "git branch", {
    setup:
      "git init -q -b main . && git commit -q --allow-empty -m x && git branch fix/error-@stem@ && git branch failed-attempt",
  }),
  fine("git", "stat", "git log --stat -1", {
    setup: "git init -q . && echo 1 > error.log && git add . && git commit -qm 'Fix fatal: @msg@'",
  }),
];

export const TALK: Family = {
  name: "talk",
  cases: [...showing, ...LONG.map((one) => ({ needs: ["bash"], ...one })), ...HANDLED],
};
