import { join } from "node:path";
import { codeOf, messageOf } from "../../core/model/errors.ts";
import { isOneOf } from "../../core/model/narrow.ts";
import type { Scope } from "../../hook/install/settings-paths.ts";
import { SettingsError } from "../../hook/install/settings-text.ts";
import { defaultDataPath } from "../../ingest/data-folder.ts";
import {
  applyChange,
  diffLines,
  type FileChange,
  planInstall,
  planUninstall,
  type ServerState,
  serversIn,
} from "../../mcp/install/change-file.ts";
import { type ClientFile, clientFiles, MCP_CLIENTS, type McpClient } from "../../mcp/install/client-files.ts";
import type { Wrapper } from "../../mcp/install/server-entry.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { packageRoot } from "../version.ts";

export interface McpFlags extends Flags {
  readonly scope?: Scope;
  readonly dryRun?: boolean;
  readonly repairCalls?: "observe" | "on";
  readonly json?: boolean;
}

export type McpAction = "install" | "uninstall" | "status";

/** Adds the wrapper to the MCP servers of clients, removes it, or shows which servers have it. */
export async function mcpCommand(
  action: McpAction,
  client: string | undefined,
  servers: readonly string[],
  flags: McpFlags,
  io: Io,
  folder: string = process.cwd(),
): Promise<number> {
  if (client !== undefined && !isOneOf(MCP_CLIENTS, client))
    throw new CliError(`Unknown client "${client}". Supported: ${MCP_CLIENTS.join(", ")}.`, { exitCode: 2 });
  const { data } = await readConfig(flags, io.environment);
  const clients: readonly McpClient[] = client === undefined ? MCP_CLIENTS : [client];
  const install = { environment: io.environment, folder };
  const files = clients.flatMap((one) => clientFiles(one, flags.scope ?? "user", install));
  if (action === "status") return showStatus(files, flags, io);
  const wrapper: Wrapper = {
    node: process.execPath,
    script: join(packageRoot, "bin", "toolmend.mjs"),
    ...(data !== defaultDataPath() && { data }),
    repairsCalls: flags.repairCalls === "on",
  };
  const chooses = (name: string): boolean => servers.length === 0 || servers.includes(name);
  const changes = files.flatMap((file) => {
    const change = orCliError(file.path, () =>
      action === "install" ? planInstall(file, wrapper, chooses) : planUninstall(file, chooses),
    );
    return change === undefined ? [] : [change];
  });
  checkNames(changes, servers);
  if (flags.dryRun !== true) for (const change of changes) orCliError(change.file.path, () => applyChange(change));
  if (flags.json === true) io.out(`${JSON.stringify(changes.map(changeJson), null, 2)}\n`);
  else {
    const texts = changes.map(
      (change) => (flags.dryRun === true ? diffText(change) : "") || changeText(action, change),
    );
    io.out(texts.join("") || "No configuration of MCP servers found.\n");
  }
  return 0;
}

function checkNames(changes: readonly FileChange[], servers: readonly string[]): void {
  const known = new Set(
    changes.flatMap(({ servers: all, removed = [] }) => [...all.map(({ name }) => name), ...removed]),
  );
  const missing = servers.filter((name) => !known.has(name));
  if (missing.length > 0)
    throw new CliError(`No server named ${missing.join(", ")} found. Run: ${commandLine("mcp status")}`);
}

function changeJson({ file, changed, removed, servers }: FileChange): object {
  return { client: file.client, file: file.path, changed, ...(removed !== undefined && { removed }), servers };
}

function changeText(action: McpAction, { file, changed, removed = [], servers }: FileChange): string {
  const lines: string[] = [];
  if (removed.length > 0) lines.push(`${file.path}: removed ${removed.join(", ")}. Restart the client.`);
  else if (changed.length === 0) lines.push(`${file.path}: nothing to change.`);
  if (changed.length > 0 && action === "install")
    lines.push(`${file.path}: wrapped ${changed.join(", ")}. Restart the client.`);
  else if (changed.length > 0) lines.push(`${file.path}: unwrapped ${changed.join(", ")}. Restart the client.`);
  for (const { name, reason } of servers) if (reason !== undefined) lines.push(`  ${name} is skipped: ${reason}.`);
  if (changed.length > 0 && (file.client === "vscode" || file.client === "cursor"))
    lines.push("  The client will ask whether you trust the changed servers.");
  return `${lines.join("\n")}\n`;
}

export function diffText(change: FileChange): string {
  const lines = diffLines(change);
  return lines.length === 0 ? "" : `--- ${change.file.path}\n+++ ${change.file.path}\n${lines.join("\n")}\n`;
}

function showStatus(files: readonly ClientFile[], flags: McpFlags, io: Io): number {
  const rows = files.flatMap((file) => {
    const servers = orCliError(file.path, () => serversIn(file));
    return servers === undefined ? [] : [{ client: file.client, file: file.path, servers }];
  });
  if (flags.json === true) io.out(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.every(({ servers }) => servers.length === 0)) io.out("No MCP servers found.\n");
  else
    for (const { client, file, servers } of rows.filter((row) => row.servers.length > 0))
      io.out(`${client}: ${file}\n${servers.map(serverText).join("")}`);
  return 0;
}

function serverText({ name, state, reason }: ServerState): string {
  const words = { wrapped: "through Toolmend", direct: "direct", skipped: `not supported: ${reason}` };
  return `  ${name}: ${words[state]}\n`;
}

/** Never rewrites a file that cannot be parsed; the user has to fix it. */
export function orCliError<T>(file: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof SettingsError) && codeOf(error) === undefined) throw error;
    throw new CliError(`Cannot use ${file}: ${messageOf(error)}.`, { cause: error });
  }
}
