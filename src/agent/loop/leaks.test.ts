import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../registry/define-tool.ts";
import type { LogEntry } from "../registry/hooks.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import type { LoopOptions } from "./loop-options.ts";
import { runToolLoop } from "./run-tool-loop.ts";

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

describe("a tool call that the model wrote as text", () => {
  it("a <tools> call in a scripted response executes the tool, and no turn fails", async () => {
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

  it("a quoted tool result with line numbers is not executed, but a query stated by the user is", async () => {
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
    const requested = await run([TOOLS, "One."], { messages: given("user", "Please run SELECT 1 with execute_sql.") });
    expect(requested.ran).toEqual([{ sql: "SELECT 1" }]);
  });

  it("an unknown tool name in leaked XML returns a tool error, and the turn does not fail", async () => {
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

  it("a message that consists only of tags has no text left", async () => {
    const { messages, text } = await run([TOOLS, "One."]);
    expect(messages[1]?.content).toBe("");
    expect(text).toBe("One.");
  });

  it("emits an event and a warning with the format and repairs of a leaked call", async () => {
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

  it("leaves a leaked call as text next to a native call, without losing text", async () => {
    const text = `Before. ${TOOLS} After.`;
    const native: ScriptedTurn = { text, calls: [{ name: "execute_sql", arguments: { sql: "SELECT 2" } }] };
    const result = await run([native, "Two."]);
    expect(result.ran).toEqual([{ sql: "SELECT 2" }]);
    expect(result.messages[1]?.content).toBe(text);
    expect(result.text).toBe(`${text}Two.`);
  });

  it("leaves a leaked call as text if recovery is disabled", async () => {
    const { ran, text } = await run([TOOLS], { recover: false });
    expect(ran).toEqual([]);
    expect(text).toBe(TOOLS);
  });

  it("leaves a leaked call as text if no tools are registered", async () => {
    const model = scriptedModel([TOOLS]);
    const { text, reason } = await collectRun(runToolLoop({ registry: createToolRegistry([]), model, messages: [] }));
    expect([text, reason]).toEqual([TOOLS, "answer"]);
  });

  it("leaves a leaked call as text if it repeats text the model was given", async () => {
    const messages = [{ role: "user", content: `What does this mean?\n${TOOLS}` }] as const;
    const { ran, reason } = await run([`You wrote:\n${TOOLS}\nIt is a leaked call.`], { messages });
    expect([ran, reason]).toEqual([[], "answer"]);
  });

  it.each([
    ['<tool_call>{"name": "execute_sql", "arguments": {"sql": "SEL', "truncated"],
    ['<tool_call>{"name": "execute_sql", "arguments": {"sql"::"x"}}</tool_call>', "malformed"],
  ])("does not accept a leaked call that cannot be parsed as the final response: %s", async (text, reason) => {
    const { model, events, ran, messages } = await run([text, TOOLS, "One."]);
    expect(events.find(({ kind }) => kind === "leak_rejected")).toMatchObject({ reason });
    const note = model.requests[1]?.messages.at(-1);
    expect(note).toMatchObject({ role: "user", note: true });
    expect(note?.content).toContain("could not be parsed. Nothing was run.");
    expect(note?.content).toContain("Available tools: execute_sql");
    expect(ran).toHaveLength(1);
    expect(messages.some(({ note: isNote }) => isNote === true)).toBe(false);
  });

  it("counts a leaked call that cannot be parsed as a failed round", async () => {
    const broken = "<tool_call>{broken";
    const { reason, model } = await run([broken, broken, broken, "I give up."]);
    expect(reason).toBe("failed-rounds");
    expect(model.requests.at(-1)?.toolChoice).toBe("none");
  });

  it("does not execute a leaked call truncated by the length limit, and notifies the model", async () => {
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
  ])("accepts a tag that is only mentioned as part of the final response: %s", async (text) => {
    const { reason, text: shown } = await run([text]);
    expect([reason, shown]).toEqual(["answer", text]);
  });

  it("sanitizes the failure of a leaked call like any other", async () => {
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

  it("the agent extracts leaked calls in exactly one place", () => {
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
