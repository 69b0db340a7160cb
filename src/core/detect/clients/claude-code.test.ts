import { describe, expect, test } from "vitest";
import { classifyFrom } from "../../../../test/support/classify.ts";

describe("Claude Code", () => {
  test.each([
    ["Claude requested permissions to run rm, but you haven't granted it yet.", "permission_denied", "gate"],
    ["Permission to use Bash with command rm x has been denied.", "permission_denied", "gate"],
    ["PreToolUse:Bash hook error: not on Fridays", "permission_denied", "gate"],
    ["The user doesn't want to proceed with this tool use. The tool use was rejected.", "cancelled", "gate"],
    ["<tool_use_error>Error: No such tool available: Frob</tool_use_error>", "unknown_tool", "call"],
    [
      "<tool_use_error>InputValidationError: Read failed due to the following issue:\nThe required parameter `p` is missing</tool_use_error>",
      "invalid_arguments",
      "call",
    ],
    ["<tool_use_error>String to replace not found in file.\nString: q</tool_use_error>", "precondition", "call"],
    ["Exit code 143\nCommand timed out after 2s", "timeout", "run"],
    ["Exit code 127\n/bin/bash: line 1: frob: command not found", "not_found", "run"],
  ])("%j is %s in phase %s, with and without the flag", (content, category, phase) => {
    expect(classifyFrom("claude-code", "Bash", { command: "x" }, content, true)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
    expect(classifyFrom("claude-code", "Bash", { command: "x" }, content)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
  });

  test("text that the client appends to a failure is ignored", () => {
    const content =
      "upstream 502\n\nThis tool's input schema was not in your prompt when you called it. The input schema is: {}";
    expect(classifyFrom("claude-code", "mcp__a__b", {}, content, true)).toMatchObject({
      category: "http_server_error",
      phase: "run",
      message: "upstream 502",
    });
  });

  test("appended text does not affect the category", () => {
    const content =
      "it went wrong\n\nThis tool's input schema was not in your prompt when you called it. The input schema is: {}";
    expect(classifyFrom("claude-code", "mcp__a__b", {}, content, true)).toMatchObject({
      category: "error",
      message: "it went wrong",
    });
  });

  test("a command without output succeeded", () => {
    expect(classifyFrom("claude-code", "Bash", { command: "true" }, "(Bash completed with no output)").status).toBe(
      "ok",
    );
  });
});

describe("sentences that Claude Code appends to a result", () => {
  const reminder = "\n\n<system-reminder>\n<total_tokens>123456 tokens left</total_tokens>\n</system-reminder>";

  test("a sentence of the client is not the reason of a failure", () => {
    expect(
      classifyFrom("claude-code", "Bash", { command: "x" }, `Exit code 2\nthe lever is bent${reminder}`, true),
    ).toMatchObject({
      ...{ status: "failed", category: "exit_code", exitCode: 2, message: "the lever is bent" },
    });
    expect(
      classifyFrom("claude-code", "Bash", { command: "true" }, `(Bash completed with no output)${reminder}`).status,
    ).toBe("ok");
  });

  test("a sentence of the client inside a file is part of the file", () => {
    const content = `a\n\n<system-reminder>x</system-reminder>\nTraceback (most recent call last):\n  File "a"\nValueError: bad`;
    expect(classifyFrom("claude-code", "Bash", { command: "x" }, content, true)).toMatchObject({
      message: "ValueError: bad",
    });
  });

  test("a command that the client refuses to run is a refusal", () => {
    expect(
      classifyFrom("claude-code", "Bash", { command: "sleep 9" }, "Blocked: standalone sleep 9. Use a loop.", true),
    ).toMatchObject({ category: "permission_denied", phase: "gate" });
  });
});
