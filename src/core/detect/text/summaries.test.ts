import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../test/support/classify.ts";
import { findSummary } from "./summaries.ts";
import { textWindow } from "./text-window.ts";

describe("the summary of a test run", () => {
  test.each([
    ["pytest -q", ".F..\nFAILED tests/test_vat.py::test_half - assert 3 == 4\n1 failed, 3 passed, 2 warnings in 0.12s"],
    ["npx vitest run", " Test Files  1 failed | 4 passed (5)\n      Tests  2 failed | 30 passed (32)"],
    ["dotnet test", "Failed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10, Duration: 41 ms"],
    ["rspec", "Finished in 0.4 seconds\n12 examples, 1 failure, 3 pending"],
    ["npx playwright test", "  1) a.spec.ts › adds\n\n  2 failed\n    a.spec.ts › adds\n  5 passed (9.8s)"],
    [
      "xcodebuild test",
      "Test Case 'a' failed (0.006 seconds).\n\t Executed 2 tests, with 1 failure (0 unexpected) in 0.007 (0.014) seconds",
    ],
    ["bazel test //...", "//a:t FAILED in 0.1s\nExecuted 3 out of 3 tests: 2 tests pass and 1 fails locally."],
  ])("a summary that counts a failed test is a test failure: %s", (command, text) => {
    expect(shell(command, text)).toMatchObject({ status: "failed", category: "test_failure" });
  });

  test.each([
    ["flutter test", "Test failed. See logs above.\n\n00:01 +0 -1: Some tests failed."],
    [
      "npx eslint src",
      "a.js\n  8:10  error  'm' is not defined  no-undef\n\n✖ 3 problems (1 error, 2 warnings)\n  0 errors and 1 warning potentially fixable with the `--fix` option.",
    ],
    [
      "prove t",
      "t/a.t .. Dubious\nt/a.t (Wstat: 512 (exited 2) Tests: 0 Failed: 0)\n  Non-zero exit status: 2\nFiles=1, Tests=0\nResult: FAIL",
    ],
  ])("a failed summary counts although a number in the last lines is 0: %s", (command, text) => {
    expect(shell(command, text).status).toBe("failed");
  });

  test("the summary counts in the answer of a tool that runs tests", () => {
    const text = "PASS src/a.test.js\nFAIL src/b.test.js\n  ✕ adds (3 ms)\n\nTests:       1 failed, 4 passed, 5 total";
    expect(answer("run_unit_tests", text)).toMatchObject({ status: "failed", category: "test_failure" });
  });

  test("an interrupted run of pytest is cancelled, although all tests before passed", () => {
    const text = "tests/test_a.py ...\n\n!!!!!!!!!!!!! KeyboardInterrupt !!!!!!!!!!!!!\n3 passed in 9.11s";
    expect(shell("pytest tests", text)).toMatchObject({ status: "failed", category: "cancelled" });
  });

  test("passed tests are ok with errors above the summary and times below it", () => {
    const text =
      "stderr | src/a.test.ts > maps a 500\nError: The server said 500\n    at f (src/a.ts:3:1)\n\n ✓ src/a.test.ts (4 tests) 8ms\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Start at  10:01:02\n   Duration  600ms\n";
    expect(shell("npx vitest run", text).status).toBe("ok");
  });

  test("a run of Go's tests is ok if every package is", () => {
    const text =
      '2024/08/30 10:12:00 ERROR no route err="refused"\nok  \texample.org/a\t0.6s\n?   \texample.org/b\t[no test files]';
    expect(shell("go test ./...", text).status).toBe("ok");
  });

  test.each([
    [
      "mvn -B verify",
      "12:01 [main] ERROR Parser - no line 4\njava.lang.IllegalStateException: bad\n\tat a.B.c(B.java:3)\n[INFO] Tests run: 11, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n[INFO] Total time:  6.2 s",
    ],
    [
      "ansible-playbook a.yml",
      'TASK [look] ***\nfatal: [q1]: FAILED! => {"msg": "no pid"}\n...ignoring\n\nPLAY RECAP ***\nq1 : ok=2  changed=1  unreachable=0  failed=0  ignored=1\nq2 : ok=2  changed=1  unreachable=0  failed=0  ignored=0',
    ],
    ["gut -s", "* test_errors_are_pushed\n    [Expected error]: no potion\n3/3 passed.\n\n---- All tests passed! ----"],
  ])("a run is ok if its last summary is, whatever failed above it: %s", (command, text) => {
    expect(shell(command, text).status).toBe("ok");
  });
});

