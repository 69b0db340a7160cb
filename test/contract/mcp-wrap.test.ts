import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { McpOutcome } from "../../src/mcp/event.ts";
import {
  RawClient,
  type ServerRun,
  serverCommand,
  spooledCalls,
  spooledLines,
  wrapped,
} from "../support/mcp/raw-client.ts";
import { until } from "../support/raw-http.ts";

let data: string;
let otherData: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "toolmend-mcp-"));
  otherData = mkdtempSync(join(tmpdir(), "toolmend-mcp-"));
});
afterEach(() => {
  for (const folder of [data, otherData]) rmSync(folder, { recursive: true, force: true });
});

/** A server in a wrapper that repairs calls. */
function repairingCommand(folder: string, ...args: readonly string[]): readonly string[] {
  return serverCommand(folder, ...args).flatMap((one) => (one === "--name" ? ["--repair-calls", "on", one] : [one]));
}

type Play = (client: RawClient) => Promise<ServerRun>;

/** Calls one tool, waits for its response, and closes the input. */
const oneCall =
  (name: string, args: object = {}): Play =>
  async (client) => {
    client.initialize();
    client.call(1, name, args);
    await client.sees('"id":1');
    return await client.close();
  };

/** Calls a tool during which the server ends. */
const lastCall =
  (name: string): Play =>
  async (client) => {
    client.initialize();
    client.call(1, name);
    return await client.ended();
  };

const answering =
  (tool: string, method: string): Play =>
  async (client) => {
    client.initialize();
    client.call(1, tool);
    await client.sees(method);
    client.send({ id: 0, result: { action: "accept" } });
    await client.sees('"id":1');
    return await client.close();
  };

type Expected = Partial<McpOutcome> | undefined;
const text = (value: string, is_error = false): Expected => ({
  kind: "result",
  is_error,
  text: value,
  size_bytes: Buffer.byteLength(value),
});

