/**
 * The whole product inside a program of yours: proxy, recorder, metrics and dashboard on one port.
 * @module
 */
import { type ConfigInput, checkSettings } from "../cli/config.ts";
import { requireEmbeddedStore } from "../cli/embedded-store.ts";

/** What `toolmend.config.json` may hold. */
export type ToolmendSettings = ConfigInput;

export interface RunningToolmend {
  /** `http://127.0.0.1:4100` */
  readonly url: string;
  readonly port: number;
  /** Waits until everything acknowledged is stored and written out. */
  drain(): Promise<void>;
  /** Lets running requests end, stores what was acknowledged, and gives the port and the data folder back. */
  close(): Promise<void>;
}

/**
 * Starts it with the settings of `toolmend.config.json`; that file, the environment and the command line are not looked at, except for
 * keys (`TOOLMEND_KEY_…`, `LANGFUSE_…`, `OTEL_…`), which come from the environment alone.
 *
 * @example
 * const toolmend = await startToolmend({ port: 0, data: "./records", upstreams: { vllm: "http://127.0.0.1:8000/v1" } });
 */
export async function startToolmend(
  settings: ToolmendSettings = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<RunningToolmend> {
  requireEmbeddedStore("toolmend/proxy");
  const { serverOptions } = await import("../cli/commands/start.ts");
  const { startServer } = await import("../cli/toolmend-server.ts");
  const { url, port, drain, close } = await startServer(serverOptions(checkSettings(settings), environment));
  return { url, port, drain, close };
}
