import { describe, expect, test } from "vitest";
import { classifyToolResult } from "../index.ts";
import { findClosingError } from "./closing-error.ts";
import { findSummary } from "./summaries.ts";
import { textWindow } from "./text-window.ts";

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

  test.each([
    ["tries again", "error: the queue is full, retrying\nerror: the queue is full, retrying\nsent 3 jobs"],
    ["is done before", "Successfully installed q-2\nERROR: other packages are now too old for q 2"],
    ["is done after", "error: row 7 has no date\nrow 8 loaded\nload finished"],
    ["goes on", "loading\nerror: row 7 has no date\nrow 8\nrow 9\nrow 10\nrow 11"],
    ["prints one line", "error: row 7 has no date"],
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

describe("a client's note that there was no output", () => {
  test("with the tool's name says no more than no output", () => {
    expect(shell("crontab -r; true", "(Bash completed with no output)").status).toBe("unknown");
  });
});
