import { once } from "node:events";
import { connectLines, oneLine } from "../../api/connect-lines.ts";
import type { RepairOverride } from "../../core/repair/index.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { agentFolders } from "../../ingest/import/find-transcripts.ts";
import type { MachineImport } from "../../ingest/import/machine-import.ts";
import { isLoopback } from "../../proxy/access-control.ts";
import { ownUpstreams } from "../../proxy/upstreams.ts";
import { commandLine, type StorePlace } from "../command-line.ts";
import {
  type Config,
  type Flags,
  readConfig,
  repairOf,
  secondChanceOf,
  spanMs,
  thresholdsOf,
  upstreamsOf,
} from "../config.ts";
import { CliError } from "../errors.ts";
import { readExportConfig } from "../export-config.ts";
import { createColors, pluralize } from "../format.ts";
import type { Io } from "../io.ts";
import { type KeyListenerOptions, listenForKeys } from "../key-input.ts";
import { formatLogLine } from "../log-line.ts";
import { createLogger, type Logger } from "../logger.ts";
import { ProgressBar } from "../progress-bar.ts";
import { readRuntimeSettings } from "../runtime-settings.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { parseStateKey, STATE_KEY_VARIABLE } from "../server/state-key.ts";
import { collectGarbageOfStart, raiseHeapGrowthLimit } from "../server/tune-gc.ts";
import { TOKEN_WORD, tokenText, withToken } from "../server-url.ts";
import { startServer, type ToolmendServer } from "../toolmend-server.ts";
import { version } from "../version.ts";
import { formatOverride } from "./repair.ts";

/** Runs the server until it receives SIGINT or SIGTERM. */
export async function startCommand(flags: Flags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  raiseHeapGrowthLimit();
  const server = await startServer({
    ...serverOptions(config, io.environment),
    ...(io.errIsTerminal === true && { logger: terminalLogger(config.logLevel, io) }),
  });
  // From here on there is data to save, so a signal no longer ends the process directly.
  const stopped = stopSignal();
  const { data } = config;
  const { llm, mcp } = ownUpstreams(upstreamsOf(config, io.environment).values());
  io.out(
    greeting({
      url: server.url,
      data,
      token: tokenText(config, io.environment),
      upstreams: llm,
      mcpServers: mcp,
      overrides: readRuntimeSettings(dataFolder(data)).repair,
    }),
  );
  collectGarbageOfStart();
  const stopOffer = await Promise.race([offerImport(server, io, flags).catch(() => undefined), stopped]);
  await stopped;
  stopOffer?.();
  io.err("Finishing open requests and saving. Press Ctrl-C again to quit immediately.\n");
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  await server.close();
  return 0;
}

/**
 * Shows a new user the transcripts on this machine, and imports them when the user presses i. Returns a function that
 * stops listening; undefined without an offer.
 */
export async function offerImport(
  { store, machineImport, url }: Pick<ToolmendServer, "store" | "machineImport" | "url">,
  io: Io,
  flags: StorePlace = {},
  terminal: Omit<KeyListenerOptions, "onKey"> = {},
): Promise<(() => void) | undefined> {
  if (machineImport === undefined) return undefined;
  const { calls, pending } = await store.summary({});
  if (calls + pending > 0) return undefined;
  const { files } = await machineImport.find();
  if (files.length === 0) return undefined;
  const found = `Found ${pluralize(files.length, "transcript")} of coding agents on this machine.`;
  const command = commandLine("import", flags);
  if (io.keys === undefined) {
    io.out(`${found} Store them with: ${command}\n`);
    return undefined;
  }
  io.out(`${found} Press i to import them, or run: ${command}\n`);
  const stop = listenForKeys(io.keys, {
    ...terminal,
    onKey(key) {
      if (key.toLowerCase() !== "i") return;
      stop();
      void importWithProgress(machineImport, url, command, io);
    },
  });
  return stop;
}

async function importWithProgress(machineImport: MachineImport, url: string, command: string, io: Io): Promise<void> {
  const bar = new ProgressBar(io.errIsTerminal === true ? io.err : undefined, io.width, io.now);
  const status = await machineImport.run(({ bytes, bytes_total, files, files_total, calls }) =>
    bar.show({ done: bytes, total: bytes_total, label: `${files}/${files_total} files, ${calls} calls` }),
  );
  bar.clear();
  const { files, files_total, calls, failed, problem } = status;
  if (problem !== null) io.err(`Import interrupted: ${problem}. Run \`${command}\` to resume.\n`);
  else if (files === files_total)
    io.out(`Imported ${pluralize(files, "transcript")}: ${pluralize(calls, "call")}, ${failed} failed. See ${url}/\n`);
}

