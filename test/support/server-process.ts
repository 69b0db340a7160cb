import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/toolmend.mjs", import.meta.url));

export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** Its exit code; null when it was killed by a signal. */
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `toolmend start` as a separate process; resolves once it reports that it is ready. */
export async function spawnServer(
  data: string,
  upstreamUrl: string,
  port = 0,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return await spawnServerFrom(BIN, data, upstreamUrl, port, environment);
}

export async function spawnServerFrom(
  bin: string,
  data: string,
  upstreamUrl: string,
  port = 0,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [bin, "start", "--port", String(port), "--data", data, "--anthropic", upstreamUrl, "--openai", `${upstreamUrl}/v1`],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } },
  );
  const closed = once(child, "close");
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const listening = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const found = /Dashboard\s+http:\/\/127\.0\.0\.1:(\d+)\//.exec(out);
      if (found !== null) resolve(Number(found[1]));
    });
    void closed.then(() => reject(new Error(`the server exited early: ${err}`)));
  });
  return {
    port: await listening,
    pid: child.pid as number,
    exited: closed.then(([code]) => code as number | null),
    async kill(signal) {
      child.kill(signal);
      await closed;
    },
  };
}
