import { describe, expect, test } from "vitest";
import { classifyToolResult, type DetectCall, type DetectContext, type DetectResult } from "./index.ts";

const classify = (result: Omit<DetectResult, "callId">, call?: DetectCall, context?: DetectContext) =>
  classifyToolResult({ callId: "c1", ...result }, call, context);

describe("the protocol's flag", () => {
  test("test_anthropic_tool_result_error_detection: is_error decides, whatever the text reports", () => {
    expect(classify({ content: "all good", isError: true }, { name: "Bash" }, { api: "anthropic" })).toMatchObject({
      status: "failed",
      flag: "failed",
      reported: "ok",
      soft: false,
      confidence: 1,
      evidence: [{ rule: "protocol-flag-failed" }],
    });
    expect(classify({ content: "all good", isError: false }, { name: "Bash" }, { api: "anthropic" }).status).toBe("ok");
  });

  test("a failure in the text with an ok flag is a soft failure with half the severity", () => {
    expect(classify({ content: '{"error":"no such city"}', isError: false }, { name: "get_city" })).toMatchObject({
      status: "ok",
      flag: "ok",
      reported: "failed",
      soft: true,
      category: "not_found",
      severity: 0.2,
    });
  });

  test("the category comes from the text, not from the flag", () => {
    expect(classify({ content: "Connection refused", isError: true }, { name: "get_city" })).toMatchObject({
      category: "network",
      phase: "run",
      retryable: "yes",
    });
  });

  test("a missing flag from Claude Code means ok, but only on the API that has the flag", () => {
    const read = { name: "Read", arguments: { file_path: "a" } };
    expect(classify({ content: "1\talpha" }, read, { client: "claude-code", api: "anthropic" }).flag).toBe("ok");
    expect(classify({ content: "1\talpha" }, read, { client: "claude-code" }).flag).toBe("absent");
    expect(classify({ content: "1\talpha" }, read, { api: "anthropic" })).toMatchObject({
      flag: "absent",
      status: "ok",
    });
  });

  test("an exit code or error tag in the text overrides a missing flag from Claude Code", () => {
    const context = { client: "claude-code", api: "anthropic" } as const;
    expect(classify({ content: "Exit code 2" }, { name: "Bash" }, context).status).toBe("failed");
    expect(classify({ content: "<tool_use_error>x</tool_use_error>" }, { name: "Edit" }, context).status).toBe(
      "failed",
    );
  });
});

describe("text without a flag", () => {
  test("test_openai_tool_message_error_heuristic: an error message fails, a result that mentions errors does not", () => {
    const chat = { api: "chat" } as const;
    expect(classify({ content: "Error: city is unknown" }, { name: "get_city" }, chat).status).toBe("failed");
    expect(classify({ content: "Unable to reach the server" }, { name: "get_city" }, chat).status).toBe("failed");
    expect(classify({ content: "The error rate fell to 3 %." }, { name: "get_city" }, chat).status).toBe("ok");
    expect(classify({ content: "Error code: 200" }, { name: "get_city" }, chat).status).toBe("ok");
  });

  test("a file that mentions errors deep inside is not a failure", () => {
    const content = `const a = 1;\n${"// cannot be invalid, not found, error: x\n".repeat(100)}`;
    expect(classify({ content }, { name: "read_file", arguments: { path: "a.ts" } }).status).toBe("ok");
  });

  test("the same output gets the same status on every API", () => {
    const content = "Exit code: 4\nWall time: 0.1 seconds\nOutput:\nno";
    const verdicts = (["anthropic", "chat", "responses"] as const).map((api) =>
      classify({ content }, { name: "shell" }, { api }),
    );
    expect(verdicts[1]).toEqual(verdicts[0]);
    expect(verdicts[2]).toEqual(verdicts[0]);
    expect(verdicts[0]).toMatchObject({ status: "failed", exitCode: 4, message: "no" });
  });

  test("content in parts is classified like text", () => {
    expect(classify({ content: [{ type: "text", text: "Error: boom" }] }, { name: "x" }).status).toBe("failed");
  });

  test.each([[""], ["   \n"], [undefined], [null], [[]], ["(no output)"], ["null"]])(
    "%j has status unknown",
    (content) => {
      expect(classify({ content }, { name: "run_job" })).toMatchObject({
        status: "unknown",
        reported: "unknown",
        flag: "absent",
      });
    },
  );

  test("binary text has status unknown", () => {
    expect(classify({ content: "PK\u0003\u0004\u0000\u0000\u0008" }, { name: "download" }).status).toBe("unknown");
  });

  test("output that ends with a truncation mark has status unknown", () => {
    expect(classify({ content: `${"line\n".repeat(50)}[output truncated]` }, { name: "bash" }).status).toBe("unknown");
  });

  test("a result without a call and an id is classified too", () => {
    expect(classifyToolResult({ content: "Error: boom" }).status).toBe("failed");
    expect(classifyToolResult({}).status).toBe("unknown");
  });

  test("an MCP flag inside the text is a flag", () => {
    const content = '{"content":[{"type":"text","text":"it broke"}],"isError":true}';
    expect(classify({ content }, { name: "x" })).toMatchObject({ status: "failed", flag: "failed" });
  });

  test("a timeout setting is not a timeout", () => {
    expect(classify({ content: '{"exit_code":0,"timeout":120000}' }, { name: "run" })).toMatchObject({
      status: "ok",
      exitCode: 0,
    });
  });

  test("a success field around a reported failure makes it a soft failure", () => {
    expect(classify({ content: '{"error":"","response":"Forbidden"}' }, { name: "x" })).toMatchObject({
      status: "ok",
      soft: true,
    });
  });
});

