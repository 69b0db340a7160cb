import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mcpFindingsCommand } from "../../src/cli/commands/mcp-findings.ts";
import { reportCommand } from "../../src/cli/commands/report.ts";
import { RawClient, serverCommand } from "../support/mcp/raw-client.ts";
import { until } from "../support/raw-http.ts";
import { type Running, startInFrontOf } from "../support/running.ts";

let running: Running;
beforeEach(async () => {
  running = await startInFrontOf("http://127.0.0.1:9");
});
afterEach(() => running.close());

const SESSION = "session-1";

/** Calls a tool as Claude Code does. */
async function callAs(session: string, id: string, tool: string, args: object = {}): Promise<void> {
  const client = new RawClient(serverCommand(running.data), { CLAUDE_CODE_SESSION_ID: session });
  client.initialize("claude-code");
  client.call(1, tool, args, { _meta: { "claudecode/toolUseId": id } });
  await Promise.race([client.sees('"id":1'), client.ended()]).catch(() => undefined);
  await client.close();
}

async function calls(session: string): Promise<readonly Record<string, unknown>[]> {
  const response = await fetch(`${running.url}/api/sessions/${session}`);
  if (!response.ok) return [];
  return ((await response.json()) as { readonly calls: readonly Record<string, unknown>[] }).calls;
}

async function recordedCalls(session: string, count: number): Promise<readonly Record<string, unknown>[]> {
  await until("the calls are recorded", async () => {
    await running.server.drain();
    return (await calls(session)).length >= count;
  });
  return await calls(session);
}

async function ingest(line: object): Promise<void> {
  const headers = { "content-type": "application/x-ndjson" };
  await fetch(`${running.url}/api/ingest`, { method: "POST", headers, body: JSON.stringify(line) });
}

describe("calls through the wrapper", () => {
  it("calls through the wrapper are recorded with the tool's own outcome, duration and server", async () => {
    await callAs(SESSION, "toolu_01", "fails", { a: 1 });
    expect(await recordedCalls(SESSION, 1)).toMatchObject([
      {
        tool_call_id: "toolu_01",
        tool_name: "mcp__bad__fails",
        mcp_server: "bad",
        mcp_tool: "fails",
        status: "failed",
        phase: "run",
        source: "mcp",
        client: "claude-code",
        excerpt: "kaboom",
        execution_time_ms: expect.any(Number),
      },
    ]);
  });

  it("a call that wrapper and client report is one record, and the failure that the client hides counts", async () => {
    const line = { session_id: SESSION, tool_call_id: "toolu_02", tool_name: "mcp__bad__fails", source: "transcript" };
    await ingest({ ...line, arguments: {}, content: "kaboom", model: "some-model" });
    await callAs(SESSION, "toolu_02", "fails");
    await until("the calls are recorded", async () => {
      await running.server.drain();
      return (await calls(SESSION)).some(({ source }) => source === "mcp+transcript");
    });
    expect(await calls(SESSION)).toMatchObject([{ status: "failed", model_name: "some-model", mcp_tool: "fails" }]);
  });

  it.each([
    ["rpc_error", { phase: "call", category: "unknown_tool" }],
    ["add", { phase: "call", category: "invalid_arguments" }],
    ["crash", { phase: "run", category: "crash" }],
    ["echo", { status: "ok", phase: null }],
  ])("a wrapped call has the category of its outcome: %s", async (tool, expected) => {
    await callAs(SESSION, "toolu_03", tool, { text: "hello" });
    expect(await recordedCalls(SESSION, 1)).toMatchObject([expected]);
  });

  it("redacts secrets in arguments and results", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    await callAs(SESSION, "toolu_04", "add", { token: secret });
    const recorded = await recordedCalls(SESSION, 1);
    expect(recorded).toMatchObject([{ status: "failed" }]);
    expect(JSON.stringify(recorded)).not.toContain(secret);
  });

  it("calls made without a server are recorded when it starts", async () => {
    const { data } = running;
    await running.server.close();
    await callAs(SESSION, "toolu_05", "echo", { text: "x" });
    running = await startInFrontOf("http://127.0.0.1:9", { data });
    expect(await recordedCalls(SESSION, 1)).toMatchObject([{ tool_call_id: "toolu_05", status: "ok" }]);
  });
});

/** Lists the tools as clients do, then calls some of them. */
async function listAndCall(...calls: readonly (readonly [id: string, tool: string, args: object])[]): Promise<void> {
  const client = new RawClient(serverCommand(running.data), { CLAUDE_CODE_SESSION_ID: SESSION });
  client.initialize("claude-code");
  client.send({ id: 100, method: "tools/list" });
  await client.sees('"id":100');
  client.send({ id: 101, method: "tools/list", params: { cursor: "2" } });
  await client.sees('"id":101');
  for (const [at, [id, tool, args]] of calls.entries()) {
    client.call(at + 1, tool, args, { _meta: { "claudecode/toolUseId": id } });
    await client.sees(`"id":${at + 1},`);
  }
  await client.close();
}

