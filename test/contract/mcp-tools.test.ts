import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { mcpTools } from "../../src/adapters/mcp/index.ts";
import { createToolRegistry, type ToolOutcome } from "../../src/agent/index.ts";

// A real MCP client and a real MCP server, connected in memory.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function connected(server: { connect(transport: InMemoryTransport): Promise<void>; close(): Promise<void> }) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await server.connect(there);
  await client.connect(here);
  open.push(client, server);
  return client;
}

function fileServer(): McpServer {
  const server = new McpServer({ name: "files", version: "1" });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool(
    "read",
    { description: "Reads a file.", inputSchema: { path: z.string() }, annotations: { readOnlyHint: true } },
    ({ path }) => text(`${path} says hello`),
  );
  server.registerTool("fail", { inputSchema: {} }, () => ({ ...text("no such file: b.txt"), isError: true }));
  server.registerTool("crash", { inputSchema: {} }, () => {
    throw new Error("cannot reach postgres://admin:s3cret@db");
  });
  server.registerTool("hang", { inputSchema: {} }, () => new Promise<never>(() => {}));
  server.registerTool("picture", { inputSchema: {} }, () => ({
    content: [
      { type: "text", text: "Here:" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "hello" } },
    ],
  }));
  server.registerTool("fail_with_picture", { inputSchema: {} }, () => ({
    isError: true,
    content: [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "file:///log", name: "log" },
    ],
  }));
  server.registerTool("count", { inputSchema: {}, outputSchema: { n: z.number() } }, () => ({
    content: [],
    structuredContent: { n: 3 },
  }));
  return server;
}

const call = (name: string, args: unknown = {}) => ({ id: "call_1", name, arguments: args });
const modelText = (outcome: ToolOutcome): string => (outcome.ok ? outcome.modelText : outcome.failure.modelMessage);

describe("the tools of an MCP server", () => {
  it("the registry declares them with their schemas and calls them by their original names", async () => {
    const client = await connected(fileServer());
    const registry = createToolRegistry(await mcpTools(client, { prefix: "files__" }));
    expect(registry.definitions()[0]).toMatchObject({
      name: "files__read",
      description: "Reads a file.",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    });
    const outcome = await registry.call(call("files__read", '{"path":"a.txt"}'));
    expect(outcome).toMatchObject({ ok: true, modelText: "a.txt says hello" });
    expect(await registry.call(call("read"))).toMatchObject({ ok: false, failure: { kind: "unknown_tool" } });
  });

  it("the tools report the server's errors, and invalid arguments are found before the server is called", async () => {
    const registry = createToolRegistry(await mcpTools(await connected(fileServer())));
    expect(await registry.call(call("fail"))).toMatchObject({
      ok: false,
      failure: { kind: "execution", modelMessage: "Error: no such file: b.txt" },
    });
    expect(await registry.call(call("read"))).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { kind: "missing_parameter" },
    });
    const crash = await registry.call(call("crash"));
    expect(crash.ok).toBe(false);
    expect(modelText(crash)).not.toContain("s3cret");
  });

  it("the tools stop at the time limit and at the abort signal, even when the server keeps running", async () => {
    const registry = createToolRegistry(await mcpTools(await connected(fileServer()), { timeoutMs: 50 }));
    expect(await registry.call(call("hang"))).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    const stopping = new AbortController();
    const calling = registry.call(call("hang"), { signal: stopping.signal });
    stopping.abort();
    expect(await calling).toMatchObject({ ok: false, failure: { kind: "aborted" } });
  });

  it("the tools describe non-text content in words and return structured results as JSON", async () => {
    const registry = createToolRegistry(await mcpTools(await connected(fileServer())));
    expect(modelText(await registry.call(call("picture")))).toBe("Here:\n[image image/png]\nhello");
    expect(modelText(await registry.call(call("count")))).toBe('{"n":3}');
  });

  it("removed tools are unknown tools, and the model learns which ones remain", async () => {
    const server = fileServer();
    const gone = server.registerTool("gone", { inputSchema: {} }, () => ({ content: [] }));
    const registry = createToolRegistry(await mcpTools(await connected(server)), { log: false });
    gone.remove();
    const outcome = await registry.call(call("gone"));
    expect(outcome).toMatchObject({ ok: false, failure: { kind: "unknown_tool", executed: false } });
    expect(modelText(outcome)).toMatch(/^Error: Tool 'gone' not found\.\n\nAvailable tools: read, fail, /);
  });

  it("the tools keep images for models that can see them, and name them in failures", async () => {
    const registry = createToolRegistry(await mcpTools(await connected(fileServer())), { log: false });
    const outcome = await registry.call(call("picture"));
    expect(outcome.ok && outcome.modelParts?.[1]).toEqual({ kind: "image", mediaType: "image/png", data: "AAAA" });
    expect(modelText(await registry.call(call("fail_with_picture")))).toBe(
      "Error: [image image/png]\n[log](file:///log)",
    );
  });

  it("a filter selects the tools, and only trusted annotations make them retryable", async () => {
    const client = await connected(fileServer());
    const [read, ...others] = await mcpTools(client, { only: (name) => name === "read", trustHints: true });
    expect([read?.idempotent, others]).toEqual([true, []]);
    expect((await mcpTools(client))[0]?.idempotent).toBeUndefined();
  });
});

it("mcpTools reads all pages, makes names that model APIs accept, and reports a server's errors", async () => {
  const server = new Server({ name: "odd", version: "1" }, { capabilities: { tools: {} } });
  const names = ["a.b/c", "a_b_c", "x".repeat(100), ...Array.from({ length: 5 }, (_, n) => `t${n}`)];
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const at = Number(params?.cursor ?? 0);
    return {
      tools: [{ name: names[at] as string, inputSchema: { type: "object" } }],
      ...(at + 1 < names.length && { nextCursor: String(at + 1) }),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name === "a.b/c") return { content: [{ type: "text", text: "dots and slashes" }] };
    throw Object.assign(new Error("path must be absolute"), { code: -32602 });
  });
  const registry = createToolRegistry(await mcpTools(await connected(server)));
  expect([...registry.tools.keys()]).toEqual(["a_b_c", "a_b_c_2", "x".repeat(64), "t0", "t1", "t2", "t3", "t4"]);
  expect(modelText(await registry.call(call("a_b_c")))).toBe("dots and slashes");
  expect(await registry.call(call("t0"))).toMatchObject({
    ok: false,
    failure: { kind: "invalid_arguments", modelMessage: expect.stringContaining("path must be absolute") },
  });
});
