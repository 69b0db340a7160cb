import { describe, expect, test } from "vitest";
import {
  CLIENT_PROFILES,
  type ClientProfileName,
  chooseClientProfile,
  classifyToolResult,
  clientProfileNamed,
} from "../index.ts";

const classify = (client: ClientProfileName, name: string, args: unknown, content: unknown, isError?: boolean) =>
  classifyToolResult(
    { callId: "c", content, ...(isError === undefined ? {} : { isError }) },
    { name, arguments: args },
    { client },
  );

describe("choosing a client profile", () => {
  test.each<[string, ClientProfileName]>([
    ["claude-cli/9.9.9 (external, cli)", "claude-code"],
    ["codex_cli_rs/1.0.0 (Debian)", "codex"],
    ["codex_exec/0.1.0", "codex"],
    ["opencode/1.2.3 ai-sdk/provider-utils/4.0.0", "opencode"],
    ["QwenCode/0.9.0 (linux; x64)", "qwen-code"],
    ["GeminiCLI/0.9.0 (linux; x64)", "gemini-cli"],
    ["ai/6.0.0 ai-sdk/provider-utils/4.0.0", "ai-sdk"],
    ["OpenAI/JS 6.0.0", "plain"],
    ["", "plain"],
  ])("user agent %j selects %s", (userAgent, profile) => {
    expect(chooseClientProfile({ userAgent })).toBe(profile);
    expect(chooseClientProfile({ headers: { "user-agent": userAgent } })).toBe(profile);
  });

  test("a client-specific header selects the profile if the user agent was rewritten", () => {
    expect(chooseClientProfile({ userAgent: "gateway/1", headers: { "x-claude-code-session-id": "s" } })).toBe(
      "claude-code",
    );
    expect(chooseClientProfile({ headers: { "x-session-affinity": ["ses_1"] } })).toBe("opencode");
  });

  test("the text of a result selects the profile if no header does", () => {
    expect(chooseClientProfile({ text: "out\nSignal: 0\nProcess Group PGID: 12" })).toBe("qwen-code");
    expect(chooseClientProfile({ text: "hello" })).toBe("plain");
  });

  test("a name with a version suffix selects the profile", () => {
    expect(clientProfileNamed("opencode-1.2.3-chat")).toBe("opencode");
    expect(clientProfileNamed("claude_code")).toBe("claude-code");
    expect(clientProfileNamed("codex_exec/1")).toBe("codex");
    expect(clientProfileNamed("somebody")).toBe("plain");
  });

  test("profile names are unique, and the last profile matches every client", () => {
    const names = CLIENT_PROFILES.map((profile) => profile.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe("plain");
  });
});

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
    expect(classify("claude-code", "Bash", { command: "x" }, content, true)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
    expect(classify("claude-code", "Bash", { command: "x" }, content)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
  });

  test("text that the client appends to a failure is ignored", () => {
    const content =
      "upstream 502\n\nThis tool's input schema was not in your prompt when you called it. The input schema is: {}";
    expect(classify("claude-code", "mcp__a__b", {}, content, true)).toMatchObject({
      category: "http_server_error",
      phase: "run",
      message: "upstream 502",
    });
  });

  test("appended text does not affect the category", () => {
    const content =
      "it went wrong\n\nThis tool's input schema was not in your prompt when you called it. The input schema is: {}";
    expect(classify("claude-code", "mcp__a__b", {}, content, true)).toMatchObject({
      category: "error",
      message: "it went wrong",
    });
  });

  test("a command without output succeeded", () => {
    expect(classify("claude-code", "Bash", { command: "true" }, "(Bash completed with no output)").status).toBe("ok");
  });
});

