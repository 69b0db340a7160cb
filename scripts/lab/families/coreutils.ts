// Coreutils, findutils, grep, tar and their like.
import { answer, bad, fine } from "../builders.ts";
import type { Family } from "../types.ts";

const L = { localized: true } as const;
const LOG = {
  "app.log":
    "2026-03-01 10:00:01 INFO start\n2026-03-01 10:00:02 ERROR @msg@\n2026-03-01 10:00:03 WARN retrying\n" +
    "2026-03-01 10:00:04 ERROR failed to open @file@: permission denied\n2026-03-01 10:00:05 INFO recovered\n",
};

export const COREUTILS: Family = {
  name: "coreutils",
  cases: [
    bad("cat", "missing-file", "cat @missing@", "not_found", "@missing@", L),
    bad("cat", "missing-among-many", "cat @file@ @missing@", "not_found", "@missing@", {
      files: { "@file@": "first line\nsecond line\n" },
      ...L,
    }),
    bad("cat", "is-a-folder", "cat @dir@", "error", "@dir@", {
      setup: "mkdir @dir@",
      also: ["precondition", "invalid_arguments"],
      ...L,
    }),
    bad("cat", "unreadable", "cat @file@", "permission_denied", "@file@", {
      files: { "@file@": "x" },
      setup: "chmod 000 @file@",
      ...L,
    }),
    bad("ls", "missing-folder", "ls -la @dir@/@stem@", "not_found", "@dir@/@stem@", L),
    bad("ls", "unreadable-folder", "ls @dir@", "permission_denied", "@dir@", {
      setup: "mkdir @dir@; chmod 000 @dir@",
      ...L,
    }),
    bad("ls", "bad-option", "ls --sort-by-owner", "invalid_arguments", "--sort-by-owner", L),
    bad("ls", "one-of-two", "ls @dir@ @missing@", "not_found", "@missing@", {
      setup: "mkdir @dir@; touch @dir@/a.txt @dir@/b.txt",
      ...L,
    }),
    bad("cp", "missing-source", "cp @missing@ backup/", "not_found", "@missing@", { setup: "mkdir backup", ...L }),
    bad("cp", "folder-without-r", "cp @dir@ copy", "invalid_arguments", "@dir@", {
      setup: "mkdir @dir@",
      also: ["error", "precondition"],
      ...L,
    }),
    bad("cp", "no-destination", "cp @file@", "invalid_arguments", "@file@", { files: { "@file@": "x" }, ...L }),
    bad("cp", "target-not-a-folder", "cp a.txt b.txt @stem@", "precondition", "@stem@", {
      setup: "touch a.txt b.txt c",
      also: ["not_found", "error", "invalid_arguments"],
      ...L,
    }),
    bad("mv", "missing-source", "mv @missing@ @file@", "not_found", "@missing@", L),
    bad("mv", "target-folder-missing", "mv @file@ @dir@/deep/", "not_found", "@dir@/deep/", {
      files: { "@file@": "x" },
      ...L,
    }),
    bad("mv", "read-only-folder", "mv @file@ @dir@/", "permission_denied", "@dir@/@file@", {
      files: { "@file@": "x" },
      setup: "mkdir @dir@; chmod 555 @dir@",
      ...L,
    }),
    bad("rm", "missing-file", "rm @missing@", "not_found", "@missing@", L),
    bad("rm", "folder-without-r", "rm @dir@", "error", "@dir@", {
      setup: "mkdir @dir@",
      also: ["precondition", "invalid_arguments"],
      ...L,
    }),
    bad("rm", "no-operand", "rm", "invalid_arguments", "rm:", L),
    bad("rm", "protected-folder", "rm -r @dir@", "permission_denied", "@dir@/@file@", {
      setup: "mkdir @dir@; touch @dir@/@file@; chmod 555 @dir@",
      ...L,
    }),
    bad("rmdir", "not-empty", "rmdir @dir@", "precondition", "@dir@", {
      setup: "mkdir @dir@; touch @dir@/x",
      also: ["error"],
      ...L,
    }),
    bad("mkdir", "exists", "mkdir @dir@", "precondition", "@dir@", { setup: "mkdir @dir@", also: ["error"], ...L }),
    bad("mkdir", "parent-missing", "mkdir @dir@/@stem@/logs", "not_found", "@dir@/@stem@/logs", L),
    bad("mkdir", "no-permission", "mkdir /opt/@stem@", "permission_denied", "/opt/@stem@", L),
    bad("touch", "folder-missing", "touch @dir@/@file@", "not_found", "@dir@/@file@", L),
    bad("touch", "no-permission", "touch /etc/@file@", "permission_denied", "/etc/@file@", L),
    bad("chmod", "missing-file", "chmod +x @missing@", "not_found", "@missing@", L),
    bad("chmod", "bad-mode", "chmod 99x @file@", "invalid_arguments", "99x", { files: { "@file@": "x" }, ...L }),
    bad("chown", "not-permitted", "chown root @file@", "permission_denied", "@file@", {
      files: { "@file@": "x" },
      ...L,
    }),
    bad("chown", "unknown-user", "chown @user@x @file@", "invalid_arguments", "@user@x", {
      files: { "@file@": "x" },
      also: ["not_found"],
      ...L,
    }),
    bad("head", "missing-file", "head -n 5 @missing@", "not_found", "@missing@", L),
    bad("tail", "missing-file", "tail -n 20 @missing@", "not_found", "@missing@", L),
    bad("tail", "bad-count", "tail -n ten @file@", "invalid_arguments", "ten", { files: { "@file@": "x" }, ...L }),
    bad("wc", "missing-file", "wc -l @file@ @missing@", "not_found", "@missing@", {
      files: { "@file@": "a\nb\n" },
      ...L,
    }),
    bad("sort", "missing-file", "sort @missing@", "not_found", "@missing@", L),
    bad("cut", "no-list", "cut @file@", "invalid_arguments", "cut:", { files: { "@file@": "x" }, ...L }),
    bad("date", "bad-date", "date -d 'next @stem@'", "invalid_arguments", "next @stem@", L),
    bad("sleep", "bad-interval", "sleep @stem@", "invalid_arguments", "@stem@", L),
    bad("seq", "bad-number", "seq 1 @stem@", "invalid_arguments", "@stem@", L),
    bad("dd", "missing-input", "dd if=@missing@ of=out.bin", "not_found", "@missing@", L),
    bad("dd", "unknown-operand", "dd input=@file@", "invalid_arguments", "input=", L),
    bad("ln", "exists", "ln -s a.txt @file@", "precondition", "@file@", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("split", "bad-size", "split -b tenMB @file@", "invalid_arguments", "tenMB", { files: { "@file@": "x" }, ...L }),
    bad("stat", "missing-file", "stat @missing@", "not_found", "@missing@", L),
    bad("realpath", "missing-file", "realpath -e @dir@/@missing@", "not_found", "@missing@", L),
    bad("readlink", "silent-missing", "readlink @missing@", "exit_code", "", { also: ["not_found"] }),
    bad("du", "missing-folder", "du -sh @dir@ @stem@", "not_found", "@stem@", { setup: "mkdir @dir@", ...L }),
    bad("df", "missing-path", "df -h /mnt/@stem@", "not_found", "/mnt/@stem@", L),
    bad("install", "missing-source", "install -m 755 @missing@ bin/", "not_found", "@missing@", {
      setup: "mkdir bin",
      ...L,
    }),
    bad("tee", "no-permission", "echo port=8080 | tee /etc/@file@", "permission_denied", "/etc/@file@", {
      ...L,
      exit: 1,
    }),
    bad("base64", "bad-input", "base64 -d @file@", "error", "base64:", {
      files: { "@file@": "%%%not base64%%%" },
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("sha256sum", "mismatch", "sha256sum -c sums.txt", "error", "@file@", {
      files: { "@file@": "changed", "sums.txt": `${"0".repeat(64)}  @file@\n` },
      also: ["failed", "precondition", "test_failure"],
      ...L,
    }),
    bad("sha256sum", "missing-file", "sha256sum @missing@", "not_found", "@missing@", L),
    bad("find", "missing-folder", "find @dir@ -name '*.ts'", "not_found", "@dir@", L),
    bad("find", "unknown-predicate", "find . -nam '*.ts'", "invalid_arguments", "-nam", L),
    bad("find", "bad-order", "find . -type file", "invalid_arguments", "-type", L),
    bad("xargs", "command-missing", "printf 'a\\nb\\n' | xargs @stem@-format", "not_found", "@stem@-format", {
      exit: 127,
      ...L,
    }),
    bad("grep", "missing-file", "grep -n TODO @missing@", "not_found", "@missing@", L),
    bad("grep", "bad-pattern", "grep '[a-' @file@", "invalid_arguments", "grep:", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("grep", "bad-option", "grep --recursiv-all TODO .", "invalid_arguments", "--recursiv-all", L),
    bad("egrep", "unbalanced", "grep -E '(open' @file@", "invalid_arguments", "(", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("sed", "missing-file", "sed -i 's/a/b/' @missing@", "not_found", "@missing@", L),
    bad("sed", "bad-expression", "sed 's/@stem@/x' @file@", "invalid_arguments", "sed:", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("sed", "unknown-command", "sed 'k@stem@' @file@", "invalid_arguments", "sed:", {
      files: { "@file@": "x" },
      also: ["error"],
      ...L,
    }),
    bad("awk", "syntax", "awk '{ print $1 ' @file@", "error", "awk:", {
      files: { "@file@": "x" },
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("awk", "missing-file", "awk '{ print $1 }' @missing@", "not_found", "@missing@", L),
    bad("tar", "missing-archive", "tar xzf @stem@.tar.gz", "not_found", "@stem@.tar.gz", L),
    bad("tar", "not-an-archive", "tar xf @stem@.tar", "error", "tar", {
      files: { "@stem@.tar": "plain text, no archive\n" },
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("tar", "missing-member", "tar czf out.tgz @missing@", "not_found", "@missing@", L),
    bad("tar", "no-mode", "tar @stem@.tar", "invalid_arguments", "tar", L),
    bad("gzip", "not-gzip", "gunzip @stem@.gz", "error", "@stem@.gz", {
      files: { "@stem@.gz": "not compressed" },
      also: ["invalid_arguments"],
    }),
    bad("gzip", "missing-file", "gzip @missing@", "not_found", "@missing@"),
    bad("xz", "bad-format", "xz -d @stem@.xz", "error", "@stem@.xz", {
      files: { "@stem@.xz": "not compressed" },
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("unzip", "missing-archive", "unzip @stem@.zip", "not_found", "@stem@.zip"),
    bad("unzip", "not-a-zip", "unzip @stem@.zip", "error", "@stem@.zip", {
      files: { "@stem@.zip": "plain" },
      also: ["invalid_arguments"],
    }),
    bad("zip", "nothing-to-do", "zip out.zip @missing@", "not_found", "@missing@", { also: ["error"] }),
    bad("patch", "missing-file", "patch -p1 < fix.diff", "not_found", "@file@", {
      files: { "fix.diff": "--- a/@file@\n+++ b/@file@\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n" },
      setup: "true",
      also: ["precondition", "error", "failed"],
    }),
    bad("patch", "rejected-hunk", "patch -p1 < fix.diff", "precondition", "@file@", {
      files: {
        "fix.diff": "--- a/@file@\n+++ b/@file@\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
        "@file@": "nothing\nalike\nhere\n",
      },
      also: ["error", "failed"],
      signs: ["FAILED"],
    }),
    bad("diff", "missing-file", "diff @file@ @missing@", "not_found", "@missing@", {
      files: { "@file@": "x" },
      exit: 2,
      ...L,
    }),
    bad("cmp", "missing-file", "cmp @file@ @missing@", "not_found", "@missing@", {
      files: { "@file@": "x" },
      exit: 2,
      ...L,
    }),
    bad("kill", "no-process", "kill 4190@n@@n@", "not_found", "4190", { also: ["error"], ...L }),
    bad("timeout", "expires", "timeout 1 sleep 30", "timeout", "", { exit: 124, maskable: false }),
    bad("timeout", "expires-after-output", "timeout 1 sh -c 'echo starting @stem@; sleep 30'", "timeout", "", {
      exit: 124,
      maskable: false,
    }),
    bad("timeout", "command-missing", "timeout 5 @stem@-server", "not_found", "@stem@-server", { exit: 127, ...L }),
    bad("env", "command-missing", "env MODE=test @stem@-cli run", "not_found", "@stem@-cli", { exit: 127, ...L }),
    bad("nice", "command-missing", "nice @stem@-job", "not_found", "@stem@-job", { exit: 127, ...L }),
    bad("rsync", "missing-source", "rsync -a @dir@/ backup/", "not_found", "@dir@"),
    bad("file", "missing-file", "file -E @missing@", "not_found", "@missing@", { also: ["error"] }),
    bad("rg", "missing-path", "rg TODO @dir@", "not_found", "@dir@"),
    bad("rg", "bad-pattern", "rg '(@stem@' .", "invalid_arguments", "unclosed group", {
      files: { "@file@": "x" },
      also: ["error"],
    }),
    bad("tree", "missing-folder", "tree @dir@", "not_found", "@dir@", { also: ["error"] }),
    bad("bc", "syntax", "echo '3 + * 4' | bc -q; test -z \"$(echo '3 + * 4' | bc 2>&1)\"", "error", "syntax error", {
      also: ["invalid_arguments"],
      maskable: false,
    }),
    bad("su", "no-password", "su -c id root", "auth", "su:", { also: ["permission_denied"], ...L }),
    bad("mount", "not-root", "mount /dev/sdz1 /mnt", "permission_denied", "mount", {
      also: ["not_found", "error"],
      ...L,
    }),
    bad("useradd", "not-root", "useradd @user@", "permission_denied", "useradd", { also: ["error"], ...L }),
    bad("passwd", "unknown-user", "passwd @user@z", "not_found", "@user@z", {
      also: ["error", "permission_denied"],
      ...L,
    }),
    bad("dpkg", "not-installed", "dpkg -s @pkg@", "not_found", "@pkg@", L),
    bad("dpkg", "bad-archive", "dpkg -I @stem@.deb", "error", "@stem@.deb", {
      files: { "@stem@.deb": "text" },
      also: ["invalid_arguments"],
      ...L,
    }),
    bad("getent", "silent-missing", "getent passwd @user@q", "exit_code", "", { also: ["not_found"] }),

    answer("grep", "no-match", "grep -rn @id@Zz .", "grep-no-match", 1, { files: { "@file@": "alpha\n" } }),
    answer("grep", "count-zero", "grep -c ERROR @file@", "grep-no-match", 1, { files: { "@file@": "all good\n" } }),
    answer("rg", "no-match", "rg @id@Zz", "grep-no-match", 1, { files: { "@file@": "alpha\n" } }),
    answer("diff", "differs", "diff old.txt new.txt", "diff-differs", 1, {
      files: { "old.txt": "a\nport = 80\n", "new.txt": "a\nport = 443\n" },
    }),
    answer("diff", "differs-unified", "diff -u old.conf new.conf", "diff-differs", 1, {
      files: { "old.conf": "a\non_error = stop\nc\n", "new.conf": "a\non_error = retry\nfailed = 0\nc\n" },
    }),
    answer("diff", "differs-brief", "diff -rq a b", "diff-differs", 1, {
      setup: "mkdir a b; echo 1 > a/@file@; echo 2 > b/@file@; touch a/only",
      ...L,
    }),
    answer("cmp", "differs", "cmp one two", "diff-differs", 1, { files: { one: "aab\n", two: "aac\n" }, ...L }),
    answer("cmp", "silent-differs", "cmp -s one two", "cmp-silent", 1, { files: { one: "aab\n", two: "aac\n" } }),
    answer("test", "false", "test -f @missing@", "test-false", 1),
    answer("test", "bracket-false", "[ -d @dir@ ]", "test-false", 1, { needs: ["bash"] }),
    answer("which", "none", "which @stem@-cli", "which-none", 1),
    answer("command", "none", "command -v @stem@-cli", "which-none", 1, { needs: ["bash"] }),
    answer("expr", "zero", "expr 5 - 5", "expr-zero", 1),
    answer("pgrep", "none", "pgrep -f @stem@-daemon-x1", "pgrep-none", 1, { needs: ["pgrep"] }),
    fine("ls", "or-echo", "ls @missing@ 2>/dev/null || echo 'does not exist'", {
      convention: "or-echo",
      maskable: false,
    }),
    fine("cat", "or-echo", "cat @dir@/config.json 2>/dev/null || echo 'not found'", {
      convention: "or-echo",
      maskable: false,
    }),
    fine("which", "or-echo", "which @stem@ || echo '@stem@ not installed'", { convention: "or-echo", maskable: false }),
    fine("test", "or-echo", "[ -f .env ] && echo present || echo missing", {
      needs: ["bash"],
      convention: "or-echo",
      maskable: false,
    }),
    fine("command", "or-echo", "command -v docker-@stem@ >/dev/null || echo 'no docker'", {
      needs: ["bash"],
      convention: "or-echo",
      maskable: false,
    }),

    fine("grep", "log-errors", "grep -n ERROR app.log", { files: LOG }),
    fine("grep", "source-errors", "grep -rn 'throw new Error' .", {
      files: {
        "src/@stem@.js": "if (!x) {\n  throw new Error('@msg@');\n}\n",
        "src/b.js": "catch (e) { throw new Error('failed: ' + e) }\n",
      },
    }),
    fine("grep", "search-tool", "grep -rn -i error .", {
      tool: "search",
      files: { ...LOG, "src/err.py": "raise ValueError('@msg@')\n" },
    }),
    fine("grep", "count-errors", "grep -c ERROR app.log", { files: LOG }),
    fine("tail", "log", "tail -n 4 app.log", { files: LOG }),
    fine("cat", "log", "cat app.log", { files: LOG }),
    fine("cat", "log-read-tool", "cat app.log", { files: LOG, tool: "read", maskable: false }),
    fine("cat", "traceback-file", "cat crash.txt", {
      files: {
        "crash.txt":
          'Traceback (most recent call last):\n  File "/srv/@stem@.py", line 12, in <module>\n    run()\nValueError: @msg@\n',
      },
    }),
    fine("cat", "traceback-read-tool", "cat crash.txt", {
      tool: "read",
      maskable: false,
      files: {
        "crash.txt":
          "Incident 4 of March\n\nTraceback (most recent call last):\n  File \"/srv/@stem@.py\", line 12, in <module>\n    run()\nKeyError: '@id@'\n\nFixed by release 2.\n",
      },
    }),
    fine("cat", "source-with-errors", "cat -n src/@stem@.go", {
      files: {
        "src/@stem@.go":
          'package main\n\nimport "errors"\n\nvar ErrMissing = errors.New("@msg@")\n\nfunc run() error {\n\treturn ErrMissing\n}\n',
      },
    }),
    fine("cat", "error-page", "cat 404.html", {
      files: { "404.html": "<h1>404 Not Found</h1><p>The page does not exist.</p>\n" },
    }),
    fine("cat", "exit-code-in-text", "cat ci.log", {
      files: { "ci.log": "step 1 ok\nstep 2: command exited with code 1\nstep 2 retried: ok\nbuild finished\n" },
    }),
    fine("awk", "count-levels", "awk '{ n[$3]++ } END { for (k in n) print k, n[k] }' app.log", { files: LOG }),
    fine("sort", "levels", "cut -d' ' -f3 app.log | sort | uniq -c", { files: LOG, maskable: false }),
    fine("ls", "plain", "ls -la", { files: { "error.log": "", "@file@": "abc\n", "failed/report.txt": "x" }, ...L }),
    fine("ls", "names-with-errors", "ls", { files: { "errors.ts": "", "not_found.html": "", "failure-cases.md": "" } }),
    fine("find", "names", "find . -name '*error*'", {
      files: { "src/error-handler.ts": "", "test/error.test.ts": "" },
    }),
    fine("find", "some-unreadable", "find . -name '*.txt' 2>/dev/null", {
      files: { "a/@file@.txt": "" },
      maskable: false,
    }),
    fine("wc", "lines", "wc -l app.log", { files: LOG }),
    fine("stat", "plain", "stat @file@", { files: { "@file@": "x" }, ...L }),
    fine("df", "plain", "df -h /tmp | head -1; echo; du -sh .", { ...L, maskable: false }),
    fine("mkdir", "silent", "mkdir -p @dir@/@stem@"),
    fine("mkdir", "verbose", "mkdir -pv @dir@/@stem@", L),
    fine("cp", "verbose", "cp -v @file@ copy-@file@", { files: { "@file@": "x" }, ...L }),
    fine("mv", "verbose", "mv -v @file@ moved-@file@", { files: { "@file@": "x" }, ...L }),
    fine("rm", "verbose", "rm -v @file@", { files: { "@file@": "x" }, ...L }),
    fine("rm", "force-missing", "rm -f @missing@"),
    fine("touch", "silent", "touch @file@"),
    fine("tar", "verbose", "tar czvf out.tgz src", { files: { "src/error.c": "", "src/@stem@.c": "" } }),
    fine("tar", "warning-only", "tar czf out.tgz /etc/hostname && tar tzf out.tgz", L),
    fine("unzip", "list", "zip -q a.zip @file@ && unzip -l a.zip", {
      needs: ["zip", "unzip"],
      files: { "@file@": "x" },
    }),
    fine("sha256sum", "check-ok", "sha256sum @file@ > s && sha256sum -c s", { files: { "@file@": "x" }, ...L }),
    fine("patch", "applied", "patch -p1 < fix.diff", {
      files: {
        "fix.diff": "--- a/@file@\n+++ b/@file@\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
        "@file@": "one\ntwo\n",
      },
    }),
    fine("patch", "applied-with-offset", "patch -p1 < fix.diff", {
      files: {
        "fix.diff": "--- a/@file@\n+++ b/@file@\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
        "@file@": "x\ny\nz\none\ntwo\n",
      },
    }),
    fine("diff", "same", "diff @file@ copy && echo identical", { files: { "@file@": "x\n", copy: "x\n" } }),
    fine("date", "plain", "date -u -d @1700000000", L),
    fine("timeout", "in-time", "timeout 5 echo 'no timeout, error budget kept'"),
    fine("ls", "help", "ls --help | head -20", { ...L, maskable: false }),
    fine("rsync", "done", "rsync -av src/ dst/ | head -4", { files: { "src/errors.log": "x" }, maskable: false }),
    fine("rg", "log-errors", "rg -n 'ERROR|failed' app.log", { files: LOG }),
    fine("tree", "plain", "tree src", { files: { "src/errors/not-found.ts": "", "src/@stem@.ts": "" } }),
  ],
};
