import { describe, expect, test } from "vitest";
import { classify } from "../../../test/support/classify.ts";
import { classifyToolResult, type DetectCall } from "./index.ts";

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

  test("an exit code that comes apart from the text decides, whatever the tool is", () => {
    expect(classify({ content: "cat: a.txt: No such file or directory", exitCode: 1 }, { name: "Read" })).toMatchObject(
      {
        status: "failed",
        flag: "failed",
        category: "not_found",
        exitCode: 1,
        evidence: [{ rule: "exit-status", excerpt: "exit code 1" }, expect.anything()],
      },
    );
    expect(classify({ content: "Error: printed", exitCode: 0 }, { name: "bash" })).toMatchObject({
      status: "ok",
      soft: true,
      exitCode: 0,
    });
    expect(classify({ content: "", exitCode: 1 }, { name: "bash", arguments: { command: "grep -c x a" } }).status).toBe(
      "ok",
    );
    expect(classify({ content: "fine", exitCode: 2.5 }, { name: "bash" })).not.toHaveProperty("exitCode");
  });

  test("an exit code apart from the text has precedence over one in it", () => {
    const content = "Exit code 0\nls: cannot access 'a'";
    expect(classify({ content, exitCode: 2 }, { name: "bash" })).toMatchObject({
      status: "failed",
      exitCode: 2,
      message: "ls: cannot access 'a'",
    });
  });

  test("a timeout has precedence over the exit code it caused", () => {
    expect(classify({ content: "Exit code 143\nCommand timed out after 5s" }, { name: "Bash" })).toMatchObject({
      category: "timeout",
      exitCode: 143,
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

  test("a running process has not failed", () => {
    const content = "Wall time: 1.0 seconds\nProcess running with session ID 12\nOutput:\n";
    expect(classify({ content }, { name: "exec_command" })).toMatchObject({
      status: "unknown",
      evidence: [{ rule: "still-running" }],
    });
  });
});

describe("exit codes of programs that answer by them", () => {
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

  test("exit code 1 of a search means no match, also if the command is a list of words", () => {
    const content = "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n";
    const call = { name: "shell", arguments: { command: ["rg", "-n", "later"] } };
    expect(classifyToolResult({ content }, call).status).toBe("ok");
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
});

describe("words beside an exit code of 0", () => {
  const call = (command: string): DetectCall => ({ name: "Bash", arguments: { command } });
  const fetched = "Exit code: 0\nOutput:\ncurl: (22) The requested URL returned error: 404\n";

  test("words beside an exit code of the program itself are no failure", () => {
    const content = "Exit code: 0\nOutput:\nretry: not defined, the order failed\n";
    expect(classify({ content }, call("redis-cli get order:1182"))).toMatchObject({ status: "ok", soft: false });
  });

  test("words are a soft failure when the command hides the exit code, or asks a server", () => {
    const content = "Exit code: 0\nOutput:\nls: cannot access 'src': No such file or directory\n";
    expect(classify({ content }, call("ls src || true"))).toMatchObject({ status: "ok", soft: true });
    expect(classify({ content: fetched }, call("curl -sS http://127.0.0.1/x"))).toMatchObject({ soft: true });
  });
});
