import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../src/cli/logger.ts";
import { startServer, type ToolmendServer } from "../../src/cli/toolmend-server.ts";

/** The real server with an empty data folder, both APIs at one upstream. */
export interface TestServer {
  readonly toolmend: ToolmendServer;
  readonly url: string;
  close(): Promise<void>;
}

export async function startTestServer(upstreamUrl: string): Promise<TestServer> {
  const data = mkdtempSync(join(tmpdir(), "toolmend-data-"));
  const toolmend = await startServer({
    host: "127.0.0.1",
    port: 0,
    data,
    upstreams: new Map([
      ["anthropic", { name: "anthropic", url: new URL(upstreamUrl) }],
      ["openai", { name: "openai", url: new URL(`${upstreamUrl}/v1`) }],
    ]),
    capture: "errors",
    allowedHosts: [],
    logger: createLogger("silent"),
  });
  return {
    toolmend,
    url: toolmend.url,
    async close() {
      await toolmend.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