export function serverOptions(config: Config, environment: NodeJS.ProcessEnv): ServerOptions {
  if (!isLoopback(config.host) && config.token === undefined) {
    throw new CliError(
      `Listening on ${config.host} gives other machines access, so a token is required. Set TOOLMEND_TOKEN, for example to the output of: openssl rand -hex 24`,
    );
  }
  const stateKey = environment[STATE_KEY_VARIABLE];
  return {
    host: config.host,
    port: config.port,
    data: config.data,
    ...(config.store !== undefined && { storeUrl: config.store }),
    upstreams: upstreamsOf(config, environment),
    capture: config.capture,
    redact: config.redact,
    ...(config.keep !== "forever" && { keepMs: spanMs(config.keep) }),
    idleTimeoutMs: spanMs(config.idleTimeout),
    detect: config.detect,
    thresholds: thresholdsOf(config),
    ...(Object.keys(config.prices).length > 0 && { prices: config.prices }),
    nameTtlMs: spanMs(config.callNameTtl),
    bodyMemoryMb: config.bodyMemory,
    allowedHosts: config.allowHosts,
    watch: config.watch,
    // Beyond this machine, a click must not publish the transcripts of the user who runs the server.
    ...(isLoopback(config.host) && config.allowHosts.length === 0 && { agentFolders: agentFolders(environment) }),
    ...(config.token !== undefined && { token: config.token }),
    ...(stateKey !== undefined && stateKey !== "" && { stateKey: parseStateKey(stateKey) }),
    durable: config.durable,
    repair: repairOf(config),
    guard: config.guard,
    secondChance: secondChanceOf(config),
    websocket: config.websocket,
    repairsMcpCalls: config.mcp.repairCalls === "on",
    ...(config.guard.notify !== undefined && { notify: config.guard.notify }),
    transcripts: config.hooks.transcripts,
    exporting: readExportConfig(config, environment),
    containUncaught: true,
    logger: createLogger(config.logLevel),
  };
}

/** Log lines for a person. In a file or a pipe they stay JSON, which programs read. */
function terminalLogger(level: string, { err, environment }: Io): Logger {
  const paint = createColors({ isTerminal: true, environment });
  return createLogger(level, { write: (line) => err(formatLogLine(line, paint)) });
}

export async function stopSignal(): Promise<undefined> {
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
}

interface Greeting {
  readonly url: string;
  readonly data: string;
  /** Printed instead of the token that clients must send. */
  readonly token?: string | undefined;
  /** Names of the upstreams that are not built in. */
  readonly upstreams?: readonly string[];
  /** Names of the upstreams that are MCP servers. */
  readonly mcpServers?: readonly string[];
  readonly overrides?: readonly RepairOverride[];
}

export function greeting({ url, data, token, upstreams = [], mcpServers = [], overrides = [] }: Greeting): string {
  const address = withToken(url, token);
  const lines = connectLines(address)
    .filter(({ isCommon }) => isCommon === true)
    .map((line) => `  ${line.title.padEnd(18)}${oneLine(line)}`);
  return [
    `Toolmend ${version}`,
    `  ${"Dashboard".padEnd(18)}${address}/`,
    ...(token === TOKEN_WORD ? [`  ${"Token".padEnd(18)}replace ${TOKEN_WORD} by the server's token`] : []),
    `  ${"Data".padEnd(18)}${data}`,
    // Overrides from an earlier run take precedence over the command line, so the greeting shows them.
    ...overrides.map(
      (override) =>
        `  ${"Repair".padEnd(18)}${formatOverride(override)}; reset with \`${commandLine("repair config", { data })}\``,
    ),
    "Point a client at it:",
    ...lines,
    ...upstreams.map((name) => `  ${`Upstream ${name}`.padEnd(17)} ${address}/${name}/v1`),
    ...mcpServers.map((name) => `  ${`MCP server ${name}`.padEnd(17)} ${address}/mcp/${name}`),
    `  ${"Other clients".padEnd(18)}${commandLine("env", { data })}`,
    "",
  ].join("\n");
}
