import { describe, expect, test } from "vitest";
import { classifyToolResult } from "./index.ts";
import { findClosingError } from "./text/closing-error.ts";
import { findSummary } from "./text/summaries.ts";
import { textWindow } from "./text/text-window.ts";

const shell = (command: string, content: string) =>
  classifyToolResult({ content }, { name: "bash", arguments: { command } });

describe("an error at the end of an output", () => {
  test("is a failure, whatever the program did before", () => {
    const text =
      'configmap/queue unchanged\nstatefulset.apps/queue configured\nerror: unable to recognize "jobs.yml": no kind "CronTask" is registered\nregister the definition first\n';
    expect(shell("kubectl apply -f deploy/", text)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("unable to recognize"),
    });
  });

  test("may be an exception behind a banner", () => {
    const text =
      "Session log:\t77ab12\nConnected to:\tdb://127.0.0.1:9000/shop\nServer:\t4.2.1\n\nShopServerError: Index build stopped: orders.number :: caused by :: two documents share { number: 7 }\n";
    expect(shell("shopsh db://127.0.0.1:9000/shop --eval 'index()'", text).status).toBe("failed");
  });

  test("may have a code, indented lines and hints below it", () => {
    const text =
      "[1] Compiling 4 files\n[2] Compiler 0.9 finished in 12 ms\nError (2271): Operator + not defined here.\n  --> src/Bank.sol:9:3:\n   |\n 9 |   a + b;\nhint: cast one side first";
    expect(shell("solkit build", text).status).toBe("failed");
  });

  test("may be followed by sentences in another language", () => {
    const text =
      "Atualizando 77aa01c..9be2d10\nerror: As suas alterações locais em\n\tsrc/conta.py\nseriam sobrescritas.\nGrave-as antes de continuar.\nAbortando";
    expect(shell("git pull", text).status).toBe("failed");
  });

  test("may start with a mark and a label in brackets", () => {
    const text =
      "edge-cli 3.1\n-----\n\n✘ [ERROR] The upload to the edge (/zones/7) was not accepted.\n\n  Ask an owner.";
    expect(shell("edge-cli publish", text).status).toBe("failed");
  });

  test("is quoted although its message names a build, and is one of the compiler if it names a source", () => {
    const exception = "Server: 4.2\n\nIndexServerError: Index build failed: two documents share the number 7";
    expect(shell("shopsh --eval 'index()'", exception).message).toBe(
      "IndexServerError: Index build failed: two documents share the number 7",
    );
    const source =
      "[1 of 2] Compiling Main\nsrc/Main.hs:8:3: error: Couldn't match type 'Int' with 'Text'\n  |\n8 |  x";
    expect(shell("hpack-make all", source)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test.each([
    ["tries again", "error: the queue is full, retrying\nerror: the queue is full, retrying\nsent 3 jobs"],
    ["is done before", "Successfully installed q-2\nERROR: other packages are now too old for q 2"],
    ["is done after", "error: row 7 has no date\nrow 8 loaded\nload finished"],
    ["goes on", "loading\nerror: row 7 has no date\nrow 8\nrow 9\nrow 10\nrow 11"],
    ["prints one line", "error: row 7 has no date"],
    ["warns at last", "loaded\nUserWarning: no GPU was found, the CPU is used"],
    ["goes on as before", "applying 1\napplying 2\nERROR:  the table is there already\napplying 3\nall are applied"],
    ["lists counts by level", "Messages by count\nError: disk full, 12 times\nWarning: slow disk, 3 times"],
    ["prints a measure", "epoch 2 loss 0.5\nerror: 0.031 on the test set"],
    ["lists exceptions", "SizeError: raised when a size is wrong\nTypeError: raised when a type is wrong"],
    ["names what it lacks", "12 files read\nErrors: none in this run"],
  ])("does not decide about a program that %s", (_, text) => {
    expect(findClosingError(textWindow(text), [])).toBeUndefined();
  });
});

describe("a line of counts at the end of an output", () => {
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
  ])("with a failure is one of tests: %s", (command, text) => {
    expect(shell(command, text)).toMatchObject({ status: "failed", category: "test_failure" });
  });

  test("with errors beside warnings is one of a linter", () => {
    const text = "src/a.vue\n  3:1  missing key\n\n4 problems (1 error, 3 warnings)";
    expect(shell("vuelint src", text)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test.each([
    ["expected failures", "..x.                     [100%]\n3 passed, 1 xfailed in 0.02s"],
    ["no failures", "Finished in 0.4 seconds\n12 examples, 0 failures"],
    ["a state in a table", "ID   STATUS                  NAMES\n8a   Exited (2) 3 hours ago  failed-job"],
    ["rows of data", "Row 3 skipped: invalid date\nProcessed 1000 rows, 2 errors"],
  ])("is no summary with %s", (_, text) => {
    expect(findSummary(textWindow(text))).toBeUndefined();
  });
});

describe("other answers", () => {
  const answer = (name: string, content: string) => classifyToolResult({ content }, { name });

  test("of passed tests are fine with errors above and times below them", () => {
    const text =
      "stderr | src/a.test.ts > maps a 500\nError: The server said 500\n    at f (src/a.ts:3:1)\n\n ✓ src/a.test.ts (4 tests) 8ms\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Start at  10:01:02\n   Duration  600ms\n";
    expect(shell("npx vitest run", text).status).toBe("ok");
  });

  test("that open with an error without a colon are failures", () => {
    expect(answer("send_invoice", "Error sending the invoice via mail.example:587\nno route").status).toBe("failed");
    expect(answer("create_chat", "Error code: 401 - the key is not valid").status).toBe("failed");
    expect(answer("fetch_page", "Error handling in our product is described below.").status).toBe("ok");
  });

  test.each([
    [
      "select 1 frm dual",
      "select 1 frm dual\n         *\nERROR at line 1:\nORA-00942: table or view does not exist\n\nDisconnected",
    ],
    [
      "select * from a.b",
      "Changed database context to 'x'.\nMsg 4060, Level 14, State 1, Server Q1, Line 1\nDatenbank 'x' ist unbekannt.",
    ],
  ])("of a database with a number are failures: %s", (sql, text) => {
    const args = { sql };
    expect(classifyToolResult({ content: text }, { name: "run_sql", arguments: args }).status).toBe("failed");
    expect(shell(`sqltool -q '${sql}'`, text).status).toBe("failed");
  });

  test("of a database with a notice are fine", () => {
    const text = "Msg 5701, Level 10, State 2, Server Q1, Line 1\nChanged database context to 'x'.\n7";
    expect(classifyToolResult({ content: text }, { name: "run_sql", arguments: { sql: "select 7" } }).status).toBe(
      "ok",
    );
  });

  test("of a tool that was asked to act are failures if nothing was done", () => {
    expect(answer("update_contact", "No person has the id 77. Nothing was updated.").status).toBe("failed");
    expect(answer("list_contacts", "No person has the id 77. Nothing was updated.").status).toBe("ok");
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
  ])("are fine if the last summary is, whatever failed above it: %s", (command, text) => {
    expect(shell(command, text).status).toBe("ok");
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
  ])("are failures although a number in the last lines is 0: %s", (command, text) => {
    expect(shell(command, text).status).toBe("failed");
  });

  test("of a client that prints the head of a refused request are soft failures, unless it asked for the head", () => {
    const text = 'HTTP/2 401\r\nserver: x\r\n\r\n{"error":{"message":"The key q is not valid"}}';
    expect(shell("curl -sS -i https://pay.example/v1", text)).toMatchObject({ soft: true, category: "auth" });
    const verbose = "> GET /v1 HTTP/2\n> accept: */*\n>\n< HTTP/2 504\n< server: x\n<\nlate";
    expect(shell("curl -v https://pay.example/v1", verbose)).toMatchObject({
      soft: true,
      category: "http_server_error",
    });
    expect(shell("curl -sI https://pay.example/v1", "HTTP/2 404\r\nserver: x\r\n").soft).toBe(false);
    expect(shell("curl -sSL -i https://pay.example/v1", `${text}\nHTTP/2 200\r\nserver: x\r\n\r\nhello`).soft).toBe(
      false,
    );
  });

  test("of a compiler are failures, wherever its error stands", () => {
    const text = `Restoring packages...\nsrc/Cart.cs(14,26): error CS0246: The type 'Q' could not be found [Cart.csproj]\n\n${"News: version 9 is out. See the page of the tool.\n".repeat(14)}`;
    expect(shell("dotnet build Cart.sln", text)).toMatchObject({ status: "failed", category: "build_failure" });
  });

  test.each([
    "Deleted 3 failed jobs.",
    "Successfully reprocessed 14 failed messages.",
    "Removed 5 failed pods from ci.",
  ])("that count what was done with earlier failures are fine: %s", (text) => {
    expect(shell("./tidy.sh", text).status).toBe("ok");
  });

  test("that count what went wrong are not", () => {
    expect(shell("./tidy.sh", "Aborted 3 failed jobs: error in the queue").status).not.toBe("ok");
  });

  test("of a tool that was asked to act are failures if they deny it", () => {
    expect(answer("create_event", "Not created: the room is booked until 11:00.").status).toBe("failed");
    expect(
      answer("call_service", "response:\nMove_Response(success=False, message='target out of reach')").status,
    ).toBe("failed");
  });

  test("of Go's tests are fine if every package is", () => {
    const text =
      '2024/08/30 10:12:00 ERROR no route err="refused"\nok  \texample.org/a\t0.6s\n?   \texample.org/b\t[no test files]';
    expect(shell("go test ./...", text).status).toBe("ok");
  });

  test("of a build that failed are failures however its words are written", () => {
    expect(shell("msb x.sln", "  Domain -> d.dll\n\nBuild FAILED.\n\n    0 Warning(s)\n    1 Problem(s)").status).toBe(
      "failed",
    );
  });

  test("with a usage text below a complaint are failures, unless help was asked for", () => {
    const text = "unknown shorthand flag: 'z' in -z\n\nUsage:  gp list [flags]\n\nFlags:\n  -a, --all   everything";
    expect(shell("gp list -z", text)).toMatchObject({ status: "failed", category: "invalid_arguments" });
    expect(shell("gp list --help", text).evidence[0]?.rule).not.toBe("usage-text");
  });

  test("that open with the status of a request are failures", () => {
    expect(answer("charge_card", 'Status: 422 Unprocessable Entity\nBody: {"amount":["too small"]}').status).toBe(
      "failed",
    );
    expect(answer("run_query", "Response not successful: Received status code 504\n<html>late</html>").status).toBe(
      "failed",
    );
    expect(answer("charge_card", 'Status: 200 OK\nBody: {"id":7}').status).toBe("ok");
  });

  test("with the complaint of a helper program at the end are failures", () => {
    const text =
      "dump.gz   12%   61MB   3.1MB/s   02:21 ETA\nclient_loop: send disconnect: Connection reset by peer\nlost connection";
    expect(shell("scp dump.gz box:/tmp/", text)).toMatchObject({ status: "failed", category: "network" });
    const loop = "1 a.txt\nwc: b.txt: No such file or directory\n1 c.txt\n2 of 3 files";
    expect(shell("./count.sh", loop).evidence[0]?.rule).not.toBe("closing-error");
  });

  test("of a search are no match with status 1, also if the command is a list of words", () => {
    const content = "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n";
    const call = { name: "shell", arguments: { command: ["rg", "-n", "later"] } };
    expect(classifyToolResult({ content }, call).status).toBe("ok");
  });

  test("of a server that refused a push name the reason, not the number of its log", () => {
    const text =
      "remote: error: Trace: 91ab77c0\nremote: error: See https://git.example/limits for more.\nremote: error: File a.bin is 140 MB; the limit of this server is 100 MB\nTo git.example:a/b.git\n ! [remote rejected] main -> main (pre-receive hook declined)\nerror: failed to push some refs to 'git.example:a/b.git'";
    expect(shell("git push", text).message).toContain("File a.bin is 140 MB");
  });

  test.each([
    ['{"esito": "KO", "motivo": "nessun posto libero"}', "nessun posto libero"],
    ['{"結果": "エラー", "メッセージ": "予約がいっぱいです"}', "予約がいっぱいです"],
  ])("with a status in another language are failures: %s", (text, reason) => {
    expect(answer("reserve", text)).toMatchObject({ status: "failed", message: expect.stringContaining(reason) });
  });

  test("of a field that is quoted in the message keep the whole message", () => {
    const text = '{"errors":[{"message":"Field \'owner\' does not exist on type \'Repo\'","path":["query","owner"]}]}';
    expect(answer("graphql", text).message).toContain("Field 'owner' does not exist on type 'Repo'");
  });

  test("of Windows in another language have the category of the sentence", () => {
    const text = 'Der Befehl "robokopie" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.';
    expect(shell("robokopie a b", text.replace("\n", " ")).category).toBe("not_found");
  });
});

describe("a client's note that there was no output", () => {
  test("with the tool's name says no more than no output", () => {
    expect(shell("crontab -r; true", "(Bash completed with no output)").status).toBe("unknown");
  });
});
