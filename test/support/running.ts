import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../src/cli/logger.ts";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { startServer, type ToolmendServer } from "../../src/cli/toolmend-server.ts";
import type { Script } from "./upstream/script.ts";
import { startUpstream, type Upstream, type UpstreamOptions } from "./upstream/start-upstream.ts";

export interface Running {
  readonly server: ToolmendServer;
  readonly url: string;
  readonly data: string;
  close(): Promise<void>;
}

/** Creates a folder in the system's temporary folder. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "toolmend-test-"));
}

/** Starts the real server on a free port in front of a URL; its data folder is deleted with it unless one is given. */
export async function startInFrontOf(url: string, options: Partial<ServerOptions> = {}): Promise<Running> {
  const data = options.data ?? temporaryFolder();
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    data,
    upstreams: upstreamsAt(url),
    capture: "errors",
    allowedHosts: [],
    logger: createLogger("silent"),
    ...options,
  });
  return {
    server,
    url: server.url,
    data,
    async close() {
      await server.close();
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Starts the scripted provider with the real server in front of it. */
export async function startBoth(
  script: Script,
  options: Partial<ServerOptions> = {},
  upstreamOptions: Partial<UpstreamOptions> = {},
): Promise<Running & { readonly upstream: Upstream }> {
  const upstream = await startUpstream({ ...upstreamOptions, script });
  const running = await startInFrontOf(upstream.url, options);
  return {
    ...running,
    upstream,
    async close() {
      await upstream.close();
      await running.close();
    },
  };
}

export function upstreamsAt(url: string): ServerOptions["upstreams"] {
  return new Map([
    ["anthropic", { name: "anthropic", url: new URL(url) }],
    ["openai", { name: "openai", url: new URL("/v1", url) }],
    ["gemini", { name: "gemini", url: new URL(url) }],
    ["ollama", { name: "ollama", url: new URL(url) }],
  ]);
}

export async function getJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}
