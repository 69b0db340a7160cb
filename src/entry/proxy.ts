/**
 * Runs Toolmend inside your program: proxy, recorder, metrics and dashboard on one port.
 * @module
 */
import { checkSettings } from "../cli/config.ts";
import { expandShorthands, type SettingsInput } from "../cli/config-shorthands.ts";

/** The settings of `toolmend.config.json`, with its shorthands. */
export type ToolmendSettings = SettingsInput;

export interface RunningToolmend {
  /** `http://127.0.0.1:4100` */
  readonly url: string;
  readonly port: number;
  /** Waits until everything acknowledged is stored and written to the event files. */
  drain(): Promise<void>;
  /** Waits for open requests, stores everything acknowledged, and releases the port and the data folder. */
  close(): Promise<void>;
}

/**
 * Starts a server. The settings are those of `toolmend.config.json`, but that file, the environment and the command
 * line are not read. Only keys (`TOOLMEND_KEY_…`, `LANGFUSE_…`, `OTEL_…`) come from the environment.
 *
 * @example
 * const toolmend = await startToolmend({ port: 0, data: "./records", upstreams: { vllm: "http://127.0.0.1:8000/v1" } });
 */
export async function startToolmend(
  settings: ToolmendSettings = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<RunningToolmend> {
  const { serverOptions } = await import("../cli/commands/start.ts");
  const { startServer } = await import("../cli/toolmend-server.ts");
  const config = await checkSettings(expandShorthands({ ...settings }));
  const { url, port, drain, close } = await startServer(serverOptions(config, environment));
  return { url, port, drain, close };
}
