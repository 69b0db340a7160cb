import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
  it("are recorded with the tool's own outcome, duration and server", async () => {
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

  it("are one record with what the client reports, and the failure that the client hides counts", async () => {
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
  ])("has the category of its outcome: %s", async (tool, expected) => {
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

  it("are recorded when the server starts, if it was not running", async () => {
    const { data } = running;
    await running.server.close();
    await callAs(SESSION, "toolu_05", "echo", { text: "x" });
    running = await startInFrontOf("http://127.0.0.1:9", { data });
    expect(await recordedCalls(SESSION, 1)).toMatchObject([{ tool_call_id: "toolu_05", status: "ok" }]);
  });
});
