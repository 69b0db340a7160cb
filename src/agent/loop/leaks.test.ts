import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../registry/define-tool.ts";
import type { LogEntry } from "../registry/hooks.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import type { LoopOptions } from "./tool-loop.ts";
import { runToolLoop } from "./tool-loop.ts";

const TOOLS = '<tools>{"name": "execute_sql", "arguments": {"sql": "SELECT 1"}}</tools>';

async function run(turns: readonly ScriptedTurn[], options: Partial<LoopOptions> = {}) {
  const log: LogEntry[] = [];
  const ran: unknown[] = [];
  const sql = defineTool({
    name: "execute_sql",
    input: z.object({ sql: z.string() }),
    run: (input) => {
      ran.push(input);
      return "1 row";
    },
  });
  const model = scriptedModel(turns);
  const registry = createToolRegistry([sql], { hooks: { log: (entry) => log.push(entry) } });
  const messages = [{ role: "user", content: "How many?" }] as const;
  const result = await collectRun(runToolLoop({ registry, model, messages, ...options }));
  return { ...result, model, log, ran };
}

describe("a call that the model wrote as text", () => {
  it("scripted assistant response with a <tools> call: the tool executes, no turn failed", async () => {
    const { ran, reason, text, events, messages } = await run([`\n\n${TOOLS}\n\nSome other text`, "One."]);
    expect(ran).toEqual([{ sql: "SELECT 1" }]);
    expect(reason).toBe("answer");
    expect(text).not.toContain("<tools>");
    expect(text).toContain("Some other text");
    expect(events.some(({ kind }) => kind === "leak_rejected" || kind === "tool_failed")).toBe(false);
    expect(messages[1]).toMatchObject({
      role: "assistant",
      toolCalls: [{ name: "execute_sql", arguments: { sql: "SELECT 1" }, origin: "recovered" }],
    });
    expect(messages[1]?.content).not.toContain("<tools>");
    expect(messages[2]).toMatchObject({ role: "tool", content: "1 row", toolCallId: messages[1]?.toolCalls?.[0]?.id });
  });

  it("a quotation of a tool result with line numbers is not run, a query that the user states is", async () => {
    const given = (role: "user" | "tool", content: string) =>
      [
        { role: "user", content: "How many?" },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "call_1", name: "execute_sql", arguments: { sql: "SELECT 2" } }],
        },
        { role: "tool", content: role === "tool" ? content : "2 rows", toolCallId: "call_1" },
        { role: "user", content: role === "user" ? content : "Go on." },
      ] as const;
    const quoted = await run([TOOLS], { messages: given("tool", `     1→${TOOLS}`) });
    expect(quoted.ran).toEqual([]);
    expect(quoted.text).toContain("<tools>");
    const asked = await run([TOOLS, "One."], { messages: given("user", "Please run SELECT 1 with execute_sql.") });
    expect(asked.ran).toEqual([{ sql: "SELECT 1" }]);
  });

  it("unknown tool name in leaked XML: a tool error is returned, the turn has not failed", async () => {
    const { model, reason, ran } = await run([
      '<tool_call>{"name": "run_sql", "arguments": {}}</tool_call>',
      TOOLS,
      "One.",
    ]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
      /^Error: Tool 'run_sql' not found\.\n\n.*Available tools: execute_sql/s,
    );
    expect(ran).toHaveLength(1);
    expect(reason).toBe("answer");
  });

  it("J01 a message of tags only has no text left", async () => {
    const { messages, text } = await run([TOOLS, "One."]);
    expect(messages[1]?.content).toBe("");
    expect(text).toBe("One.");
  });

  it("is reported in an event and a warning, with its format and repairs", async () => {
    const { events, log } = await run([
      "<tool_call>{'name': 'execute_sql', 'arguments': {'sql': 'SELECT 1',}}</tool_call>",
      "One.",
    ]);
    const event = events.find(({ kind }) => kind === "leak_recovered");
    expect(event).toMatchObject({
      calls: [{ name: "execute_sql", format: "hermes-json", repairs: expect.arrayContaining(["dropped-comma"]) }],
    });
    expect(log[0]).toMatchObject({
      level: "warn",
      event: "leak_recovered",
      message: expect.stringContaining("agent:sanitizer"),
    });
    expect(JSON.stringify(log[0]?.details)).toContain("dropped-comma");
  });

  it("is left alone beside a native call, and nothing of the text is lost", async () => {
    const text = `Before. ${TOOLS} After.`;
    const native: ScriptedTurn = { text, calls: [{ name: "execute_sql", arguments: { sql: "SELECT 2" } }] };
    const result = await run([native, "Two."]);
    expect(result.ran).toEqual([{ sql: "SELECT 2" }]);
    expect(result.messages[1]?.content).toBe(text);
    expect(result.text).toBe(`${text}Two.`);
  });

  it("is not looked for when that is switched off", async () => {
    const { ran, text } = await run([TOOLS], { recover: false });
    expect(ran).toEqual([]);
    expect(text).toBe(TOOLS);
  });

  it("is not looked for where there is nothing to call", async () => {
    const model = scriptedModel([TOOLS]);
    const { text, reason } = await collectRun(runToolLoop({ registry: createToolRegistry([]), model, messages: [] }));
    expect([text, reason]).toEqual([TOOLS, "answer"]);
  });

  it("is not made when it repeats what the model was given", async () => {
    const messages = [{ role: "user", content: `What does this mean?\n${TOOLS}` }] as const;
    const { ran, reason } = await run([`You wrote:\n${TOOLS}\nIt is a leaked call.`], { messages });
    expect([ran, reason]).toEqual([[], "answer"]);
  });

  it.each([
    ['<tool_call>{"name": "execute_sql", "arguments": {"sql": "SEL', "truncated"],
    ['<tool_call>{"name": "execute_sql", "arguments": {"sql"::"x"}}</tool_call>', "malformed"],
  ])("that cannot be read is not an answer: %s", async (text, reason) => {
    const { model, events, ran, messages } = await run([text, TOOLS, "One."]);
    expect(events.find(({ kind }) => kind === "leak_rejected")).toMatchObject({ reason });
    const note = model.requests[1]?.messages.at(-1);
    expect(note).toMatchObject({ role: "user", note: true });
    expect(note?.content).toContain("could not be understood. Nothing was run.");
    expect(note?.content).toContain("Available tools: execute_sql");
    expect(ran).toHaveLength(1);
    expect(messages.some(({ note: isNote }) => isNote === true)).toBe(false);
  });

  it("that cannot be read counts as a failed round", async () => {
    const broken = "<tool_call>{broken";
    const { reason, model } = await run([broken, broken, broken, "I give up."]);
    expect(reason).toBe("failed-rounds");
    expect(model.requests.at(-1)?.toolChoice).toBe("none");
  });

  it("that was cut off by the length limit is not made, and the model is told", async () => {
    const { ran, model } = await run([
      { text: `${TOOLS}\n\nAnd then`, finish: "length" },
      { text: '<tool_call>{"name": "execute_sql", "argu', finish: "length" },
      "One.",
    ]);
    expect(ran).toEqual([]);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("cut off");
    expect(model.requests[2]?.messages.at(-1)?.content).toContain("truncated");
  });

  it.each([
    "I use <tool_call> tags to call tools.",
    "The <function>print()</function> element and <tools>hammer</tools>.",
    "Write `<tool_call>{}</tool_call>` in code.",
  ])("a tag that is only talked about is an answer: %s", async (text) => {
    const { reason, text: shown } = await run([text]);
    expect([reason, shown]).toEqual(["answer", text]);
  });

  it("N24 its failure is sanitised like any other", async () => {
    const tool = defineTool({
      name: "boom",
      input: z.object({}),
      run: () => {
        throw new Error("password=hunter2");
      },
    });
    const model = scriptedModel(['<tool_call>{"name": "boom", "arguments": {}}</tool_call>', "Sorry."]);
    const { events } = await collectRun(runToolLoop({ registry: createToolRegistry([tool]), model, messages: [] }));
    expect(JSON.stringify([events, model.requests])).not.toContain("hunter2");
  });

  it("is looked for at exactly one place of the agent", () => {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    const sources = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const sites = sources.flatMap((name) =>
      [
        ...readFileSync(`${folder}/${name}`, "utf8").matchAll(
          /\b(?:createLeakScanner|(?:tryE|e)xtract(?:Leaked)?ToolCalls)\(/g,
        ),
      ].map(() => name),
    );
    expect(sites).toEqual(["loop/leak-reader.ts"]);
  });
});
