import { rmSync } from "node:fs";
import { afterEach } from "vitest";
import { temporaryFolder } from "./running.ts";
import { type ServerProcess, spawnServer } from "./server-process.ts";

interface Closable {
  close(): Promise<void>;
}

export interface TestResources {
  /** Closed after the test, in reverse order. */
  open<T extends Closable>(starting: T | Promise<T>): Promise<T>;
  /** Starts a server in a separate process, killed after the test; its data folder is deleted with it. */
  spawn(upstreamUrl: string): Promise<ServerProcess & { readonly url: string; readonly data: string }>;
}

/** Collects what the tests of a file start, and closes it after each test. */
export function closeAfterEach(): TestResources {
  const resources: Closable[] = [];
  afterEach(async () => {
    for (const one of resources.splice(0).reverse()) await one.close();
  });
  return {
    async open(starting) {
      const one = await starting;
      resources.push(one);
      return one;
    },
    async spawn(upstreamUrl) {
      const data = temporaryFolder();
      const server = await spawnServer(data, upstreamUrl);
      resources.push({
        async close() {
          await server.kill("SIGKILL");
          rmSync(data, { recursive: true, force: true });
        },
      });
      return { ...server, url: `http://127.0.0.1:${server.port}`, data };
    },
  };
}
