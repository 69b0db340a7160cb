import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { present } from "../../src/core/model/narrow.ts";
import type { McpClient } from "../../src/mcp/install/client-files.ts";
import { MISBEHAVING_SERVER } from "../support/mcp/raw-client.ts";
import { until } from "../support/raw-http.ts";
import { runCommand } from "../support/run-command.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { CLIENTS } from "./clients.ts";
import { type DrivenRun, drive } from "./drive.ts";
import { createHome } from "./run-client.ts";
import { LAST_WORDS, modelOf } from "./scripted-model.ts";

const resources = closeAfterEach();

/** A client's configuration of one MCP server, and the names under which its model calls the server's tools. */
interface McpSetup {
  readonly client: string;
  readonly installer: McpClient;
  readonly file: string;
  /** The file with the server, from what the client's set-up has written. */
  readonly write: (before: string) => string;
  readonly tool: (name: string) => string;
  /** It checks arguments itself, so that wrong ones never reach the server. */
  readonly isStrict?: boolean;
}

const COMMAND = { command: process.execPath, args: [MISBEHAVING_SERVER] };

const inJson =
  (key: string, entry: object) =>
  (before: string): string =>
    `${JSON.stringify({ ...(JSON.parse(before || "{}") as object), [key]: { bad: entry } }, null, 2)}\n`;

const SETUPS: readonly McpSetup[] = [
  {
    client: "claude-code",
    installer: "claude-code",
    file: ".claude.json",
    write: inJson("mcpServers", COMMAND),
    tool: (name) => `mcp__bad__${name}`,
  },
  {
    client: "opencode",
    installer: "opencode",
    file: ".config/opencode/opencode.json",
    write: inJson("mcp", { type: "local", command: [process.execPath, MISBEHAVING_SERVER] }),
    tool: (name) => `bad_${name}`,
  },
  {
    client: "codex",
    installer: "codex",
    file: ".codex/config.toml",
    write: (before) =>
      `${before}\n[mcp_servers.bad]\ncommand = ${JSON.stringify(COMMAND.command)}\nargs = ${JSON.stringify(COMMAND.args)}\n`,
    tool: (name) => `mcp__bad.${name}`,
  },
  // Not Qwen Code: it does not connect to this server, with or without the wrapper.
  {
    client: "gemini-cli",
    installer: "gemini",
    file: ".gemini/settings.json",
    write: inJson("mcpServers", COMMAND),
    isStrict: true,
    tool: (name) => `mcp_bad_${name}`,
  },
];

/** The calls of all sessions that are listed, in their order. */
async function recordedCalls({ server: { drain, store } }: DrivenRun) {
  await drain();
  const sessions = await store.sessions({});
  const details = await Promise.all(sessions.map((one) => store.sessionDetail("default", one.session_id)));
  return details.flatMap((one) => one?.calls ?? []).toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

describe.each(SETUPS)(
  "$client with an MCP server in the wrapper",
  ({ client: name, installer, file, write, tool, isStrict = false }) => {
    it("the client has its calls recorded once, with the flag of the server and the session of the client", async () => {
      const client = present(CLIENTS.find((one) => one.name === name));
      const home = createHome();
      const path = join(home.home, file);
      const calls = [
        { tool: tool("echo"), arguments: { text: "hello from the server" } },
        // The server returns this as `isError`; opencode drops that flag on the way to the model.
        { tool: tool("add"), arguments: { a: "x", b: 2 } },
      ];
      const driven = await resources.open(drive(client, modelOf(calls), {}, home));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, write(existsSync(path) ? readFileSync(path, "utf8") : ""));
      const io = { environment: { HOME: home.home }, now: Date.now };
      const installed = await runCommand(["mcp", "install", installer, "--data", driven.data], io);
      expect(installed.out).toContain("wrapped bad");
      const { code, output } = await driven.run();
      expect([code, output]).toEqual([0, expect.stringContaining(LAST_WORDS)]);
      const isRead = async (): Promise<boolean> =>
        (await recordedCalls(driven)).filter(({ mcp_server }) => mcp_server === "bad").length >= (isStrict ? 1 : 2);
      await until("the wrapper's files are read", isRead, 20_000);
      const stored = await recordedCalls(driven);
      expect(
        stored.map(({ tool_name, mcp_tool, status, category }) => [tool_name, mcp_tool, status, category]),
      ).toEqual([
        [tool("echo"), "echo", "ok", null],
        [tool("add"), isStrict ? null : "add", "failed", "invalid_arguments"],
      ]);
      await runCommand(["mcp", "uninstall", installer, "--data", driven.data], io);
      expect(readFileSync(path, "utf8")).toContain(MISBEHAVING_SERVER);
      expect(readFileSync(path, "utf8")).not.toContain("toolmend.mjs");
    });
  },
);
