import { hash as cryptoHash } from "node:crypto";
import { once } from "node:events";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Hasher } from "../../core/model/call-key.ts";
import { dataFolder, hasSalt, readOrCreateSalt } from "../../ingest/data-folder.ts";
import { createServer } from "../../mcp/serve/create-server.ts";
import type { StoreReader } from "../../store/port.ts";
import { type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { version } from "../version.ts";

export interface McpServeFlags extends Flags {
  readonly project?: string;
}

/** Serves what was recorded to agents, as an MCP server over stdio. Ends with its input. */
export async function mcpServeCommand(flags: McpServeFlags, io: Io): Promise<number> {
  const config = readConfig(flags, io.environment);
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
