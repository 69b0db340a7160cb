import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { listKnownServers } from "../../src/mcp/known-servers.ts";
import { RawClient, spooledCalls, TOOLMEND } from "../support/mcp/raw-client.ts";
import { until } from "../support/raw-http.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handler: Handler): Promise<string> {
  const server = http.createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function createServer(): McpServer {
  const server = new McpServer({ name: "http-server", version: "3.0" });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text: value }) => text(value));
  const drop = { inputSchema: { text: z.string() }, annotations: { destructiveHint: true } };
  server.registerTool("drop", drop, () => text("dropped"));
  server.registerTool("fails", {}, () => ({ isError: true, ...text("kaboom") }));
  server.registerTool("hangs", {}, () => new Promise<never>(() => undefined));
  return server;
}

/** A server of the official SDK with sessions; answers as events, or as JSON. */
function sdkServer(enableJsonResponse: boolean): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen((request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const serve = async (): Promise<void> => {
      const transport =
        known ??
        new StreamableHTTPServerTransport({
          sessionIdGenerator: () => `secret-${randomUUID()}`,
          enableJsonResponse,
          onsessioninitialized: (id) => {
            sessions.set(id, transport);
          },
        });
      if (known === undefined) await createServer().connect(transport as never);
      await transport.handleRequest(request, response);
    };
    void serve();
  });
}

async function startProxy(url: string, options: Partial<ServerOptions> = {}): Promise<Running> {
  const running = await startInFrontOf("http://127.0.0.1:9", {
    upstreams: new Map([["tools", { name: "tools", url: new URL(url) }]]),
    ...options,
  });
  closers.push(() => running.close());
  return running;
}

