import { describe, expect, test } from "vitest";
import { shell } from "../../../../test/support/classify.ts";

describe("the report of an uncaught exception", () => {
  test.each([
    [
      "java -jar seats.jar",
      'reading plan.csv\nException in thread "main" java.lang.IllegalStateException: seat 4 twice\n\tat Plan.add(Plan.java:8)\n\tat Plan.main(Plan.java:3)',
    ],
    [
      "dotnet run",
      "reading plan.csv\nUnhandled exception. System.FormatException: seat 4 twice\n   at Plan.Add(String s) in Plan.cs:line 8",
    ],
  ])("an exception with a frame below it is a failure, whatever is above: %s", (command, text) => {
    expect(shell(command, text)).toMatchObject({ status: "failed", evidence: [{ rule: "traceback" }] });
    expect(shell(command, text).message).toContain("seat 4 twice");
  });

  test("a sentence about an exception is no report of one", () => {
    const text = 'the log had:\n  "Exception in thread "main" x"\nand no frames\n2 lines';
    expect(shell("./summarize.sh", text).evidence[0]?.rule).not.toBe("traceback");
  });
});
