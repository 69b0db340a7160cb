// A third-party gateway in its own process: its program runs here, so that its cost is measured like that of the
// others.

import type { AddressInfo } from "node:net";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { serveRequests } from "../frame/child.ts";

let port = 0;

async function start({ program }: { readonly program: string }): Promise<null> {
  port = await freePort();
  process.argv.push(`--port=${port}`, "--headless");
  await import(pathToFileURL(program).href);
  await untilListening();
  return null;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const free = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(free));
    });
  });
}

async function untilListening(): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50)) if (await isReady()) return;
  throw new Error("the gateway did not start listening");
}

function isReady(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.end(() => resolve(true)));
    socket.on("error", () => resolve(false));
  });
}

serveRequests({ start, url: () => `http://127.0.0.1:${port}`, drain: () => null }, async () => undefined);