/** What the client does, and how the wrapper records the last call. */
type Case = readonly [name: string, play: Play, outcome: Expected, args?: readonly string[]];
const CASES: readonly Case[] = [
  ["a result", oneCall("echo", { text: "hi" }), text("hi")],
  ["a result with isError", oneCall("fails"), text("kaboom", true)],
  ["an error of JSON-RPC", oneCall("rpc_error"), { kind: "error", code: -32602, message: "Unknown tool: rpc_error" }],
  ["empty content", oneCall("empty"), text("")],
  ["2 MB in one line", oneCall("huge"), { kind: "result", is_error: false, size_bytes: 2_000_000 }],
  ["6 MB in one line", oneCall("huge_error"), { kind: "result", is_error: true }],
  ["characters outside ASCII", oneCall("unicode"), text("grüße 🙂 \u2028 \u0000")],
  [
    "unusual spacing and line ends",
    async (client) => {
      client.write('{"id":1,  "jsonrpc":"2.0","params":{"name":"odd_spacing"},"method":"tools\\/call"}\r\n');
      await client.sees('"content"');
      return await client.close();
    },
    text(""),
  ],
  ["noise on stdout and stderr", oneCall("noise"), text("ok")],
  ["progress notifications", oneCall("progress"), text("ok")],
  ["list_changed notifications", oneCall("list_changed"), text("ok")],
  [
    "an elicitation with the id of another request",
    answering("elicit", "elicitation/create"),
    text('{"action":"accept"}'),
  ],
  ["a sampling request", answering("sample", "sampling/createMessage"), text('{"action":"accept"}')],
  ["a server that exits with 7 during a call", lastCall("crash"), { kind: "gone", exit_code: 7 }],
  ["a server that is killed during a call", lastCall("killed"), { kind: "gone", signal: "SIGKILL" }],
  ["a server that ends within a line", lastCall("half_line"), { kind: "gone", exit_code: 3 }],
  [
    "a call that is cancelled",
    async (client) => {
      client.initialize();
      client.call(1, "hang");
      client.send({
        method: "notifications/cancelled",
        params: { requestId: 1, reason: "SdkError: Request timed out" },
      });
      client.call(2, "echo", { text: "next" });
      await client.sees('"id":2');
      return await client.close();
    },
    text("next"),
  ],
  [
    "a cancellation after the result",
    async (client) => {
      client.initialize();
      client.call(1, "echo", { text: "done" });
      await client.sees('"id":1');
      client.send({ method: "notifications/cancelled", params: { requestId: 1, reason: "AbortError" } });
      return await client.close();
    },
    text("done"),
  ],
  [
    "a call that is open when the client closes the input",
    async (client) => {
      client.initialize();
      client.call(1, "hang");
      client.call(2, "echo", { text: "x" });
      await client.sees('"id":2');
      return await client.close();
    },
    { kind: "cancelled", reason: "the client ended the server" },
  ],
  [
    "a SIGTERM, which the server handles",
    async (client) => {
      client.initialize();
      await client.sees("serverInfo");
      client.process.kill("SIGTERM");
      return await client.ended();
    },
    undefined,
  ],
  [
    "a SIGINT, which the server ignores, then SIGTERM",
    async (client) => {
      client.initialize();
      await client.sees("serverInfo");
      client.process.kill("SIGINT");
      await client.sees("SIGINT", "stderr");
      client.process.kill("SIGTERM");
      return await client.ended();
    },
    undefined,
    ["--ignore-interrupt"],
  ],
  [
    "a SIGINT, which the server does not handle",
    async (client) => {
      client.initialize();
      await client.sees("serverInfo");
      client.process.kill("SIGINT");
      return await client.ended();
    },
    undefined,
  ],
  [
    "a probe for the stateless protocol, then initialize",
    async (client) => {
      client.send({ id: "server-discover-probe-1", method: "server/discover", params: {} });
      await client.sees("-32601");
      return await oneCall("echo", { text: "legacy" })(client);
    },
    text("legacy"),
  ],
  [
    "the stateless protocol: a call that asks back",
    async (client) => {
      const _meta = { "io.modelcontextprotocol/clientInfo": { name: "modern", version: "2" } };
      client.call(1, "asks_back", { a: 1 }, { _meta });
      await client.sees("input_required");
      client.call(2, "asks_back", { a: 1 }, { _meta, requestState: "state-1", inputResponses: { who: "me" } });
      await client.sees('"complete"');
      return await client.close();
    },
    text("me"),
  ],
  [
    "a task",
    async (client) => {
      client.initialize();
      client.call(1, "task");
      await client.sees("taskId");
      client.send({ id: 2, method: "tasks/get", params: { taskId: "t1" } });
      await client.sees('"id":2');
      client.send({ id: 3, method: "tasks/result", params: { taskId: "t1" } });
      await client.sees('"id":3');
      return await client.close();
    },
    text("task done"),
  ],
  [
    "a batch of two calls with ids of different types",
    async (client) => {
      const call = (id: number | string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "empty" } });
      client.write(`${JSON.stringify([call(1), call("1")])}\n`);
      await client.sees('"id":"1"');
      return await client.close();
    },
    text(""),
  ],
];

describe("an MCP server, with and without the wrapper", () => {
  it.each(CASES.map(([name, ...rest]) => ({ name, rest })))("behaves the same: $name", async ({ rest }) => {
    const [play, outcome, args = []] = rest;
    const bare = await play(new RawClient(serverCommand(undefined, ...args)));
    const through = await play(new RawClient(serverCommand(data, ...args)));
    expect(through).toEqual(bare);
    const repairing = await play(new RawClient(repairingCommand(otherData, ...args)));
    expect(repairing).toEqual(bare);
    const last = spooledCalls(data).find(({ outcome: one }) => outcome !== undefined && one.kind === outcome.kind);
    if (outcome === undefined) expect(spooledCalls(data)).toEqual([]);
    else expect({ ...last?.outcome }).toMatchObject(outcome);
  });

  it("fails like a missing command if the server cannot be started", async () => {
    const run = await new RawClient(wrapped(data, ["/does/not/exist"])).ended();
    expect(run).toMatchObject({ code: 127, stdout: "" });
    expect(run.stderr).toContain("cannot start /does/not/exist");
  });
});