async function connect(url: string, name = "claude-code"): Promise<Client> {
  const client = new Client({ name, version: "2.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  closers.push(() => client.close());
  return client;
}

/** A server of the official SDK without sessions. Clients send two notifications: `initialized` and `cancelled`. */
function statelessServer(onNotification: () => void = () => undefined): Promise<string> {
  return listen((request, response) => {
    response.on("finish", () => {
      if (response.statusCode === 202) onNotification();
    });
    const serve = async (): Promise<void> => {
      const transport = new StreamableHTTPServerTransport({});
      await createServer().connect(transport as never);
      await transport.handleRequest(request, response);
    };
    void serve();
  });
}

type Row = Record<string, unknown>;

async function recorded(running: Running, count: number): Promise<readonly Row[]> {
  const calls = async (): Promise<readonly Row[]> => {
    const { server } = running;
    await server.drain();
    const sessions = await server.store.sessions({});
    const details = await Promise.all(sessions.map((one) => server.store.sessionDetail("default", one.session_id)));
    return details.flatMap((one) => one?.calls ?? []) as unknown as readonly Row[];
  };
  await until("the calls are recorded", async () => (await calls()).length >= count);
  return await calls();
}

describe("an MCP server over HTTP at /mcp/NAME", () => {
  it.each([
    ["events", false],
    ["JSON", true],
  ])("answers as without Toolmend, and its calls are recorded: %s", async (_name, isJson) => {
    const url = await sdkServer(isJson);
    const running = await startProxy(url);
    const calls = async (client: Client): Promise<readonly unknown[]> => [
      await client.listTools(),
      await client.callTool({
        name: "echo",
        arguments: { text: "grüße" },
        _meta: { "claudecode/toolUseId": "toolu_1" },
      }),
      await client.callTool({ name: "fails", arguments: {}, _meta: { "claudecode/toolUseId": "toolu_2" } }),
    ];
    const bare = await calls(await connect(url));
    expect(await calls(await connect(`${running.url}/mcp/tools`))).toEqual(bare);
    const rows = await recorded(running, 2);
    expect(rows).toHaveLength(2);
    expect(rows.find(({ mcp_tool }) => mcp_tool === "fails")).toMatchObject({
      tool_name: "mcp__tools__fails",
      tool_call_id: "toolu_2",
      mcp_server: "tools",
      status: "failed",
      client: "claude-code",
      excerpt: "kaboom",
      source: "mcp",
    });
    expect(rows.find(({ mcp_tool }) => mcp_tool === "echo")).toMatchObject({ status: "ok" });
  });

  it("calls over HTTP are compared with the listed schemas", async () => {
    const running = await startProxy(await sdkServer(false));
    const client = await connect(`${running.url}/mcp/tools`);
    await client.listTools();
    await client.callTool({ name: "echo", arguments: { text: 5 } });
    expect(await recorded(running, 1)).toMatchObject([
      {
        status: "failed",
        repair: { result: "left", classes: ["text-as-number"], paths: ["$.text"], reason: "observe" },
      },
    ]);
  });

  it("calls over HTTP are repaired if that is switched on, but not those of tools that destroy data", async () => {
    const running = await startProxy(await sdkServer(false), { repairsMcpCalls: true });
    const client = await connect(`${running.url}/mcp/tools`);
    await client.listTools();
    // The exchange with the list is read after the client has it.
    await until("the list is known", () => listKnownServers(join(running.data, "mcp-servers")).length > 0);
    expect(await client.callTool({ name: "echo", arguments: { text: 5 } })).toEqual({
      content: [{ type: "text", text: "5" }],
    });
    expect(await client.callTool({ name: "drop", arguments: { text: 5 } })).toMatchObject({ isError: true });
    const rows = await recorded(running, 2);
    expect(rows.find(({ mcp_tool }) => mcp_tool === "echo")).toMatchObject({
      status: "ok",
      repair: { result: "repaired", classes: ["text-as-number"], before: '{"text":5}', after: '{"text":"5"}' },
    });
    expect(rows.find(({ mcp_tool }) => mcp_tool === "drop")).toMatchObject({
      status: "failed",
      repair: { result: "left", reason: "destructive" },
    });
  });

  it("stores no session id of the protocol, which is a credential", async () => {
    const running = await startProxy(await sdkServer(false));
    const client = await connect(`${running.url}/mcp/tools`);
    await client.callTool({ name: "fails", arguments: {} });
    await recorded(running, 1);
    const files = readdirSync(running.data, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    expect(texts.some((text) => text.includes("secret-"))).toBe(false);
  });

  it("records the calls of one connection in one session, and those of another connection in another", async () => {
    const running = await startProxy(await sdkServer(false));
    for (const _connection of [1, 2]) {
      const client = await connect(`${running.url}/mcp/tools`, "my-client");
      await client.callTool({ name: "echo", arguments: { text: "x" } });
      await client.callTool({ name: "fails", arguments: {} });
      await client.close();
    }
    const rows = await recorded(running, 4);
    expect(rows).toHaveLength(4);
    const sessions = await running.server.store.sessions({});
    expect(sessions.map(({ calls }) => calls)).toEqual([2, 2]);
    for (const { session_id } of sessions) expect(session_id).toMatch(/^mcp:my-client:[0-9a-f]{32}$/);
  });

  it.each(["before", "after"])(
    "joins calls that the client reports %s the server with the client's session",
    async (order) => {
      const running = await startProxy(await sdkServer(false));
      const client = await connect(`${running.url}/mcp/tools`);
      const report = async (id: string, tool: string): Promise<void> => {
        const line = { session_id: "session-1", tool_call_id: id, tool_name: `mcp__tools__${tool}`, arguments: {} };
        const body = JSON.stringify({ ...line, content: "kaboom", source: "transcript" });
        const headers = { "content-type": "application/x-ndjson" };
        expect((await fetch(`${running.url}/api/ingest`, { method: "POST", headers, body })).status).toBe(200);
        await running.server.drain();
      };
      const calls = [
        ["toolu_01HKq9ZbV5mQx8tYcN2sWdEf", "fails"],
        ["toolu_01Pw3LrT7uGz4jXk6yBv9aMnC", "fails"],
      ] as const;
      for (const [id, tool] of calls) {
        if (order === "before") await report(id, tool);
        await client.callTool({ name: tool, arguments: {}, _meta: { "claudecode/toolUseId": id } });
        if (order === "after") {
          // The observation of the exchange is stored first.
          await until("the call is recorded", async () => {
            await running.server.drain();
            return (await running.server.store.calls({})).calls.some(({ tool_call_id }) => tool_call_id === id);
          });
          await report(id, tool);
        }
      }
      await until("the calls are joined", async () => {
        await running.server.drain();
        return (
          (await running.server.store.calls({})).calls.filter((one) => one.source === "mcp+transcript").length === 2
        );
      });
      const { calls: rows } = await running.server.store.calls({});
      expect(rows.map(({ session_id, mcp_server, status }) => [session_id, mcp_server, status])).toEqual([
        ["session-1", "tools", "failed"],
        ["session-1", "tools", "failed"],
      ]);
      expect((await running.server.store.sessions({})).filter((one) => one.calls > 0)).toHaveLength(1);
    },
  );

  it("records each call in a session of its own if the server has no sessions", async () => {
    const running = await startProxy(await statelessServer());
    const client = await connect(`${running.url}/mcp/tools`);
    await client.callTool({ name: "echo", arguments: { text: "x" } });
    await client.callTool({ name: "fails", arguments: {} });
    await recorded(running, 2);
    expect((await running.server.store.sessions({})).map(({ calls }) => calls)).toEqual([1, 1]);
  });

  it("records a call as timed out if the client cancels it with that reason, while the request stays open", async () => {
    const running = await startProxy(await sdkServer(false));
    const client = await connect(`${running.url}/mcp/tools`);
    const calling = client.callTool({ name: "hangs", arguments: {} }, undefined, { timeout: 100 });
    await expect(calling).rejects.toThrow("Request timed out");
    const [row] = await recorded(running, 1);
    expect(row).toMatchObject({ status: "failed", category: "timeout", mcp_tool: "hangs" });
    await client.close();
    expect(await recorded(running, 1)).toHaveLength(1);
  });

  it("records a timeout of a server without sessions once the client closes the request", async () => {
    let notifications = 0;
    const url = await statelessServer(() => {
      notifications += 1;
    });
    const running = await startProxy(url);
    const client = await connect(`${running.url}/mcp/tools`);
    const calling = client.callTool({ name: "hangs", arguments: {} }, undefined, { timeout: 100 });
    await expect(calling).rejects.toThrow("Request timed out");
    await until("the call is cancelled", () => notifications === 2);
    await client.close();
    expect(await recorded(running, 1)).toMatchObject([{ category: "timeout", mcp_tool: "hangs" }]);
  });

  it("does not guess which call was cancelled if a server without sessions has two with the same id", async () => {
    let notifications = 0;
    const server = await statelessServer(() => {
      notifications += 1;
    });
    const running = await startProxy(server);
    const url = `${running.url}/mcp/tools`;
    const [first, second] = [await connect(url), await connect(url)];
    const hanging = second.callTool({ name: "hangs", arguments: { of: "second" } }).catch(() => undefined);
    const calling = first.callTool({ name: "hangs", arguments: {} }, undefined, { timeout: 300 });
    await expect(calling).rejects.toThrow("Request timed out");
    await until("the call is cancelled", () => notifications === 3);
    await first.close();
    await second.close();
    await hanging;
    expect((await recorded(running, 2)).map(({ category }) => category)).toEqual(["cancelled", "cancelled"]);
  });

  it("records a call as cancelled if the client closes the request, and closes the request to the server", async () => {
    let isClosed = false;
    const running = await startProxy(
      await listen((request, response) => {
        request.resume();
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": waiting\n\n");
        response.on("close", () => {
          isClosed = true;
        });
      }),
    );
    const abort = new AbortController();
    const response = await fetch(`${running.url}/mcp/tools`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hangs" } }),
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
    expect(await recorded(running, 1)).toMatchObject([{ status: "failed", category: "cancelled", mcp_tool: "hangs" }]);
    await until("the server notices", () => isClosed);
  });

  it("records a call as failed if the server returns an HTTP error", async () => {
    const running = await startProxy(
      await listen((request, response) => {
        request.resume();
        response.writeHead(503).end();
      }),
    );
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "any" } });
    const response = await fetch(`${running.url}/mcp/tools`, { method: "POST", body });
    expect(response.status).toBe(503);
    expect(await recorded(running, 1)).toMatchObject([{ status: "failed", mcp_tool: "any" }]);
  });

  it("responds with 404 to an unknown name", async () => {
    const running = await startProxy("http://127.0.0.1:9");
    expect((await fetch(`${running.url}/mcp/unknown`, { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("toolmend mcp wrap --http", () => {
  const wrap = (...args: readonly string[]): RawClient =>
    new RawClient([process.execPath, TOOLMEND, "mcp", "wrap", ...args]);

  it.each([
    ["events", false],
    ["JSON", true],
  ])("answers as the server does and records its calls without a running Toolmend: %s", async (_name, isJson) => {
    const url = await sdkServer(isJson);
    const data = temporaryFolder();
    closers.push(() => rmSync(data, { recursive: true, force: true }));
    const wrapper = wrap("--http", url, "--name", "tools", "--data", data);
    await wrapper.sees("http://");
    const address = /http:\S+/.exec(wrapper.stdout)?.[0] ?? "";
    const calls = async (client: Client): Promise<readonly unknown[]> => [
      await client.callTool({ name: "echo", arguments: { text: "grüße" } }),
      await client.callTool({ name: "fails", arguments: {} }),
    ];
    expect(await calls(await connect(address))).toEqual(await calls(await connect(url)));
    await until("the calls are recorded", () => spooledCalls(data).length === 2);
    expect(spooledCalls(data).map(({ header, tool, outcome }) => [header.server, tool, outcome])).toEqual([
      ["tools", "echo", { kind: "result", is_error: false, text: "grüße", size_bytes: 7 }],
      ["tools", "fails", { kind: "result", is_error: true, text: "kaboom", size_bytes: 6 }],
    ]);
    const connections = spooledCalls(data).map(({ header }) => header.connection);
    expect(new Set(connections)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]));
    expect(JSON.stringify(spooledCalls(data))).not.toContain("secret-");
    wrapper.process.kill("SIGTERM");
    expect(await wrapper.ended()).toMatchObject({ code: 0, stderr: "" });
  });

  it("records a call as timed out if the client cancels it with that reason", async () => {
    const data = temporaryFolder();
    closers.push(() => rmSync(data, { recursive: true, force: true }));
    const wrapper = wrap("--http", await sdkServer(false), "--name", "tools", "--data", data);
    await wrapper.sees("http://");
    const client = await connect(/http:\S+/.exec(wrapper.stdout)?.[0] ?? "");
    const calling = client.callTool({ name: "hangs", arguments: {} }, undefined, { timeout: 100 });
    await expect(calling).rejects.toThrow("Request timed out");
    await until(
      "the call is recorded",
      () => existsSync(join(data, "spool", "mcp")) && spooledCalls(data).length === 1,
    );
    expect(spooledCalls(data)[0]?.outcome).toEqual({
      kind: "cancelled",
      reason: "McpError: MCP error -32001: Request timed out",
    });
    wrapper.process.kill("SIGTERM");
    await wrapper.ended();
  });

  it("forwards whatever the server is called", async () => {
    const wrapper = wrap("--http", await sdkServer(true), "--name", "team/tools?x");
    await wrapper.sees("http://");
    const client = await connect(/http:\S+/.exec(wrapper.stdout)?.[0] ?? "");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
    wrapper.process.kill("SIGTERM");
    await wrapper.ended();
  });

  it("rejects requests from pages of other sites, and says why", async () => {
    const wrapper = wrap("--http", "http://127.0.0.1:9");
    await wrapper.sees("http://");
    const address = /http:\S+/.exec(wrapper.stdout)?.[0] ?? "";
    const response = await fetch(address, { method: "POST", headers: { origin: "http://evil.example" }, body: "{}" });
    expect([response.status, await response.text()]).toEqual([403, 'Origin "http://evil.example" is not allowed.\n']);
    wrapper.process.kill("SIGTERM");
    await wrapper.ended();
  });

  it.each([
    [["--http", "nonsense"], "--http must be the URL of a server, not nonsense."],
    [["--http", "http://127.0.0.1:9", "--port", "99999"], "--port must be 0 to 65535, not 99999."],
    [["--http", "http://127.0.0.1:9", "--", "node"], "--http takes no command."],
    [["--port", "1", "--", "node"], "--port needs --http."],
  ])("explains wrong arguments: %j", async (args, problem) => {
    expect(await wrap(...args).ended()).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  });
});
