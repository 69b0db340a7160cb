import { describe, expect, test } from "vitest";
import { classifyToolResult, type DetectCall, type DetectContext, type DetectResult } from "./index.ts";

const judge = (result: Omit<DetectResult, "callId">, call?: DetectCall, context?: DetectContext) =>
  classifyToolResult({ callId: "c1", ...result }, call, context);

describe("the protocol's flag", () => {
  test("test_anthropic_tool_result_error_detection: is_error decides whatever the text says", () => {
    expect(judge({ content: "all good", isError: true }, { name: "Bash" }, { api: "anthropic" })).toMatchObject({
      status: "failed",
      flag: "failed",
      reported: "ok",
      soft: false,
      confidence: 1,
      evidence: [{ rule: "protocol-flag-failed" }],
    });
    expect(judge({ content: "all good", isError: false }, { name: "Bash" }, { api: "anthropic" }).status).toBe("ok");
  });

  test("a text that reports a failure behind an ok flag is a soft failure of half the weight", () => {
    expect(judge({ content: '{"error":"no such city"}', isError: false }, { name: "get_city" })).toMatchObject({
      status: "ok",
      flag: "ok",
      reported: "failed",
      soft: true,
      category: "not_found",
      severity: 0.2,
    });
  });

  test("the flag names no category: the text does", () => {
    expect(judge({ content: "Connection refused", isError: true }, { name: "get_city" })).toMatchObject({
      category: "network",
      phase: "run",
      retryable: "yes",
    });
  });

  test("Claude Code's silence is an ok flag, but only on the API that has the flag", () => {
    const read = { name: "Read", arguments: { file_path: "a" } };
    expect(judge({ content: "1\talpha" }, read, { client: "claude-code", api: "anthropic" }).flag).toBe("ok");
    expect(judge({ content: "1\talpha" }, read, { client: "claude-code" }).flag).toBe("absent");
    expect(judge({ content: "1\talpha" }, read, { api: "anthropic" })).toMatchObject({ flag: "absent", status: "ok" });
  });

  test("an exit status or an error tag in the text beats Claude Code's silence", () => {
    const context = { client: "claude-code", api: "anthropic" } as const;
    expect(judge({ content: "Exit code 2" }, { name: "Bash" }, context).status).toBe("failed");
    expect(judge({ content: "<tool_use_error>x</tool_use_error>" }, { name: "Edit" }, context).status).toBe("failed");
  });
});

