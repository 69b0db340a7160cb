import { hash as cryptoHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Hasher } from "../../core/model/call-key.ts";
import { dataFolder, defaultDataPath, hasSalt, readOrCreateSalt } from "../../ingest/data-folder.ts";
import { applyChange, planOwnServer } from "../../mcp/install/change-file.ts";
import { OWN_SERVER, ownServerFile } from "../../mcp/install/client-files.ts";
import { createServer } from "../../mcp/serve/create-server.ts";
import type { StoreReader } from "../../store/port.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { packageRoot, version } from "../version.ts";
import { diffText, orCliError } from "./mcp.ts";

export interface McpServeFlags extends Flags {
  readonly install?: "claude-code";
  readonly dryRun?: boolean;
  readonly project?: string;
}

/** Serves what was recorded to agents, as an MCP server over stdio. Ends with its input. */
export async function mcpServeCommand(flags: McpServeFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  if (flags.install !== undefined) return install(flags.install, config.data, flags.dryRun === true, io);
  if (flags.dryRun === true) throw new CliError("--dry-run needs --install.", { exitCode: 2 });
  const folder = dataFolder(config.data);
  let reader: Promise<StoreReader> | undefined;
  const open = (): Promise<StoreReader> => {
    reader ??= openReader(config, io).catch((error: unknown) => {
      reader = undefined;
      throw error;
    });
    return reader;
  };
  const salted = (): Hasher | undefined => {
    if (config.store !== undefined || !hasSalt(folder)) return undefined;
    const salt = readOrCreateSalt(folder);
    return (text) => cryptoHash("sha256", salt + text, "hex");
  };
  const server = createServer({
    version,
    project: flags.project ?? "default",
    session: io.environment.CLAUDE_CODE_SESSION_ID ?? io.environment.QWEN_CODE_SESSION_ID,
    reader: open,
    hash: salted,
    now: io.now,
  });
  const ended = once(process.stdin, "end");
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  await (await reader?.catch(() => undefined))?.close();
  return 0;
}

/** Adds this server to the client's own configuration. */
function install(client: "claude-code", data: string, isDryRun: boolean, io: Io): number {
  const file = ownServerFile(client, { environment: io.environment, folder: process.cwd() });
  const script = join(packageRoot, "bin", "toolmend.mjs");
  const args = [script, "mcp", "serve", ...(data === defaultDataPath() ? [] : ["--data", data])];
  const change = orCliError(file.path, () => planOwnServer(file, { type: "stdio", command: process.execPath, args }));
  if (change.changed.length === 0) {
    io.out(`${file.path} has a server named ${OWN_SERVER} already.\n`);
    return 0;
  }
  if (isDryRun) {
    io.out(diffText(change));
    return 0;
  }
  orCliError(file.path, () => applyChange(change));
  const undo = commandLine(`mcp uninstall ${client} ${OWN_SERVER}`);
  io.out(`Added the server ${OWN_SERVER} to ${file.path}. Restart the client. Undo with: ${undo}\n`);
  return 0;
}
