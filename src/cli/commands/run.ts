import { spawn } from "node:child_process";
import { basename } from "node:path";
import { connectLines } from "../../api/connect-lines.ts";
import { isObject, parseJson } from "../../core/wire/json.ts";
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
  const config = await readConfig(flags, io.environment);
  const url = serverUrl(config);
  const up = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!up)
    throw new CliError(
      `Toolmend is not running at ${url}. Start it with \`${commandLine("start", flags)}\` in another terminal.`,
    );
  const { environment, more, setup } = settingsFor(program, withToken(url, config.token), io.environment);
  if (setup !== undefined)
    io.err(`${basename(program)} reads its base URL from a file only. \`${commandLine(`env ${setup}`)}\` shows how.\n`);
  const child = spawn(program, [...more, ...args], { stdio: "inherit", env: { ...io.environment, ...environment } });
  return await new Promise((resolve, reject) => {
    child.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      reject(new CliError(code === "ENOENT" ? `Program "${program}" not found.` : message)),
    );
    child.once("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}

interface RunSettings {
  readonly environment: Record<string, string>;
  readonly more: readonly string[];
  /** Name of the client, if its base URL cannot be set. */
  readonly setup: string | undefined;
}

/** Settings of a known client; otherwise the variables of all APIs. */
function settingsFor(program: string, url: string, given: NodeJS.ProcessEnv): RunSettings {
  const lines = connectLines(url);
  const known = lines.filter(({ command }) => command === basename(program));
  // Copilot's variables do more than set an address: they also replace its login.
  const chosen = known.length > 0 ? known : lines.filter(({ client }) => client !== "copilot");
  const environment = Object.fromEntries(chosen.flatMap(({ environment }) => environment));
  const { OPENCODE_CONFIG_CONTENT: opencode } = environment;
  return {
    environment: {
      ...environment,
      ...(opencode !== undefined && {
        OPENCODE_CONFIG_CONTENT: mergedConfig(given.OPENCODE_CONFIG_CONTENT, opencode),
      }),
    },
    more: known.flatMap(({ arguments: more = [] }) => more),
    setup: known.find(({ setup }) => setup !== undefined)?.client,
  };
}

/** opencode reads one variable with all settings; the user's own settings in it are kept. */
function mergedConfig(given: string | undefined, ours: string): string {
  const theirs = given === undefined ? undefined : parseJson(given);
  return isObject(theirs) ? JSON.stringify(merge(theirs, parseJson(ours))) : ours;
}

/** Settings have few levels, and both sides are written by people. */
function merge(theirs: unknown, ours: unknown): unknown {
  if (!isObject(theirs) || !isObject(ours)) return ours;
  const merged = Object.entries(ours).map(([name, value]) => [name, merge(theirs[name], value)]);
  return { ...theirs, ...Object.fromEntries(merged) };
}
