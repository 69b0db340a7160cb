import { describe, expect, it } from "vitest";
import { recoverCommand } from "./recover.ts";

async function run(
  chunks: readonly (string | Uint8Array)[],
  options: Parameters<typeof recoverCommand>[0],
): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  async function* stdin(): AsyncGenerator<string | Uint8Array> {
    yield* chunks;
  }
  const code = await recoverCommand(options, {
    stdin: stdin(),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

describe("toolmend recover", () => {
  it("decodes a byte stream with chunks that end anywhere, and writes one object", async () => {
    const bytes = new TextEncoder().encode('Grüße 🐑 <tool_call>{"name": "f", "arguments": {"a": "ü"}}</tool_call>');
    for (let cut = 1; cut < bytes.length; cut++) {
      const { code, out } = await run([bytes.subarray(0, cut), bytes.subarray(cut)], {});
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        content: "Grüße 🐑",
        toolCalls: [{ name: "f", arguments: { a: "ü" } }],
        matches: [{ kind: "call" }],
      });
    }
  });

  it("writes for people what was found, what was left and why, and the rest of the text", async () => {
    const leak = `<tool_call>{"name": "f", "arguments": {'a': "x\\u001b[2J"}}</tool_call>`;
    const { out } = await run([`Look:\n${leak}\nFor example, write \`<tool_call>{"name": "g"}</tool_call>\`.`], {
      asText: true,
    });
    expect(out).toBe(
      [
        "1 call:",
        '  f {"a":"x\\u001b[2J"}',
        "    format hermes-json, repaired: single-quotes",
        "  No tools are declared, so no name was checked; --tools NAMES declares them.",
        "  left as text: in-code (hermes-json)",
        "Text:",
        "  Look:",
        '  For example, write `<tool_call>{"name": "g"}</tool_call>`.',
        "",
      ].join("\n"),
    );
    expect((await run(["plain"], { asText: true })).out).toBe("No calls found.\nText:\n  plain\n");
  });

  it("tells people which calls are of no declared tool", async () => {
    const leak = (name: string): string => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>\n`;
    const { out } = await run([leak("read"), leak("ls")], { asText: true, tools: [{ name: "read" }] });
    expect(out).toBe(
      [
        "2 calls:",
        ...["  read {}", "    format hermes-json"],
        ...["  ls {}", "    format hermes-json", "    not a declared tool: the server repairs it only in mode any"],
        "",
      ].join("\n"),
    );
  });

  it("writes one line with the id for each JSONL line, in order", async () => {
    const rows = [
      { id: "a", text: '{"name": "f", "arguments": {}}', tools: [{ name: "f" }] },
      { id: 2, text: "nothing" },
      { text: '<tool_call>{"name": "f"}</tool_call>', context: ['<tool_call>{"name": "f"}</tool_call>'] },
    ];
    const input = rows.map((row) => JSON.stringify(row)).join("\n");
    const { code, out } = await run([input.slice(0, 30), input.slice(30)], { jsonl: true });
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; content: string; toolCalls: readonly unknown[] });
    expect(lines.map((line) => [line.id, line.content, line.toolCalls.length])).toEqual([
      ["a", "", 1],
      [2, "nothing", 0],
      [null, '<tool_call>{"name": "f"}</tool_call>', 0],
    ]);
  });

  it("reports a line without a text under its id", async () => {
    const { code, out } = await run(['{"id": "a7", "txt": "misspelt"}\n{"id": {"no": "id"}}\n'], { jsonl: true });
    expect(code).toBe(1);
    expect(out).toBe(
      '{"id":"a7","error":"line 1 is not an object with a text"}\n{"id":null,"error":"line 2 is not an object with a text"}\n',
    );
  });

  it("continues after a malformed line, reports its number and exits with 1", async () => {
    const { code, out, err } = await run(['not json\n\n{"text": "ok"}\n[1]\n'], { jsonl: true });
    expect(code).toBe(1);
    expect(out.trimEnd().split("\n")).toHaveLength(3);
    expect(err).toContain("line 1");
    expect(err).toContain("line 4");
  });

  it("accepts context texts as strings, which count as tool results, or with a role", async () => {
    const text = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>';
    const rows = [
      { id: "string", text, context: [text] },
      { id: "tool", text, context: [{ role: "tool", text }] },
      { id: "user", text, context: [{ role: "user", text }] },
      { id: "system", text, context: [{ role: "system", text }] },
      { id: "other-example", text, context: [{ role: "system", text: text.replace("1", "2") }] },
      { id: "assistant", text, context: [{ role: "assistant", text }] },
      { id: "mixed", text, context: ["nothing", { role: "assistant", text }] },
    ];
    const { code, out } = await run([rows.map((row) => JSON.stringify(row)).join("\n")], { jsonl: true });
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; toolCalls: readonly unknown[] });
    expect(lines.map(({ id, toolCalls }) => [id, toolCalls.length])).toEqual([
      ["string", 0],
      ["tool", 0],
      ["user", 0],
      ["system", 0],
      ["other-example", 1],
      ["assistant", 1],
      ["mixed", 1],
    ]);
  });

  it.each([
    [
      "a role that does not exist",
      [{ role: "robot", text: "x" }],
      'has a context whose item 0 has the role "robot"; use user, system, assistant, tool',
    ],
    [
      "an item without a text",
      ["fine", { role: "user" }],
      "has a context whose item 1 is neither a string nor an object with a text",
    ],
    ["no list", "text", "has a context that is not a list"],
  ])("reports a line whose context has %s", async (_title, context, problem) => {
    const { code, out, err } = await run([JSON.stringify({ id: 7, text: "x", context })], { jsonl: true });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ id: 7, error: `line 1 ${problem}` });
    expect(err).toBe(`toolmend recover: line 1 ${problem}\n`);
  });
});