describe("Codex", () => {
  const header = (code: number, output: string) =>
    `Chunk ID: ab12\nWall time: 0.1000 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n${output}`;
  test("the exit code in the header decides", () => {
    expect(classify("codex", "exec_command", { cmd: "x" }, header(0, "Error: only text\n")).status).toBe("ok");
    expect(classify("codex", "exec_command", { cmd: "x" }, header(1, "")).status).toBe("failed");
  });
  test.each([
    ["unsupported call: frob", "unknown_tool"],
    ["unsupported custom tool call: frob", "unknown_tool"],
    ["failed to parse function arguments: missing field `cmd`", "invalid_arguments"],
    ["apply_patch verification failed: could not find context", "precondition"],
  ])("%j is %s, and the call did not run", (content, category) => {
    expect(classify("codex", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
  test("a script that threw failed, and one that completed did not", () => {
    expect(
      classify("codex", "exec", "x()", [{ type: "input_text", text: "Script failed\nReferenceError: x" }]).status,
    ).toBe("failed");
    expect(
      classify("codex", "exec", "x()", [{ type: "input_text", text: "Script completed\nOutput:\n3" }]).status,
    ).toBe("ok");
  });
  test("a failed command inside a completed script is found by its exit code", () => {
    const content = 'Script completed\nWall time 0.1 seconds\nOutput:\n{"exit_code":3,"output":"no"}';
    expect(classify("codex", "exec", "x()", content)).toMatchObject({ status: "failed", exitCode: 3 });
  });
});

describe("opencode", () => {
  test("a shell result without an error has status unknown, because its exit code is not sent", () => {
    expect(classify("opencode", "bash", { command: "make" }, "done\n")).toMatchObject({
      status: "unknown",
      flag: "absent",
    });
    expect(classify("opencode", "bash", { command: "false" }, "(no output)").status).toBe("unknown");
  });
  test("an ok flag of a shell result is ignored", () => {
    expect(classify("opencode", "bash", { command: "make" }, "done\n", false).status).toBe("unknown");
    expect(classify("opencode", "bash", { command: "frob" }, "bash: frob: command not found", false).status).toBe(
      "failed",
    );
  });
  test("results of other tools are classified as usual", () => {
    expect(classify("opencode", "read", { filePath: "a" }, "<path>a</path>\n<content>\n1: x\n</content>").status).toBe(
      "ok",
    );
    expect(classify("opencode", "read", { filePath: "a" }, "File not found: a").status).toBe("failed");
  });
  test("an invalid call is recognized by the name that opencode gives it", () => {
    const args = { tool: "frob", error: "Model tried to call unavailable tool 'frob'." };
    const content = "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'frob'.";
    expect(classify("opencode", "invalid", args, content)).toMatchObject({
      status: "failed",
      category: "unknown_tool",
      phase: "call",
    });
  });
  test("a timeout is reported at the end of the output", () => {
    const content =
      "working\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 9000 ms.\n</shell_metadata>";
    expect(classify("opencode", "bash", { command: "x" }, content)).toMatchObject({
      status: "failed",
      category: "timeout",
    });
  });
});

describe("Qwen Code and Gemini CLI", () => {
  const block = (code: number, error: string) => [
    {
      type: "text",
      text: `Command: x\nDirectory: (root)\nOutput: text\nError: ${error}\nExit Code: ${code}\nSignal: 0\nProcess Group PGID: 7`,
    },
  ];
  test("the exit code in the block decides, not its Error label", () => {
    expect(classify("qwen-code", "run_shell_command", { command: "x" }, block(0, "(none)")).status).toBe("ok");
    expect(classify("qwen-code", "run_shell_command", { command: "x" }, block(2, "(none)"))).toMatchObject({
      status: "failed",
      exitCode: 2,
    });
    expect(classify("gemini-cli", "run_shell_command", { command: "x" }, block(0, "(none)")).status).toBe("ok");
  });
  test("an ok flag of Gemini CLI does not hide a failed command", () => {
    const failed = classify("gemini-cli", "run_shell_command", { command: "x" }, block(2, "(none)"), false);
    expect(failed).toMatchObject({ status: "failed", flag: "failed", soft: false, exitCode: 2 });
    const ok = classify("gemini-cli", "run_shell_command", { command: "x" }, block(0, "(none)"), false);
    expect(ok).toMatchObject({ status: "ok" });
  });
  test("the reason of a failure comes from the lines above the exit code", () => {
    const text =
      "Command: x\nDirectory: (root)\nOutput: cp: b: Permission denied\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7";
    expect(classify("qwen-code", "run_shell_command", { command: "cp a b" }, text)).toMatchObject({
      category: "permission_denied",
      exitCode: 1,
    });
    const plain =
      "Command: x\nDirectory: (root)\nOutput: no luck today\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7";
    expect(classify("qwen-code", "run_shell_command", { command: "x" }, plain)).toMatchObject({
      category: "exit_code",
      message: "Output: no luck today",
    });
  });
  test.each([
    ['Tool "frob" not found in registry. Tools must use the exact names that are registered.', "unknown_tool"],
    ["params must have required property 'command'", "invalid_arguments"],
  ])("%j is %s", (content, category) => {
    expect(classify("qwen-code", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
});

describe("AI SDK programs", () => {
  test.each([
    ["Model tried to call unavailable tool 'frob'. Available tools: a, b.", "unknown_tool"],
    ["Invalid input for tool frob: Type validation failed: Value: {}.", "invalid_arguments"],
    ['Invalid input for tool frob: JSON parsing failed: Text: {"a".', "invalid_arguments"],
  ])("%j is %s", (content, category) => {
    expect(classify("ai-sdk", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
});
