import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connectLines } from "../../src/api/connect-lines.ts";
import type { ClientFolders, DrivenClient } from "./driven-client.ts";

/** Only a client that waits for a person or retries without end takes so long. */
const CLIENT_TIMEOUT_MS = 180_000;

export interface ClientRun {
  /** Null if it was killed because it took too long. */
  readonly code: number | null;
  readonly output: string;
  readonly seconds: number;
}

export interface ClientHome extends ClientFolders {
  remove(): void;
}

/** An empty home and an empty working folder. */
export function createHome(): ClientHome {
  const root = mkdtempSync(join(tmpdir(), "toolmend-client-"));
  const [home, work] = [join(root, "home"), join(root, "work")];
  for (const folder of [home, work]) mkdirSync(folder);
  return { home, work, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface RunOptions {
  readonly url: string;
  readonly folders: ClientFolders;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a client to its end, connected the way `toolmend run` does it. */
export function runClient(
  client: DrivenClient,
  program: string,
  args: readonly string[],
  { url, folders, environment }: RunOptions,
): Promise<ClientRun> {
  const line = connectLines(url).find(({ client: name }) => name === client.name);
  const startedAt = performance.now();
  // A process group of its own: clients start helpers, which must end with them.
  const child = spawn(program, [...(line?.arguments ?? []), ...args], {
    cwd: folders.work,
    env: {
      ...baseEnvironment(folders),
      ...Object.fromEntries(line?.environment ?? []),
      ...client.environment,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const killGroup = (): void => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  const timer = setTimeout(killGroup, CLIENT_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      killGroup();
      resolve({ code, output, seconds: (performance.now() - startedAt) / 1000 });
    });
  });
}

/** Nothing of the person who runs the tests: no keys, no settings, no proxy. */
function baseEnvironment({ home }: ClientFolders): Record<string, string> {
  const { PATH = "" } = process.env;
  return {
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME: home,
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    CI: "1",
    NO_PROXY: "*",
  };
}
