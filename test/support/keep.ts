import { rmSync } from "node:fs";
import { afterEach } from "vitest";
import { temporaryFolder } from "./running.ts";
import { type ServerProcess, spawnServer } from "./server-process.ts";

interface Closable {
  close(): Promise<void>;
}

export interface Kept {
  /** Closed after the test, the last one first. */
  open<T extends Closable>(starting: T | Promise<T>): Promise<T>;
  /** A server as a process of its own, killed after the test; its data folder goes with it. */
  spawn(upstreamUrl: string): Promise<ServerProcess & { readonly url: string; readonly data: string }>;
}

/** What the tests of a file start and need not end themselves. */
export function keepForTest(): Kept {
  const started: Closable[] = [];
  afterEach(async () => {
    for (const one of started.splice(0).reverse()) await one.close();
  });
  return {
    async open(starting) {
      const one = await starting;
      started.push(one);
      return one;
    },
    async spawn(upstreamUrl) {
      const data = temporaryFolder();
      const server = await spawnServer(data, upstreamUrl);
      started.push({
        async close() {
          await server.kill("SIGKILL");
          rmSync(data, { recursive: true, force: true });
        },
      });
      return { ...server, url: `http://127.0.0.1:${server.port}`, data };
    },
  };
}