describe("exit codes", () => {
  test("exit code 0 decides the status, and the text can still report a failure", () => {
    const content = "Process exited with code 0\nOutput:\nError: printed by the script";
    expect(classify({ content }, { name: "exec_command" })).toMatchObject({
      status: "ok",
      flag: "ok",
      reported: "failed",
      soft: true,
    });
  });

  test("an exit code inside the output belongs to the program, not to the client", () => {
    const content = "Process exited with code 0\nOutput:\nProcess exited with code 9\n";
    expect(classify({ content }, { name: "exec_command" })).toMatchObject({ status: "ok", exitCode: 0 });
  });

  test("an exit code in the footer counts after long output", () => {
    const content = `${"compiling\n".repeat(1500)}\n\nCommand exited with code 2`;
    expect(classify({ content }, { name: "bash" })).toMatchObject({ status: "failed", exitCode: 2 });
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
  ])("exit code 1 of %s without output is a regular result", (command) => {
    const content = "Process exited with code 1\nOutput:\n";
    expect(classify({ content }, { name: "exec_command", arguments: { cmd: command } })).toMatchObject({
      status: "ok",
      flag: "ok",
      exitCode: 1,
    });
  });

  test.each(["npm test", "grep x a && false", "python a.py"])("exit code 1 of %s is a failure", (command) => {
    const content = "Process exited with code 1\nOutput:\n";
    expect(classify({ content }, { name: "exec_command", arguments: { cmd: command } }).status).toBe("failed");
  });

  test("grep with an error message failed", () => {
    const content = "Process exited with code 1\nOutput:\ngrep: a: No such file or directory\n";
    expect(classify({ content }, { name: "exec_command", arguments: { cmd: "grep x a" } })).toMatchObject({
      status: "failed",
      category: "not_found",
    });
  });

  test("exit code 2 of grep is a failure", () => {
    expect(classify({ content: "Exit code 2" }, { name: "Bash", arguments: { command: "grep x a" } }).status).toBe(
      "failed",
    );
  });

  test("a running process has not failed", () => {
    const content = "Wall time: 1.0 seconds\nProcess running with session ID 12\nOutput:\n";
    expect(classify({ content }, { name: "exec_command" })).toMatchObject({
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
  ])("exit code %i means %s", (code, category) => {
    expect(classify({ content: `Exit code ${code}` }, { name: "Bash" })).toMatchObject({
      category,
      exitCode: code,
      phase: "run",
    });
  });

  test("a timeout has precedence over the exit code it caused", () => {
    expect(classify({ content: "Exit code 143\nCommand timed out after 5s" }, { name: "Bash" })).toMatchObject({
      category: "timeout",
      exitCode: 143,
    });
  });
});

describe("words beside an exit code of 0", () => {
  const shell = (command: string): DetectCall => ({ name: "Bash", arguments: { command } });
  const fetched = "Exit code: 0\nOutput:\ncurl: (22) The requested URL returned error: 404\n";

  test("words beside an exit code of the program itself are not a failure", () => {
    const content = "Exit code: 0\nOutput:\nretry: not defined, the order failed\n";
    expect(classify({ content }, shell("redis-cli get order:1182"))).toMatchObject({ status: "ok", soft: false });
  });

  test("words are a soft failure when the command hides the exit code, or asks a server", () => {
    const content = "Exit code: 0\nOutput:\nls: cannot access 'src': No such file or directory\n";
    expect(classify({ content }, shell("ls src || true"))).toMatchObject({ status: "ok", soft: true });
    expect(classify({ content: fetched }, shell("curl -sS http://127.0.0.1/x"))).toMatchObject({ soft: true });
  });
});

describe("the command of a shell call", () => {
  test("a pipe that hides the exit code makes a failed build a soft failure", () => {
    const call = { name: "bash", arguments: { command: "npm run build 2>&1 | tail -5" } };
    expect(classify({ content: "src/a.ts(3,5): error TS2304: Cannot find name 'x'." }, call)).toMatchObject({
      status: "ok",
      reported: "failed",
      soft: true,
      category: "build_failure",
    });
  });

  test("an error message printed by the program's own code counts as handled", () => {
    const call = { name: "python", arguments: { code: "try:\n  f()\nexcept E:\n  print('Error: table is missing')" } };
    expect(classify({ content: "Error: table is missing" }, call)).toMatchObject({ status: "ok", soft: true });
  });

  test("a program that rejects its arguments failed in phase run", () => {
    const content = "usage: a [-h] x\na: error: the following arguments are required: x";
    expect(classify({ content }, { name: "bash", arguments: { command: "./a" } })).toMatchObject({
      status: "failed",
      category: "invalid_arguments",
      phase: "run",
    });
  });

  test("errors in a displayed log are data, but an error of the displaying command is a failure", () => {
    const call = { name: "bash", arguments: { command: "tail -n 50 app.log" } };
    expect(classify({ content: "Traceback (most recent call last):\n  x\nValueError: y" }, call).status).toBe("ok");
    expect(
      classify({ content: "tail: cannot open 'app.log' for reading: No such file or directory" }, call).status,
    ).toBe("failed");
  });
});

describe("a shell call that reveals nothing about its program", () => {
  test("has status unknown if its own echo printed the whole text", () => {
    const call = { name: "bash", arguments: { command: "cmp -s one two; echo compared" } };
    expect(classify({ content: "compared\n" }, call).status).toBe("unknown");
    expect(classify({ content: "one two differ\ncompared\n" }, call).status).toBe("ok");
  });

  test("has status unknown if the process was started in the background", () => {
    const call = { name: "Bash", arguments: { command: "npm run dev", run_in_background: true } };
    expect(classify({ content: "Started with id 2." }, call).status).toBe("unknown");
  });
});

describe("with heuristics off", () => {
  const off = { heuristics: false } as const;
  test("the wording of the text is ignored", () => {
    expect(classify({ content: "Error: boom" }, { name: "x" }, off)).toMatchObject({
      status: "unknown",
      reported: "unknown",
    });
  });
  test("the flag and an explicit exit code still decide", () => {
    expect(classify({ content: "boom", isError: true }, { name: "x" }, off).status).toBe("failed");
    expect(classify({ content: "Exit code 3" }, { name: "Bash" }, off).status).toBe("failed");
  });
});

describe("evidence", () => {
  test("contains the rule, the excerpt and its position", () => {
    expect(classify({ content: "\n  Error calling tool x: boom\nmore" }, { name: "x" }).evidence).toEqual([
      { rule: "wrapper", excerpt: "Error calling tool x: boom", position: 3 },
    ]);
  });

  test("contains up to three sequences of words from the text, if the wording decided", () => {
    const content = "The ticket was not updated: you are not allowed to edit closed tickets";
    const { status, evidence } = classify({ content }, { name: "update_ticket" });
    expect(status).toBe("failed");
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.length).toBeLessThanOrEqual(3);
    for (const { rule, excerpt = "", position = -1 } of evidence) {
      expect(rule).toBe("wording");
      expect(content.slice(position, position + excerpt.length)).toBe(excerpt);
    }
  });

  test("contains the line around the deciding words, not two words of it", () => {
    const content =
      "mkfs.fat: unable to open backup-session.toml: No such file or directory\nmkfs.fat 4.2 (2021-01-31)";
    const { evidence } = classify({ content }, { name: "bash" });
    expect(evidence[0]?.excerpt).toBe("mkfs.fat: unable to open backup-session.toml: No such file or directory");
  });

  test("contains whole words of a long line, at most 120 characters", () => {
    const content = `${"lorem ipsum ".repeat(30)}you are not allowed to edit closed tickets ${"dolor sit ".repeat(30)}`;
    const { evidence } = classify({ content }, { name: "update_ticket" });
    for (const { excerpt = "" } of evidence) {
      expect(excerpt.length).toBeLessThanOrEqual(120);
      expect(content.split(" ")).toEqual(expect.arrayContaining(excerpt.split(" ")));
    }
  });

  test("positions refer to the whole text, also above the length limit", () => {
    const content = `${"x".repeat(200_000)}\nCommand exited with code 7`;
    expect(classify({ content }, { name: "bash" }).evidence).toEqual([
      { rule: "exit-status", excerpt: "Command exited with code 7", position: 200_001 },
    ]);
  });

  test("a hostile object has status unknown and does not throw", () => {
    const content = {
      get text(): string {
        throw new Error("no");
      },
    };
    expect(classify({ content })).toMatchObject({ status: "unknown", evidence: [{ rule: "unreadable" }] });
  });

  test("a measured duration is part of the outcome", () => {
    expect(classify({ content: "Error: x" }, { name: "x" }, { durationMs: 40_000 }).durationMs).toBe(40_000);
  });
});
