import { describe, expect, test } from "vitest";
import { answer, shell } from "../../../../test/support/classify.ts";

describe("sentences of a client about a call", () => {
  test("a command that the user stopped is cancelled", () => {
    expect(shell("make", "The user stopped the command before it was done.\ncc a.c")).toMatchObject({
      status: "failed",
      category: "cancelled",
    });
  });

  test("a request that the user interrupted is cancelled", () => {
    expect(shell("pytest", "tests/test_a.py ...\n[Request interrupted by user]")).toMatchObject({
      status: "failed",
      category: "cancelled",
    });
  });

  test("a call whose result was lost is incomplete", () => {
    expect(answer("wait_for", "Tool call has no result: the session ended first.")).toMatchObject({
      status: "failed",
      category: "incomplete",
    });
  });

  test("an agent that the client stopped before its answer failed", () => {
    expect(answer("Task", "The agent ran out of turns before it could answer.").status).toBe("failed");
    expect(answer("Task", "Fixed two errors; all tests pass.").status).toBe("ok");
  });

  test("a program that gave up waiting has timed out", () => {
    expect(shell("./login.exp", "spawn ssh box\n\ntimed out waiting for the password")).toMatchObject({
      status: "failed",
      category: "timeout",
    });
  });

  test("an argument called timeout that is not valid is no timeout", () => {
    const text = "1 validation error for RunInput\ntimeout\n  Input should be a valid integer [type=int_parsing]";
    expect(shell("pytest", text)).toMatchObject({ status: "failed", category: "invalid_arguments" });
  });

  test.each(["<system>Tool ran without output or errors</system>", "Tool ran without output or error"])(
    "a note that nothing was printed is no lost result: %s",
    (text) => {
      expect(shell("mv a b", text)).toMatchObject({ status: "unknown", evidence: [{ rule: "empty" }] });
    },
  );
});
