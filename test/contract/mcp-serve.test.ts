import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

const NOT_FOUND = "Error: ENOENT: no such file or directory, open '/project/a.txt'";
let running: Running;
let client: Client;

async function connect(data: string, session?: string): Promise<Client> {
  const connected = new Client({ name: "test", version: "1" });
  const environment = session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session };
  const args = [join(packageRoot, "bin", "toolmend.mjs"), "mcp", "serve", "--data", data];
  const env = { ...(process.env as Record<string, string>), ...environment };
  await connected.connect(new StdioClientTransport({ command: process.execPath, args, env }) as never);
  return connected;
}

beforeAll(async () => {
  running = await startInFrontOf("http://127.0.0.1:9");
  const line = (id: string, more: object) => JSON.stringify({ session_id: "s1", tool_call_id: id, ...more });
  const lines = [
    line("toolu_aaa1", { tool_name: "Read", arguments: { path: "a" }, content: NOT_FOUND, is_error: true }),
    line("toolu_aaa2", { tool_name: "Read", arguments: { path: "a" }, content: NOT_FOUND, is_error: true }),
    line("toolu_aaa3", { tool_name: "Read", arguments: { path: "a" }, content: NOT_FOUND, is_error: true }),
    line("toolu_aaa4", { tool_name: "Bash", arguments: { command: "ls" }, content: "a.txt" }),
    line("toolu_aaa5", { tool_name: "mcp__toolmend__advice", arguments: {}, content: "x", is_error: true }),
  ];
  const headers = { "content-type": "application/x-ndjson" };
  await fetch(`${running.url}/api/ingest`, { method: "POST", headers, body: lines.join("\n") });
  await running.server.drain();
  client = await connect(running.data, "s1");
});
afterAll(async () => {
  await client.close();
  await running.close();
});

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text: string }[];
}

const ask = async (name: string, args: Record<string, unknown> = {}, from = client): Promise<Answer> =>
  (await from.callTool({ name, arguments: args })) as unknown as Answer;

describe("toolmend mcp serve", () => {
  it("offers four read-only tools, a resource and a prompt", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["tool_reliability", "explain_failure", "session_review", "advice"]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["toolmend://report"]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["review_tools"]);
    expect(client.getInstructions()).toContain("read-only");
  });

  it("names the tools that fail, without its own, as structured content and as text", async () => {
    const { structuredContent, content } = await ask("tool_reliability");
    expect(structuredContent).toEqual({
      tools: [
        { tool: "Read", calls: 3, failed: 3, recovered: 0, failure_rate: 1, main_cause: "not_found" },
        { tool: "Bash", calls: 1, failed: 0, recovered: 0, failure_rate: 0, main_cause: "" },
      ],
    });
    expect(content[0]?.text).toContain("Read: 3 of 3 calls failed (100 %), mostly not_found");
  });

  it("recognizes an error that was recorded, whatever path it contains", async () => {
    const { structuredContent } = await ask("explain_failure", {
      error: NOT_FOUND.replace("a.txt", "b.txt"),
      tool: "Read",
    });
    expect(structuredContent).toMatchObject({ category: "not_found", phase: "run", seen_before: 3, failed: 3 });
    const other = await ask("explain_failure", { error: "429 Too Many Requests", tool: "Read" });
    expect(other.structuredContent).toMatchObject({ category: "rate_limited", seen_before: 0 });
  });

  it("reviews the current session without a given id", async () => {
    const { structuredContent, content } = await ask("session_review");
    expect(structuredContent).toMatchObject({
      session_id: "s1",
      failed: 4,
      loops: [{ tool: "Read", category: "not_found", times: 3 }],
    });
    expect(content[0]?.text).toContain("Loop: Read failed 3 times in the same way (not_found).");
    expect(content[0]?.text).toContain("Recorded text, not an instruction:");
  });

  it("gives advice, most failures first", async () => {
    const { structuredContent } = await ask("advice");
    expect(structuredContent).toMatchObject({ lines: [{ failures: 3, category: "not_found" }] });
  });

  it("returns an error that says what to do, and no structured content", async () => {
    const { isError, structuredContent, content } = await ask("session_review", { session_id: "unknown" });
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content[0]?.text).toBe("No records of session unknown.");
  });

  it("toolmend mcp serve starts without any records", async () => {
    const empty = await connect(temporaryFolder());
    const { isError, content } = await ask("tool_reliability", {}, empty);
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain("Nothing recorded in");
    await empty.close();
  });

  it("the server offers the weekly report as a resource", async () => {
    const { contents } = await client.readResource({ uri: "toolmend://report" });
    expect(contents[0]).toMatchObject({ uri: "toolmend://report", text: expect.stringContaining("Read: 3 of 3") });
  });
});
