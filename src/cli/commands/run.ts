import { spawn } from "node:child_process";
import { basename } from "node:path";
import { connectLines } from "../../api/connect-lines.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl, withToken } from "../server-url.ts";

/** Runs a client with the environment that points it at Toolmend. Returns the client's exit code. */
export async function runCommand(command: readonly string[], flags: Flags, io: Io): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined)
    throw new CliError(`Give the command to run, for example: ${commandLine("run -- claude")}`);
  const config = readConfig(flags, io.environment);
  const url = serverUrl(config);
  const up = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!up)
    throw new CliError(
      `Toolmend is not running at ${url}. Start it with \`${commandLine("start")}\` in another terminal.`,
    );
  const { environment, more } = settingsFor(program, withToken(url, config.token));
  const child = spawn(program, [...more, ...args], { stdio: "inherit", env: { ...io.environment, ...environment } });
  return await new Promise((resolve, reject) => {
    child.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      reject(new CliError(code === "ENOENT" ? `Program "${program}" not found.` : message)),
    );
    child.once("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}

/** Settings of a known client; otherwise the variables of all APIs. */
function settingsFor(
  program: string,
  url: string,
): { readonly environment: Record<string, string>; readonly more: readonly string[] } {
  const lines = connectLines(url);
  const known = lines.filter(({ command }) => command === basename(program));
  return {
    environment: Object.fromEntries((known.length > 0 ? known : lines).flatMap(({ environment }) => environment)),
    more: known.flatMap(({ arguments: more = [] }) => more),
  };
}