describe("texts without a flag", () => {
  test("test_openai_tool_message_error_heuristic: an error message fails, a result that mentions errors does not", () => {
    const chat = { api: "chat" } as const;
    expect(judge({ content: "Error: city is unknown" }, { name: "get_city" }, chat).status).toBe("failed");
    expect(judge({ content: "Unable to reach the server" }, { name: "get_city" }, chat).status).toBe("failed");
    expect(judge({ content: "The error rate fell to 3 %." }, { name: "get_city" }, chat).status).toBe("ok");
    expect(judge({ content: "Error code: 200" }, { name: "get_city" }, chat).status).toBe("ok");
  });

  test("a file that mentions errors deep inside is not a failure", () => {
    const content = `const a = 1;\n${"// cannot be invalid, not found, error: x\n".repeat(100)}`;
    expect(judge({ content }, { name: "read_file", arguments: { path: "a.ts" } }).status).toBe("ok");
  });

  test("the same output gets the same verdict whichever API carried it", () => {
    const content = "Exit code: 4\nWall time: 0.1 seconds\nOutput:\nno";
    const verdicts = (["anthropic", "chat", "responses"] as const).map((api) =>
      judge({ content }, { name: "shell" }, { api }),
    );
    expect(verdicts[1]).toEqual(verdicts[0]);
    expect(verdicts[2]).toEqual(verdicts[0]);
    expect(verdicts[0]).toMatchObject({ status: "failed", exitCode: 4, message: "no" });
  });

  test("content in parts is read like text", () => {
    expect(judge({ content: [{ type: "text", text: "Error: boom" }] }, { name: "x" }).status).toBe("failed");
  });

  test.each([[""], ["   \n"], [undefined], [null], [[]], ["(no output)"], ["null"]])(
    "%j says nothing, so nobody knows",
    (content) => {
      expect(judge({ content }, { name: "run_job" })).toMatchObject({
        status: "unknown",
        reported: "unknown",
        flag: "absent",
      });
    },
  );

  test("binary text is not judged", () => {
    expect(judge({ content: "PK\u0003\u0004\u0000\u0000\u0008" }, { name: "download" }).status).toBe("unknown");
  });

  test("an output that ends where it was cut may hide its failure", () => {
    expect(judge({ content: `${"line\n".repeat(50)}[output truncated]` }, { name: "bash" }).status).toBe("unknown");
  });

  test("a result without a call and without an id is judged all the same", () => {
    expect(classifyToolResult({ content: "Error: boom" }).status).toBe("failed");
    expect(classifyToolResult({}).status).toBe("unknown");
  });

  test("an MCP flag inside the text is a flag", () => {
    const content = '{"content":[{"type":"text","text":"it broke"}],"isError":true}';
    expect(judge({ content }, { name: "x" })).toMatchObject({ status: "failed", flag: "failed" });
  });

  test("a timeout setting is not a timeout", () => {
    expect(judge({ content: '{"exit_code":0,"timeout":120000}' }, { name: "run" })).toMatchObject({
      status: "ok",
      exitCode: 0,
    });
  });

  test("an outer field that denies what an inner text reports makes it soft", () => {
    expect(judge({ content: '{"error":"","response":"Forbidden"}' }, { name: "x" })).toMatchObject({
      status: "ok",
      soft: true,
    });
  });
});

describe("exit statuses", () => {
  test("zero decides, and the text can still report", () => {
    const content = "Process exited with code 0\nOutput:\nError: printed by the script";
    expect(judge({ content }, { name: "exec_command" })).toMatchObject({
      status: "ok",
      flag: "ok",
      reported: "failed",
      soft: true,
    });
  });

  test("a status inside the output is the program's, not the harness's", () => {
    const content = "Process exited with code 0\nOutput:\nProcess exited with code 9\n";
    expect(judge({ content }, { name: "exec_command" })).toMatchObject({ status: "ok", exitCode: 0 });
  });

  test("a footer counts on the last lines after pages of output", () => {
    const content = `${"compiling\n".repeat(1500)}\n\nCommand exited with code 2`;
    expect(judge({ content }, { name: "bash" })).toMatchObject({ status: "failed", exitCode: 2 });
  });

  test.each([
    "grep x a",
    "rg x",
    "diff a b",
    "which frob",
    "test -f a",
    "cd /srv && grep -r x .",
    "cat a | grep x",
    "git diff --quiet",
  ])("status 1 of %s with nothing printed is an answer", (command) => {
    const content = "Process exited with code 1\nOutput:\n";
    expect(judge({ content }, { name: "exec_command", arguments: { cmd: command } })).toMatchObject({
      status: "ok",
      flag: "ok",
      exitCode: 1,
    });
  });

  test.each(["npm test", "grep x a && false", "python a.py"])("status 1 of %s is a failure", (command) => {
    const content = "Process exited with code 1\nOutput:\n";
    expect(judge({ content }, { name: "exec_command", arguments: { cmd: command } }).status).toBe("failed");
  });

  test("grep that complains failed", () => {
    const content = "Process exited with code 1\nOutput:\ngrep: a: No such file or directory\n";
    expect(judge({ content }, { name: "exec_command", arguments: { cmd: "grep x a" } })).toMatchObject({
      status: "failed",
      category: "not_found",
    });
  });

  test("status 2 of grep is a failure", () => {
    expect(judge({ content: "Exit code 2" }, { name: "Bash", arguments: { command: "grep x a" } }).status).toBe(
      "failed",
    );
  });

  test("a process that still runs has not failed", () => {
    const content = "Wall time: 1.0 seconds\nProcess running with session ID 12\nOutput:\n";
    expect(judge({ content }, { name: "exec_command" })).toMatchObject({
      status: "unknown",
      evidence: [{ rule: "still-running" }],
    });
  });

  test.each([
    [124, "timeout"],
    [126, "permission_denied"],
    [127, "not_found"],
    [130, "cancelled"],
    [137, "crash"],
    [139, "crash"],
    [3, "exit_code"],
  ])("status %i means %s", (code, category) => {
    expect(judge({ content: `Exit code ${code}` }, { name: "Bash" })).toMatchObject({
      category,
      exitCode: code,
      phase: "run",
    });
  });

  test("a timeout goes before the exit status that it caused", () => {
    expect(judge({ content: "Exit code 143\nCommand timed out after 5s" }, { name: "Bash" })).toMatchObject({
      category: "timeout",
      exitCode: 143,
    });
  });
});

