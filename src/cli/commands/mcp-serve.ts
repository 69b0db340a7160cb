import { hash as cryptoHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Hasher } from "../../core/model/call-key.ts";
import { realPath, replaceFile } from "../../hook/install/settings-file.ts";
import { dataFolder, defaultDataPath, hasSalt, readOrCreateSalt } from "../../ingest/data-folder.ts";
import { clientFiles } from "../../mcp/install/client-files.ts";
import { addJsonServer } from "../../mcp/install/json-servers.ts";
import { createServer } from "../../mcp/serve/create-server.ts";
import type { StoreReader } from "../../store/port.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { packageRoot, version } from "../version.ts";

export interface McpServeFlags extends Flags {
  readonly install?: "claude-code";
  readonly project?: string;
}

/** Serves what was recorded to agents, as an MCP server over stdio. Ends with its input. */
export async function mcpServeCommand(flags: McpServeFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  if (flags.install !== undefined) return install(flags.install, config.data, io);
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
function install(client: "claude-code", data: string, io: Io): number {
  const [file] = clientFiles(client, "user", { environment: io.environment, folder: process.cwd() });
  const path = realPath(file?.path ?? "");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const script = join(packageRoot, "bin", "toolmend.mjs");
  const args = [script, "mcp", "serve", ...(data === defaultDataPath() ? [] : ["--data", data])];
  const next = addJsonServer(text, "mcpServers", "toolmend", { type: "stdio", command: process.execPath, args });
  if (next === undefined) throw new CliError(`Cannot use ${path}: it is not valid JSON. Nothing was changed.`);
  if (next === text) {
    io.out(`${path} has a server named toolmend already.\n`);
    return 0;
  }
  replaceFile(path, next, path);
  io.out(`Added the server toolmend to ${path}. Restart the client. Undo with: claude mcp remove -s user toolmend\n`);
  return 0;
}
