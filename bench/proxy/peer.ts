// A third-party gateway in its own process: its program runs here, so that its cost is measured like that of the
// others.

import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { serveRequests } from "../frame/child.ts";
import { PEERS, type PeerName } from "./peers.ts";

export interface PeerParameters {
  readonly name: PeerName;
  /** Folder with its installed package. It is also its home folder. */
  readonly folder: string;
  readonly upstream: string;
}

let port = 0;

async function start({ name, folder, upstream }: PeerParameters): Promise<null> {
  const { package: packageName, program, args, config } = PEERS[name];
  port = await freePort();
  process.env.HOME = folder;
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args(port));
  if (config !== undefined) {
    const file = join(folder, config.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(config.content(port, upstream)));
  }
  await import(pathToFileURL(join(folder, "node_modules", packageName, program)).href);
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
