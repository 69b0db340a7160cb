import { expect, test } from "vitest";
import type { Outcome } from "../model/outcome.ts";
import { formatStatusMessage } from "./index.ts";

const failed: Outcome = {
  status: "failed",
  flag: "failed",
  reported: "failed",
  soft: false,
  category: "exit_code",
  evidence: [],
  confidence: 1,
  message: "error",
};

test("a failed command with its exit code", () => {
  expect(formatStatusMessage({ ...failed, exitCode: 1 }, "Bash")).toBe("[EXIT_CODE] Bash exit=1 - error");
});

test("exit code zero is left out", () => {
  expect(formatStatusMessage({ ...failed, exitCode: 0 }, "Bash")).toBe("[EXIT_CODE] Bash - error");
});

test("a duration shows only above thirty seconds, in whole seconds", () => {
  expect(formatStatusMessage({ ...failed, durationMs: 30_000 }, "Bash")).toBe("[EXIT_CODE] Bash - error");
  expect(formatStatusMessage({ ...failed, category: "timeout", exitCode: 143, durationMs: 45_400 }, "Bash")).toBe(
    "[TIMEOUT] Bash exit=143 duration=45s - error",
  );
});

test("a hundred characters of the message fit, the next one is an ellipsis", () => {
  expect(formatStatusMessage({ ...failed, message: "x".repeat(100) }, "Bash")).toBe(
    `[EXIT_CODE] Bash - ${"x".repeat(100)}`,
  );
  expect(formatStatusMessage({ ...failed, message: "x".repeat(101) }, "Bash")).toBe(
    `[EXIT_CODE] Bash - ${"x".repeat(100)}...`,
  );
});

test("every category is written in capitals", () => {
  expect(formatStatusMessage({ ...failed, category: "permission_denied" }, "Read")).toBe(
    "[PERMISSION_DENIED] Read - error",
  );
});

test("what did not fail has no message", () => {
  expect(formatStatusMessage({ ...failed, status: "ok" }, "Bash")).toBeUndefined();
  expect(formatStatusMessage({ ...failed, status: "unknown" }, "Bash")).toBeUndefined();
});