describe("the end of other processes", () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const serverPid = async (client: RawClient): Promise<number> => {
    await client.sees("pid ", "stderr");
    return Number(/pid (\d+)/.exec(client.stderr)?.[1]);
  };

  it("a server that ignores the end of its input is ended if the client was killed", async () => {
    const [program, ...args] = serverCommand(data, "--print-pid", "--ignore-end");
    const options = { stdio: ["pipe", "inherit", "inherit"] };
    const parameters = [program, args, options].map((one) => JSON.stringify(one)).join(", ");
    const client = new RawClient([process.execPath, "-e", `require("node:child_process").spawn(${parameters})`]);
    const pid = await serverPid(client);
    client.process.kill("SIGKILL");
    await until("the server ended", () => !isRunning(pid));
    // The wrapper holds the client's output, so this waits for the wrapper too.
    await client.ended();
  });

  it("the server's input is closed if the wrapper was killed", async () => {
    const client = new RawClient(serverCommand(data, "--print-pid"));
    const pid = await serverPid(client);
    client.process.kill("SIGKILL");
    await until("the server ended", () => !isRunning(pid));
  });

  it("calls of ten wrappers that write to one folder at the same time are kept apart", async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => oneCall("echo", { text: "x" })(new RawClient(serverCommand(data)))),
    );
    expect(new Set(spooledCalls(data).map(({ id }) => id)).size).toBe(10);
  });
});

describe("what the wrapper records", () => {
  it("the record includes server, client, session and the id of the model's call", async () => {
    const client = new RawClient(serverCommand(data), { CLAUDE_CODE_SESSION_ID: "session-1", SECRET: "s3cr3t-value" });
    client.initialize("claude-code");
    client.call(1, "add", { a: 1, b: 2 }, { _meta: { "claudecode/toolUseId": "toolu_01" } });
    await client.sees('"id":1');
    await client.close();
    const [call] = spooledCalls(data);
    expect(call?.header).toEqual({
      kind: "header",
      v: 1,
      instance: expect.any(String),
      server: "bad",
      session_id: "session-1",
      client: { name: "claude-code", version: "9.9" },
      server_info: { name: "misbehaving", version: "1.2.3" },
    });
    expect(call?.request).toMatchObject({
      params: { name: "add", arguments: { a: 1, b: 2 }, _meta: { "claudecode/toolUseId": "toolu_01" } },
    });
    expect(JSON.stringify(spooledLines(data))).not.toContain("s3cr3t-value");
  });

  it("counts a call that asks back once, with both rounds", async () => {
    const client = new RawClient(serverCommand(data));
    client.call(1, "asks_back");
    await client.sees("input_required");
    client.call(2, "asks_back", {}, { requestState: "state-1", inputResponses: { who: "me" } });
    await client.sees('"complete"');
    await client.close();
    expect(spooledCalls(data)).toMatchObject([{ tool: "asks_back", rounds: 2 }]);
  });

  it("counts lines on stdout that are not messages", async () => {
    await oneCall("noise")(new RawClient(serverCommand(data)));
    expect(spooledLines(data).filter(({ kind }) => kind === "server")).toMatchObject([{ noise_lines: 1 }]);
  });

  it("records every call once if many are open at the same time", async () => {
    const client = new RawClient(serverCommand(data));
    client.initialize();
    for (let id = 1; id <= 500; id += 1) client.call(id, "echo", { text: `t${id}` });
    await client.sees('"id":500');
    await client.close();
    const calls = spooledCalls(data);
    expect(calls.length).toBe(500);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(500);
  });

  it("passes traffic if nothing can be recorded", async () => {
    const client = new RawClient(serverCommand("/dev/null"));
    const { stdout, code } = await oneCall("echo", { text: "still works" })(client);
    expect(code).toBe(0);
    expect(stdout).toContain("still works");
  });
});

describe("a wrapper that repairs calls", () => {
  const addText = async (command: readonly string[]): Promise<ServerRun> => {
    const client = new RawClient(command);
    client.initialize();
    client.send({ id: 9, method: "tools/list", params: {} });
    await client.sees('"id":9');
    client.call(1, "add", { a: "1", b: 2 });
    await client.sees('"id":1');
    return await client.close();
  };

  it("makes a call work that the server rejects without it, and records what the client sent", async () => {
    expect((await addText(serverCommand(data))).stdout).toContain("Input validation error");
    expect((await addText(repairingCommand(otherData))).stdout).toContain('{"content":[{"type":"text","text":"3"}]}');
    expect(spooledCalls(otherData)).toMatchObject([
      { repaired: true, request: { params: { arguments: { a: "1", b: 2 } } } },
    ]);
  });

  it("rejects another mode before it starts the server", async () => {
    const command = repairingCommand(data).map((one) => (one === "on" ? "always" : one));
    expect(await new RawClient(command).ended()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--repair-calls must be observe or on, not always."),
    });
  });
});
