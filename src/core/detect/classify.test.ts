import { describe, expect, test } from "vitest";
import { classify } from "../../../test/support/classify.ts";
import { classifyToolResult } from "./index.ts";

describe("the protocol's flag", () => {
  test("is_error decides, whatever the text reports (test_anthropic_tool_result_error_detection)", () => {
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

  test.each(["isError", "is_error"])("is read from %s", (name) => {
    expect(classifyToolResult({ content: "kaboom", [name]: true })).toMatchObject({ status: "failed", flag: "failed" });
    expect(classifyToolResult({ content: "Error: kaboom", [name]: false })).toMatchObject({ status: "ok", soft: true });
  });

  test("is read from a content block of Anthropic and a result of MCP, as they are", () => {
    const block = {
      type: "tool_result",
      tool_use_id: "t",
      content: [{ type: "text", text: "kaboom" }],
      is_error: true,
    };
    const result = { content: [{ type: "text" as const, text: "kaboom" }], isError: true };
    expect([block, result].map((one) => classifyToolResult(one).flag)).toEqual(["failed", "failed"]);
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

  test("an MCP flag inside the text is a flag", () => {
    const content = '{"content":[{"type":"text","text":"it broke"}],"isError":true}';
    expect(classify({ content }, { name: "x" })).toMatchObject({ status: "failed", flag: "failed" });
  });

  test("a success field around a reported failure makes it a soft failure", () => {
    expect(classify({ content: '{"error":"","response":"Forbidden"}' }, { name: "x" })).toMatchObject({
      status: "ok",
      soft: true,
    });
  });
});

describe("text without a flag", () => {
  test("an error message fails, a result that mentions errors does not (test_openai_tool_message_error_heuristic)", () => {
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

  test("a timeout setting is not a timeout", () => {
    expect(classify({ content: '{"exit_code":0,"timeout":120000}' }, { name: "run" })).toMatchObject({
      status: "ok",
      exitCode: 0,
    });
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

  test("a result without a call and an id is classified too", () => {
    expect(classifyToolResult({ content: "Error: boom" }).status).toBe("failed");
    expect(classifyToolResult({}).status).toBe("unknown");
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

  test("a measured duration is part of the outcome", () => {
    expect(classify({ content: "Error: x" }, { name: "x" }, { durationMs: 40_000 }).durationMs).toBe(40_000);
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
    const call = {
      name: "python",
      arguments: { code: "try:\n  f()\nexcept E:\n  print('Error: the table users does not exist')" },
    };
    expect(classify({ content: "Error: the table users does not exist" }, call)).toMatchObject({
      status: "ok",
      soft: true,
    });
  });

  test("a person's refusal of a shell call is a gate, the exit status of an interrupted program is a run", () => {
    const call = { name: "Bash", arguments: { command: "rm -rf build" } };
    expect(classify({ content: "The user denied this operation." }, call)).toMatchObject({
      category: "cancelled",
      phase: "gate",
    });
    expect(classify({ content: "Exit code 130\nCancelled by user" }, call)).toMatchObject({
      category: "cancelled",
      phase: "run",
    });
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

describe("classification with heuristics off", () => {
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