async function output(command: (io: never) => Promise<number>): Promise<string> {
  let out = "";
  const io = {
    out: (text: string) => {
      out += text;
    },
    ...{ err: () => undefined, environment: {}, now: Date.now, width: 120, isTerminal: false },
  };
  await command(io as never);
  return out;
}

describe("calls of tools that the server listed", () => {
  it("calls of listed tools are compared with their schemas, and never changed", async () => {
    await listAndCall(
      ["toolu_11", "add", { a: "1", b: 2 }],
      ["toolu_12", "add", { a: 1, b: 2 }],
      ["toolu_13", "weather", { bad: true }],
    );
    const byId = new Map((await recordedCalls(SESSION, 3)).map((row) => [row.tool_call_id, row]));
    expect(byId.get("toolu_11")).toMatchObject({
      status: "failed",
      category: "invalid_arguments",
      repair: {
        ...{ result: "left", classes: ["number-as-text"], paths: ["$.a"], reason: "observe" },
        ...{ before: '{"a":"1","b":2}', after: '{"a":1,"b":2}' },
      },
    });
    expect(byId.get("toolu_12")).toMatchObject({ status: "ok", repair: null, mcp_output: null });
    expect(byId.get("toolu_13")).toMatchObject({
      status: "ok",
      repair: null,
      mcp_output: "structuredContent: $.degrees must be number, is string",
    });
  });

  it("calls of listed tools are reported without secrets, also in keys", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    await listAndCall(
      ["toolu_14", "add", { a: "1", b: 2, [secret]: secret }],
      ["toolu_15", "echo", { text: [secret] }],
    );
    const recorded = await recordedCalls(SESSION, 2);
    expect(recorded).toMatchObject([{ repair: { reason: "observe" } }, { repair: { result: "left" } }]);
    expect(JSON.stringify(recorded)).not.toContain(secret);
  });

  it("calls of listed tools are summarized for the authors of servers, and in the report", async () => {
    await listAndCall(["toolu_21", "add", { a: "1", b: 2 }], ["toolu_22", "noise", {}], ["toolu_23", "weather", {}]);
    await recordedCalls(SESSION, 3);
    const flags = { data: running.data };
    expect(await output((io) => mcpFindingsCommand(flags, io))).toBe(
      [
        "Tools called with arguments that do not fit",
        "  bad add: 1 of 1 calls: the model sends numbers as text (1); 1 failure would have worked repaired",
        "Noise on stdout",
        "  bad: lines that are not messages: 1 in the last run; clients may close the connection",
        "Tools without a description",
        "  bad nameless: the model sees only the name",
        "Tools that were not called",
        "  bad echo: listed, but not called in this range",
        "  bad nameless: listed, but not called in this range",
        "",
      ].join("\n"),
    );
    expect(JSON.parse(await output((io) => mcpFindingsCommand({ ...flags, json: true }, io, "bad")))[0]).toEqual({
      ...{ kind: "called_wrong", server: "bad", tool: "add", count: 1, would_have_worked: 1 },
      detail: "1 of 1 calls: the model sends numbers as text (1)",
    });
    await expect(output((io) => mcpFindingsCommand(flags, io, "other"))).rejects.toThrow(
      'No MCP server named "other" found in this range. Found: bad.',
    );
    expect(await output((io) => reportCommand(flags, io))).toContain(
      "1 failed call would have worked with repaired arguments.\n",
    );
  });

  it("calls of listed tools lead to one event, once the model's side of the call is known", async () => {
    const left = (): readonly unknown[] => {
      const folder = join(running.data, "events");
      const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
      return lines.map((one) => JSON.parse(one)).filter(({ type }) => type === "call_left");
    };
    const line = { session_id: SESSION, tool_call_id: "toolu_31", tool_name: "mcp__bad__add", source: "transcript" };
    await listAndCall(["toolu_31", "add", { a: "1", b: 2 }]);
    await recordedCalls(SESSION, 1);
    await ingest({ ...line, arguments: { a: "1", b: 2 }, content: "invalid", model: "some-model" });
    await until("the event is written", async () => {
      await running.server.drain();
      return left().length > 0;
    });
    expect(left()).toMatchObject([
      { tool_call_id: "toolu_31", model_name: "some-model", classes: ["number-as-text"], reason: "observe" },
    ]);
    const { rows } = (await (await fetch(`${running.url}/api/call-repairs`)).json()) as { readonly rows: unknown };
    expect(rows).toMatchObject([{ tool_call_id: "toolu_31", result: "left", status: "failed", mcp_server: "bad" }]);
  });
});
