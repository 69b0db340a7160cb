import { describe, expect, it, test } from "vitest";
import { type DetectOptions, detectCommand } from "./detect.ts";

async function run(options: DetectOptions, ...chunks: (string | Uint8Array)[]) {
  const out: string[] = [];
  const err: string[] = [];
  async function* stdin(): AsyncGenerator<string | Uint8Array> {
    yield* chunks;
  }
  const code = await detectCommand(options, {
    stdin: stdin(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  });
  const rows = options.jsonl === true ? out.map((text) => JSON.parse(text) as Record<string, unknown>) : [];
  return { code, out: out.join(""), err: err.join(""), rows };
}

test("writes one line with the documented fields for each input line", async () => {
  const { code, out } = await run({ jsonl: true }, '{"id":"a","tool_name":"Bash","content":"Exit code 1\\nerror"}\n');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    id: "a",
    status: "failed",
    phase: "run",
    category: "exit_code",
    severity: 0.8,
    retryable: "no",
    flag: "failed",
    reported: "failed",
    soft: false,
    confidence: 0.95,
    evidence: [{ rule: "exit-status", excerpt: "Exit code 1", position: 0 }],
    status_message: "[EXIT_CODE] Bash exit=1 - error",
    exit_code: 1,
    message: "error",
  });
});

test("accepts chunks that end anywhere, even inside a character, and a last line without a newline", async () => {
  const bytes = new TextEncoder().encode('{"id":"é","content":"Error: über"}\n\n{"id":2,"content":"fine"}');
  const { rows } = await run({ jsonl: true }, ...Array.from(bytes, (byte) => Uint8Array.of(byte)));
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ["é", "failed"],
    [2, "ok"],
  ]);
});

test("reports a line that is not an object, writes an output line for it and exits with 1", async () => {
  const { code, rows, err } = await run({ jsonl: true }, 'nope\n[1]\n{"content":"fine"}\n');
  expect(code).toBe(1);
  expect(rows.map(({ status, error }) => [status, error])).toEqual([
    ["unknown", "line 1 is not a JSON object"],
    ["unknown", "line 2 is not a JSON object"],
    ["ok", undefined],
  ]);
  expect(err).toBe("toolmend detect: line 1 is not a JSON object\ntoolmend detect: line 2 is not a JSON object\n");
});

test("reports a line without content, and a flag or an exit code of a wrong type", async () => {
  const lines = [
    { id: 1, tool_name: "bash" },
    { id: 2, content: "fine", is_error: "yes" },
    { id: 3, content: null },
    { id: 4, content: "fine", exit_code: "2" },
    { id: 5, content: "fine", exit_code: 2 },
  ];
  const { code, rows } = await run({ jsonl: true }, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(code).toBe(1);
  expect(rows.map(({ id, status, error }) => [id, status, error])).toEqual([
    [1, "unknown", "line 1 has no content"],
    [2, "unknown", "line 2 has an is_error that is neither true nor false"],
    [3, "unknown", undefined],
    [4, "unknown", "line 4 has an exit_code that is not a whole number"],
    [5, "failed", undefined],
  ]);
});

test("uses the flag, client, API, arguments and declared tools of a line", async () => {
  const lines = [
    { id: 1, content: "fine", is_error: true },
    { id: 2, tool_name: "bash", content: "done", client: "opencode-1.2.3", api: "chat" },
    {
      id: 3,
      tool_name: "exec_command",
      arguments: '{"cmd":"grep x a"}',
      content: "Process exited with code 1\nOutput:\n",
    },
    {
      id: 4,
      tool_name: "frob",
      content: "eh?",
      tools: [{ type: "function", function: { name: "read", parameters: {} } }],
    },
    { id: 5, tool_name: null, content: null, is_error: null, arguments: null },
  ];
  const { rows } = await run({ jsonl: true }, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(rows.map(({ status }) => status)).toEqual(["failed", "unknown", "ok", "failed", "unknown"]);
});

test("supports disabling heuristics and adding rules", async () => {
  const line = '{"content":"Error: x"}\n';
  expect((await run({ jsonl: true, heuristics: false }, line)).rows[0]).toMatchObject({ status: "unknown" });
  const rules = [{ id: "q", contains: "zzz", category: "network" as const }];
  expect((await run({ jsonl: true, rules }, '{"content":"zzz"}\n')).rows[0]).toMatchObject({ category: "network" });
});

test("classifies the whole input as one result without --jsonl", async () => {
  const { code, out } = await run({ tool: "Bash" }, "Exit code 2\n", "boom");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: "failed", status_message: "[EXIT_CODE] Bash exit=2 - boom" });
});

test("waits for a slow reader of its output", async () => {
  let drained = 0;
  const stdout = {
    write: () => false,
    once: (_: "drain", listener: () => void) => {
      drained += 1;
      listener();
    },
  };
  async function* stdin(): AsyncGenerator<string> {
    yield '{"content":"a"}\n{"content":"b"}\n';
  }
  await detectCommand({ jsonl: true }, { stdin: stdin(), stdout, stderr: stdout });
  expect(drained).toBe(2);
});

describe("the outcome of a single text for people", () => {
  const shown = async (text: string, options: DetectOptions = {}): Promise<readonly string[]> =>
    (await run({ asText: true, ...options }, text)).out.split("\n");

  it("gives status, reason and advice of a failure", async () => {
    expect(await shown("Error: ENOENT: no such file or directory, open 'a.txt'", { tool: "Read" })).toEqual([
      "failed: not_found",
      "  Error: ENOENT: no such file or directory, open 'a.txt'",
      expect.stringMatching(
        /^Why: the text reports a failure\. Rule .* matched "Error: ENOENT.*"; \d+ % confidence\.$/,
      ),
      "Phase: run (the tool ran and failed)",
      "Severity: 0.4 of 1",
      "Retry: no (the same call would fail again)",
      "",
      "What may help:",
      expect.stringMatching(/^ {2}- Add to CLAUDE\.md/),
      "",
    ]);
  });

  it("gives the reason of a success, and of an unknown outcome", async () => {
    const success = await shown("Wrote 3 lines to a.txt", { tool: "Write" });
    expect([success[0], success[1]]).toEqual(["ok", expect.stringMatching(/^Why: the text reports no failure\./)]);
    expect(await shown("")).toEqual(["unknown", "Why: neither a flag nor the text says whether the call worked.", ""]);
  });

  it("shows control characters of the text harmlessly", async () => {
    expect((await shown("Error: \u001b[31mboom")).join("\n")).not.toContain("\u001b");
  });
});
