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
    ["Zed/1.2.3 (linux; x86_64)", "zed"],
    ["Charm-Crush/0.9.0 (https://charm.land/crush)", "crush"],
    ["langchainjs-openai/1.0.0 (node-24)", "langchain"],
    ["Agents/JavaScript 0.20.0", "openai-agents"],
    ["OpenAI/JS 6.0.0", "openai-sdk"],
    ["AsyncOpenAI/Python 2.0.0", "openai-sdk"],
    ["Anthropic/JS 1.8.0", "anthropic-sdk"],
    ["curl/8.0", "plain"],
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

  test.each<[string, ClientProfileName]>([
    ["You are an expert coding assistant operating inside pi, a coding agent harness. You help.", "pi"],
    ["You are the GitHub Copilot CLI, a terminal assistant.", "copilot"],
    ["You are an agent in the Continue CLI. Be brief.", "continue"],
    ["You are Cline, an AI coding agent. Gather context.", "cline"],
    ["You are a general-purpose AI agent called goose, created by people.", "goose"],
    ["You review what other agents did, such as pi.", "openai-sdk"],
  ])("the system prompt %j selects %s although the user agent names an SDK", (systemText, profile) => {
    expect(chooseClientProfile({ userAgent: "OpenAI/JS 6.0.0", systemText })).toBe(profile);
  });

  test("a client that names itself is not taken for one that its system prompt mentions", () => {
    const systemText = "You are Cline, an AI coding agent.";
    expect(chooseClientProfile({ userAgent: "codex_exec/1.0", systemText })).toBe("codex");
    expect(chooseClientProfile({ systemText: `${"x".repeat(300)}${systemText}` })).toBe("plain");
  });

  test("a header selects the profile although the user agent names an SDK", () => {
    const header = (name: string) => (name === "x-initiator" ? "agent" : undefined);
    expect(chooseClientProfile({ userAgent: "OpenAI/JS 5.0.0", headers: header })).toBe("copilot");
    expect(chooseClientProfile({ headers: { "x-cursor-client-version": "1.0" } })).toBe("cursor");
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
      message: "no luck today",
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

describe("text that Claude Code appends to a result", () => {
  const reminder = "\n\n<system-reminder>\n<total_tokens>123456 tokens left</total_tokens>\n</system-reminder>";

  test("is not the reason of a failure", () => {
    expect(
      classify("claude-code", "Bash", { command: "x" }, `Exit code 2\nthe lever is bent${reminder}`, true),
    ).toMatchObject({
      ...{ status: "failed", category: "exit_code", exitCode: 2, message: "the lever is bent" },
    });
    expect(
      classify("claude-code", "Bash", { command: "true" }, `(Bash completed with no output)${reminder}`).status,
    ).toBe("ok");
  });

  test("inside a file is part of the file", () => {
    const content = `a\n\n<system-reminder>x</system-reminder>\nTraceback (most recent call last):\n  File "a"\nValueError: bad`;
    expect(classify("claude-code", "Bash", { command: "x" }, content, true)).toMatchObject({
      message: "ValueError: bad",
    });
  });

  test("a command that the client refuses to run is a refusal", () => {
    expect(
      classify("claude-code", "Bash", { command: "sleep 9" }, "Blocked: standalone sleep 9. Use a loop.", true),
    ).toMatchObject({ category: "permission_denied", phase: "gate" });
  });
});

describe("pi", () => {
  test("the last line has the exit code", () => {
    expect(classify("pi", "bash", { command: "x" }, "the lever is bent\n\n\nCommand exited with code 4")).toMatchObject(
      {
        ...{ status: "failed", category: "exit_code", exitCode: 4, message: "the lever is bent" },
      },
    );
    expect(classify("pi", "bash", { command: "true" }, "fine\n").status).toBe("ok");
  });
  test.each([
    ["Could not find the exact text in /srv/n.md. The old text must match exactly.", "precondition", "call"],
    ["Tool execution was blocked", "permission_denied", "gate"],
    ["Tool frob not found", "unknown_tool", "call"],
    ['Validation failed for tool "read":\n  - path: must have required properties path', "invalid_arguments", "call"],
    ["Command timed out after 20 seconds", "timeout", "run"],
  ])("%j is %s in phase %s", (content, category, phase) => {
    expect(classify("pi", "edit", { path: "n.md" }, content)).toMatchObject({ status: "failed", category, phase });
  });
});

describe("Copilot CLI", () => {
  test("the closing line has the exit code, also without any other output", () => {
    expect(classify("copilot", "bash", { command: "x" }, "\n<shellId: 2 completed with exit code 1>")).toMatchObject({
      ...{ status: "failed", category: "exit_code", exitCode: 1 },
    });
    expect(
      classify(
        "copilot",
        "bash",
        { command: "x" },
        "bash: frob: command not found\n<shellId: 2 completed with exit code 127>",
      ),
    ).toMatchObject({ category: "not_found", exitCode: 127, message: "bash: frob: command not found" });
    expect(classify("copilot", "bash", { command: "x" }, "fine\n<shellId: 0 completed with exit code 0>").status).toBe(
      "ok",
    );
  });
  test("such a line inside the output is output", () => {
    const content = "<shellId: 2 completed with exit code 9>\nfine\n<shellId: 3 completed with exit code 0>";
    expect(classify("copilot", "bash", { command: "cat log" }, content).status).toBe("ok");
  });
  test("a command in the background has no outcome yet", () => {
    expect(
      classify("copilot", "bash", { command: "x" }, "<command started in background with shellId: 4>").status,
    ).toBe("unknown");
  });
  test.each([
    ["No match found: old_str not found in /srv/n.md; no changes made; try again", "precondition", "call"],
    [
      'Ambiguous match for old_str in /srv/n.md: pattern starting with "a" matched at lines 3, 8.',
      "precondition",
      "call",
    ],
    ["Permission denied and could not request permission from user", "permission_denied", "gate"],
    ["The user rejected this tool call.", "cancelled", "gate"],
    ["Tool 'frob' does not exist. Available tools that can be called are bash, edit.", "unknown_tool", "call"],
    ['Invalid input: "path": Required', "invalid_arguments", "call"],
  ])("%j is %s in phase %s", (content, category, phase) => {
    expect(classify("copilot", "edit", { path: "n.md" }, content)).toMatchObject({ status: "failed", category, phase });
  });
});

describe("Continue CLI", () => {
  test("the exit code is in the sentence of the failure", () => {
    expect(
      classify(
        "continue",
        "Bash",
        { command: "x" },
        "Error executing tool Bash: Error (exit code 3): the lever is bent\n",
      ),
    ).toMatchObject({ status: "failed", category: "exit_code", exitCode: 3, message: "the lever is bent" });
  });
  test("a shell result without that sentence has status unknown", () => {
    expect(classify("continue", "Bash", { command: "x" }, "fine\n").status).toBe("unknown");
    expect(classify("continue", "Bash", { command: "x" }, "").status).toBe("unknown");
    expect(classify("continue", "Read", { filepath: "x" }, "fine\n").status).toBe("ok");
  });
  test.each([
    ["Error executing tool Read: File does not exist: /srv/a", "not_found", "run"],
    ["You must use the Read tool to read /srv/a before editing it.", "precondition", "call"],
    ['Edit at index 0: string not found in file: "a"', "precondition", "call"],
    ['Required parameter "filepath" missing for tool "Read"', "invalid_arguments", "call"],
    ["Tool frob not found", "unknown_tool", "call"],
    ["Command blocked by security policy", "permission_denied", "gate"],
  ])("%j is %s in phase %s", (content, category, phase) => {
    expect(classify("continue", "Read", { filepath: "a" }, content)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
  });
});

describe("Cline CLI", () => {
  const entry = (query: string, result: string, error?: string) => ({
    query,
    result,
    ...(error !== undefined && { error }),
    success: error === undefined,
  });
  test("a call failed if one of its commands did, with that command's exit code", () => {
    const failed = entry(
      "frob",
      "[Command exited with code 127]\n\n[stderr]\nbash: frob: command not found\n",
      "Command exited with code 127",
    );
    expect(
      classify(
        "cline",
        "run_commands",
        { commands: ["date", "frob"] },
        JSON.stringify([entry("date", "today"), failed]),
      ),
    ).toMatchObject({
      ...{
        status: "failed",
        flag: "failed",
        category: "not_found",
        exitCode: 127,
        message: "bash: frob: command not found",
      },
    });
  });
  test("a call succeeded if all of its commands did, whatever they printed", () => {
    const content = JSON.stringify([entry("date", "today"), entry("cat log", '{"success":false}\nError: old')]);
    expect(classify("cline", "run_commands", { commands: ["date"] }, content)).toMatchObject({
      status: "ok",
      flag: "ok",
    });
  });
  test.each([
    [
      JSON.stringify(
        entry("edit:/srv/a", "", "Editor operation failed: No replacement performed: text not found in /srv/a."),
      ),
      "precondition",
      "call",
    ],
    [
      JSON.stringify([entry("/srv/a", "", "Error reading file: ENOENT: no such file or directory, statx '/srv/a'")]),
      "not_found",
      "run",
    ],
    [
      '{"error":"Tool call frob was rejected before execution: AI_NoSuchToolError: Model tried to call unavailable tool \'frob\'."}',
      "unknown_tool",
      "call",
    ],
    ['{"error":"✖ Invalid input: expected string, received undefined\\n  → at path"}', "invalid_arguments", "call"],
  ])("%s is %s in phase %s", (content, category, phase) => {
    expect(classify("cline", "editor", { path: "a" }, content)).toMatchObject({ status: "failed", category, phase });
  });
  test("other JSON is classified as text", () => {
    expect(classify("cline", "fetch_web_content", {}, '{"error":null,"items":[]}').status).toBe("ok");
    expect(classify("cline", "run_commands", {}, '[{"query":"x"').status).not.toBe("failed");
  });
});

test.each<ClientProfileName>(["opencode", "qwen-code", "gemini-cli"])(
  "a missing file in %s is not found, whatever its path is",
  (client) => {
    for (const name of ["3PDFEW", "C0HZ6h", "ea0l7C", "uY1KF5"]) {
      const path = `/tmp/client-${name}/work/missing.txt`;
      expect(classify(client, "read_file", { file_path: path }, `File not found: ${path}`)).toMatchObject({
        ...{ status: "failed", category: "not_found", phase: "run" },
      });
    }
  },
);