describe("the summary of another program", () => {
  test("errors beside warnings are the summary of a linter", () => {
    const text = "src/a.vue\n  3:1  missing key\n\n4 problems (1 error, 3 warnings)";
    expect(shell("vuelint src", text)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test("a build that failed is a failure however its words are written", () => {
    expect(shell("msb x.sln", "  Domain -> d.dll\n\nBuild FAILED.\n\n    0 Warning(s)\n    1 Problem(s)").status).toBe(
      "failed",
    );
  });

  test("the recap of Ansible reports which hosts failed", () => {
    const recap = (failed: number, unreachable: number) =>
      `PLAY [db] ***\n\nTASK [Install] ***\nok: [db-1]\n\nPLAY RECAP ***\ndb-1 : ok=2  changed=0  unreachable=${unreachable}  failed=${failed}  skipped=0  rescued=0  ignored=1`;
    expect(shell("ansible-playbook db.yml", recap(0, 1)).status).toBe("failed");
    expect(shell("ansible-playbook db.yml", recap(2, 0)).status).toBe("failed");
    expect(shell("ansible-playbook db.yml", recap(0, 0)).status).toBe("ok");
  });
});

describe("counts", () => {
  test.each(["10 tests, 0 failures", "Prüfungen: 18, Fehler: 0", "проверок: 4, ошибок: 0", "errors=0"])(
    "%j is ok, also below a logged error",
    (line) => {
      expect(shell("./check", `[error] worker 3 stopped\n${line}`).status).toBe("ok");
    },
  );

  test("a count of 0 does not hide a failure beside it, and fixed errors are none", () => {
    expect(shell("pytest", "F.\n=== 1 failed, 3 passed, 0 errors in 0.1s ===").status).toBe("failed");
    expect(shell("ruff check --fix", "Found 3 errors (3 fixed, 0 remaining).").status).toBe("ok");
  });

  test.each([
    "Deleted 3 failed jobs.",
    "Successfully reprocessed 14 failed messages.",
    "Removed 5 failed pods from ci.",
  ])("a count of what was done with earlier failures is ok: %s", (text) => {
    expect(shell("./tidy.sh", text).status).toBe("ok");
  });

  test("a count of what went wrong is not ok", () => {
    expect(shell("./tidy.sh", "Aborted 3 failed jobs: error in the queue").status).not.toBe("ok");
  });

  test.each([
    ["expected failures", "..x.                     [100%]\n3 passed, 1 xfailed in 0.02s"],
    ["no failures", "Finished in 0.4 seconds\n12 examples, 0 failures"],
    ["a state in a table", "ID   STATUS                  NAMES\n8a   Exited (2) 3 hours ago  failed-job"],
    ["rows of data", "Row 3 skipped: invalid date\nProcessed 1000 rows, 2 errors"],
  ])("a line with %s is no summary", (_, text) => {
    expect(findSummary(textWindow(text))).toBeUndefined();
  });

  test("a name with the word of a failure and a number with commas is no count of failures", () => {
    const text = "decode: fail-fast x 2,310,555 ops/sec \u00b10.4% (88 runs sampled)\nFastest is fail-fast";
    expect(shell("node bench/decode.js", text).status).not.toBe("failed");
    expect(shell("npx jest", "a\nTests: 2 failed,1,204 passed").category).toBe("test_failure");
  });

  test.each([
    ["Mocha", "  parser\nError: unclosed bracket\n    \u2714 reports it\n\n\n  3 passing (4ms)"],
    [
      "Bun",
      "parser.test.ts:\nError: unclosed bracket\n(pass) reports it [1ms]\n\n 1 pass\n 0 fail\nRan 1 test across 1 file.",
    ],
  ])("an error that tests print on purpose is none if all of them pass, as %s counts them", (_, text) => {
    expect(shell("npm test", text).status).toBe("ok");
  });

  test("the numbers of a table with tabs are counts", () => {
    const text = "parse-3 FAILED: retried and passed\nsuite.tcl:\tTotal\t40\tPassed\t40\tSkipped\t0\tFailed\t0";
    expect(shell("tclsh suite.tcl", text).status).toBe("ok");
  });

  test("a line with nothing but the number of failed tests is a summary", () => {
    const text = "1/2 area OK\n2/2 volume FAIL 0.1s exit status 1\n\nOk:      1\nFail:    1\nTimeout: 0";
    expect(shell("meson test", text)).toMatchObject({ status: "failed", category: "test_failure" });
    expect(shell("meson test", text).message).toContain("volume");
  });

  test("failures among other counted work are no failed tests", () => {
    const text = "sending a.png\nsending b.png\nError: b.png is locked by printer 4\n8 uploaded, 1 failed, 2 skipped";
    expect(shell("./publish.sh", text)).toMatchObject({ status: "failed" });
    expect(shell("./publish.sh", text).category).not.toBe("test_failure");
  });

  test("errors that a tool of valgrind counts are a failure, and the first one is the message", () => {
    const report = (count: number) =>
      `==812== Helgrind, a thread error detector\n==812== Command: ./queue\n==812== \n==812== Invalid read of size 8\n==812==    at 0x1091: pop (queue.c:9)\n==812== \n==812== ERROR SUMMARY: ${count} errors from ${count} contexts (suppressed: 0 from 0)`;
    expect(shell("valgrind --error-exitcode=3 ./queue", report(2))).toMatchObject({
      status: "failed",
      message: "Invalid read of size 8",
    });
    expect(findSummary(textWindow(report(0)))).toBeUndefined();
  });
});