describe("what the command tells", () => {
  test("a pipe that swallows the status makes a failed build soft", () => {
    const call = { name: "bash", arguments: { command: "npm run build 2>&1 | tail -5" } };
    expect(judge({ content: "src/a.ts(3,5): error TS2304: Cannot find name 'x'." }, call)).toMatchObject({
      status: "ok",
      reported: "failed",
      soft: true,
      category: "build_failure",
    });
  });

  test("a message the program itself prints is handled by it", () => {
    const call = { name: "python", arguments: { code: "try:\n  f()\nexcept E:\n  print('Error: table is missing')" } };
    expect(judge({ content: "Error: table is missing" }, call)).toMatchObject({ status: "ok", soft: true });
  });

  test("a program that complains about its arguments did run", () => {
    const content = "usage: a [-h] x\na: error: the following arguments are required: x";
    expect(judge({ content }, { name: "bash", arguments: { command: "./a" } })).toMatchObject({
      status: "failed",
      category: "invalid_arguments",
      phase: "run",
    });
  });

  test("a log that is only shown is data, the shower's own complaint is not", () => {
    const call = { name: "bash", arguments: { command: "tail -n 50 app.log" } };
    expect(judge({ content: "Traceback (most recent call last):\n  x\nValueError: y" }, call).status).toBe("ok");
    expect(judge({ content: "tail: cannot open 'app.log' for reading: No such file or directory" }, call).status).toBe(
      "failed",
    );
  });
});

describe("heuristics switched off", () => {
  const off = { heuristics: false } as const;
  test("texts are not read for wording", () => {
    expect(judge({ content: "Error: boom" }, { name: "x" }, off)).toMatchObject({
      status: "unknown",
      reported: "unknown",
    });
  });
  test("the flag and a stated exit status still decide", () => {
    expect(judge({ content: "boom", isError: true }, { name: "x" }, off).status).toBe("failed");
    expect(judge({ content: "Exit code 3" }, { name: "Bash" }, off).status).toBe("failed");
  });
});

describe("evidence", () => {
  test("names the rule, the words and their place", () => {
    expect(judge({ content: "\n  Error: boom\nmore" }, { name: "x" }).evidence).toEqual([
      { rule: "lead-error-word", excerpt: "Error: boom\nmore", position: 3 },
    ]);
  });

  test("positions are those of the whole text, also above the limit", () => {
    const content = `${"x".repeat(200_000)}\nCommand exited with code 7`;
    expect(judge({ content }, { name: "bash" }).evidence).toEqual([
      { rule: "exit-status", excerpt: "Command exited with code 7", position: 200_001 },
    ]);
  });

  test("a hostile object is unknown, not a crash", () => {
    const content = {
      get text(): string {
        throw new Error("no");
      },
    };
    expect(judge({ content })).toMatchObject({ status: "unknown", evidence: [{ rule: "unreadable" }] });
  });

  test("a measured duration is passed on", () => {
    expect(judge({ content: "Error: x" }, { name: "x" }, { durationMs: 40_000 }).durationMs).toBe(40_000);
  });
});
