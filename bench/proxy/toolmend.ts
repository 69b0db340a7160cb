// The real server, in its own process.
import { createLogger } from "../../src/cli/logger.ts";
import { collectGarbageOfStart, raiseHeapGrowthLimit } from "../../src/cli/server/tune-gc.ts";
import { startServer, type ToolmendServer } from "../../src/cli/toolmend-server.ts";
import { serveRequests } from "../frame/child.ts";
import { loopDelayHandlers } from "./loop-delay.ts";
import { memoryHandlers } from "./memory-handlers.ts";

// As `toolmend start` does.
raiseHeapGrowthLimit();
let server: ToolmendServer | undefined;

interface Parameters {
  readonly upstream: string;
  readonly data: string;
  readonly storeUrl?: string;
}

async function start({ upstream, data, storeUrl }: Parameters): Promise<void> {
  const named = (name: string, url: string) => [name, { name, url: new URL(url) }] as const;
  server = await startServer({
    host: "127.0.0.1",
    port: 0,
    data,
    ...(storeUrl !== undefined && { storeUrl }),
    upstreams: new Map([named("anthropic", upstream), named("openai", `${upstream}/v1`)]),
    capture: "errors",
    allowedHosts: [],
    logger: createLogger("warn"),
  });
  collectGarbageOfStart();
}

serveRequests(
  { start, url: () => server?.url, drain: () => server?.drain(), ...loopDelayHandlers(), ...memoryHandlers() },
  async () => await server?.close(),
);
