import { describe, expect, test } from "vitest";
import { classifyFrom } from "../../../../test/support/classify.ts";
import type { ClientProfileName } from "../index.ts";

describe("Codex", () => {
  const header = (code: number, output: string) =>
    `Chunk ID: ab12\nWall time: 0.1000 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n${output}`;
  test("the exit code in the header decides", () => {
    expect(classifyFrom("codex", "exec_command", { cmd: "x" }, header(0, "Error: only text\n")).status).toBe("ok");
    expect(classifyFrom("codex", "exec_command", { cmd: "x" }, header(1, "")).status).toBe("failed");
  });
  test.each([
    ["unsupported call: frob", "unknown_tool"],
    ["unsupported custom tool call: frob", "unknown_tool"],
    ["failed to parse function arguments: missing field `cmd`", "invalid_arguments"],
    ["apply_patch verification failed: could not find context", "precondition"],
  ])("%j is %s, and the call did not run", (content, category) => {
    expect(classifyFrom("codex", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
  test("a script that threw failed, and one that completed did not", () => {
    expect(
      classifyFrom("codex", "exec", "x()", [{ type: "input_text", text: "Script failed\nReferenceError: x" }]).status,
    ).toBe("failed");
    expect(
      classifyFrom("codex", "exec", "x()", [{ type: "input_text", text: "Script completed\nOutput:\n3" }]).status,
    ).toBe("ok");
  });
  test("a failed command inside a completed script is found by its exit code", () => {
    const content = 'Script completed\nWall time 0.1 seconds\nOutput:\n{"exit_code":3,"output":"no"}';
    expect(classifyFrom("codex", "exec", "x()", content)).toMatchObject({ status: "failed", exitCode: 3 });
  });
});

describe("opencode", () => {
  test("a shell result without an error has status unknown, because its exit code is not sent", () => {
    expect(classifyFrom("opencode", "bash", { command: "make" }, "done\n")).toMatchObject({
      status: "unknown",
      flag: "absent",
    });
    expect(classifyFrom("opencode", "bash", { command: "false" }, "(no output)").status).toBe("unknown");
  });
  test("an ok flag of a shell result is ignored", () => {
    expect(classifyFrom("opencode", "bash", { command: "make" }, "done\n", false).status).toBe("unknown");
    expect(classifyFrom("opencode", "bash", { command: "frob" }, "bash: frob: command not found", false).status).toBe(
      "failed",
    );
  });
  test("results of other tools are classified as usual", () => {
    expect(
      classifyFrom("opencode", "read", { filePath: "a" }, "<path>a</path>\n<content>\n1: x\n</content>").status,
    ).toBe("ok");
    expect(classifyFrom("opencode", "read", { filePath: "a" }, "File not found: a").status).toBe("failed");
  });
  test("an invalid call is recognized by the name that opencode gives it", () => {
    const args = { tool: "frob", error: "Model tried to call unavailable tool 'frob'." };
    const content = "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'frob'.";
    expect(classifyFrom("opencode", "invalid", args, content)).toMatchObject({
      status: "failed",
      category: "unknown_tool",
      phase: "call",
    });
  });
  test("a timeout is reported at the end of the output", () => {
    const content =
      "working\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 9000 ms.\n</shell_metadata>";
    expect(classifyFrom("opencode", "bash", { command: "x" }, content)).toMatchObject({
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
    expect(classifyFrom("qwen-code", "run_shell_command", { command: "x" }, block(0, "(none)")).status).toBe("ok");
    expect(classifyFrom("qwen-code", "run_shell_command", { command: "x" }, block(2, "(none)"))).toMatchObject({
      status: "failed",
      exitCode: 2,
    });
    expect(classifyFrom("gemini-cli", "run_shell_command", { command: "x" }, block(0, "(none)")).status).toBe("ok");
  });
  test("an ok flag of Gemini CLI does not hide a failed command", () => {
    const failed = classifyFrom("gemini-cli", "run_shell_command", { command: "x" }, block(2, "(none)"), false);
    expect(failed).toMatchObject({ status: "failed", flag: "failed", soft: false, exitCode: 2 });
    const ok = classifyFrom("gemini-cli", "run_shell_command", { command: "x" }, block(0, "(none)"), false);
    expect(ok).toMatchObject({ status: "ok" });
  });
  test("the reason of a failure comes from the lines above the exit code", () => {
    const text =
      "Command: x\nDirectory: (root)\nOutput: cp: b: Permission denied\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7";
    expect(classifyFrom("qwen-code", "run_shell_command", { command: "cp a b" }, text)).toMatchObject({
      category: "permission_denied",
      exitCode: 1,
    });
    const plain =
      "Command: x\nDirectory: (root)\nOutput: no luck today\nError: (none)\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7";
    expect(classifyFrom("qwen-code", "run_shell_command", { command: "x" }, plain)).toMatchObject({
      category: "exit_code",
      message: "no luck today",
    });
  });
  test.each([
    ['Tool "frob" not found in registry. Tools must use the exact names that are registered.', "unknown_tool"],
    ["params must have required property 'command'", "invalid_arguments"],
  ])("%j is %s", (content, category) => {
    expect(classifyFrom("qwen-code", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
});

describe("programs with the AI SDK", () => {
  test.each([
    ["Model tried to call unavailable tool 'frob'. Available tools: a, b.", "unknown_tool"],
    ["Invalid input for tool frob: Type validation failed: Value: {}.", "invalid_arguments"],
    ['Invalid input for tool frob: JSON parsing failed: Text: {"a".', "invalid_arguments"],
  ])("%j is %s", (content, category) => {
    expect(classifyFrom("ai-sdk", "frob", {}, content)).toMatchObject({ status: "failed", category, phase: "call" });
  });
});

describe("pi", () => {
  test("the exit code is in the last line", () => {
    expect(
      classifyFrom("pi", "bash", { command: "x" }, "the lever is bent\n\n\nCommand exited with code 4"),
    ).toMatchObject({
      ...{ status: "failed", category: "exit_code", exitCode: 4, message: "the lever is bent" },
    });
    expect(classifyFrom("pi", "bash", { command: "true" }, "fine\n").status).toBe("ok");
  });
  test.each([
    ["Could not find the exact text in /srv/n.md. The old text must match exactly.", "precondition", "call"],
    ["Tool execution was blocked", "permission_denied", "gate"],
    ["Tool frob not found", "unknown_tool", "call"],
    ['Validation failed for tool "read":\n  - path: must have required properties path', "invalid_arguments", "call"],
    ["Command timed out after 20 seconds", "timeout", "run"],
  ])("a result of %j is %s in phase %s", (content, category, phase) => {
    expect(classifyFrom("pi", "edit", { path: "n.md" }, content)).toMatchObject({ status: "failed", category, phase });
  });
});

describe("Copilot CLI", () => {
  test("the closing line has the exit code, also without any other output", () => {
    expect(
      classifyFrom("copilot", "bash", { command: "x" }, "\n<shellId: 2 completed with exit code 1>"),
    ).toMatchObject({
      ...{ status: "failed", category: "exit_code", exitCode: 1 },
    });
    expect(
      classifyFrom(
        "copilot",
        "bash",
        { command: "x" },
        "bash: frob: command not found\n<shellId: 2 completed with exit code 127>",
      ),
    ).toMatchObject({ category: "not_found", exitCode: 127, message: "bash: frob: command not found" });
    expect(
      classifyFrom("copilot", "bash", { command: "x" }, "fine\n<shellId: 0 completed with exit code 0>").status,
    ).toBe("ok");
  });
  test("a closing line inside the output is output", () => {
    const content = "<shellId: 2 completed with exit code 9>\nfine\n<shellId: 3 completed with exit code 0>";
    expect(classifyFrom("copilot", "bash", { command: "cat log" }, content).status).toBe("ok");
  });
  test("a command in the background has no outcome yet", () => {
    expect(
      classifyFrom("copilot", "bash", { command: "x" }, "<command started in background with shellId: 4>").status,
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
  ])("a result of %j is %s in phase %s", (content, category, phase) => {
    expect(classifyFrom("copilot", "edit", { path: "n.md" }, content)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
  });
});

describe("Continue CLI", () => {
  test("the exit code is in the sentence of the failure", () => {
    expect(
      classifyFrom(
        "continue",
        "Bash",
        { command: "x" },
        "Error executing tool Bash: Error (exit code 3): the lever is bent\n",
      ),
    ).toMatchObject({ status: "failed", category: "exit_code", exitCode: 3, message: "the lever is bent" });
  });
  test("a shell result without that sentence has status unknown", () => {
    expect(classifyFrom("continue", "Bash", { command: "x" }, "fine\n").status).toBe("unknown");
    expect(classifyFrom("continue", "Bash", { command: "x" }, "").status).toBe("unknown");
    expect(classifyFrom("continue", "Read", { filepath: "x" }, "fine\n").status).toBe("ok");
  });
  test.each([
    ["Error executing tool Read: File does not exist: /srv/a", "not_found", "run"],
    ["You must use the Read tool to read /srv/a before editing it.", "precondition", "call"],
    ['Edit at index 0: string not found in file: "a"', "precondition", "call"],
    ['Required parameter "filepath" missing for tool "Read"', "invalid_arguments", "call"],
    ["Tool frob not found", "unknown_tool", "call"],
    ["Command blocked by security policy", "permission_denied", "gate"],
  ])("a result of %j is %s in phase %s", (content, category, phase) => {
    expect(classifyFrom("continue", "Read", { filepath: "a" }, content)).toMatchObject({
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
      classifyFrom(
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
    expect(classifyFrom("cline", "run_commands", { commands: ["date"] }, content)).toMatchObject({
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
    expect(classifyFrom("cline", "editor", { path: "a" }, content)).toMatchObject({
      status: "failed",
      category,
      phase,
    });
  });
  test("other JSON is classified as text", () => {
    expect(classifyFrom("cline", "fetch_web_content", {}, '{"error":null,"items":[]}').status).toBe("ok");
    expect(classifyFrom("cline", "run_commands", {}, '[{"query":"x"').status).not.toBe("failed");
  });
});

test.each<ClientProfileName>(["opencode", "qwen-code", "gemini-cli"])(
  "a missing file in %s is not found, whatever its path is",
  (client) => {
    for (const name of ["3PDFEW", "C0HZ6h", "ea0l7C", "uY1KF5"]) {
      const path = `/tmp/client-${name}/work/missing.txt`;
      expect(classifyFrom(client, "read_file", { file_path: path }, `File not found: ${path}`)).toMatchObject({
        ...{ status: "failed", category: "not_found", phase: "run" },
      });
    }
  },
);
