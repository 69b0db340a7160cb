import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../../core/model/errors.ts";
import { HOOK_AGENTS, type HookAgent, isHookAgent } from "../../hook/agent-names.ts";
import { clientOf } from "../../hook/agents.ts";
import { type HookStatus, hookStatus } from "../../hook/install/hook-status.ts";
import { installPlugin, pluginText, uninstallPlugin } from "../../hook/install/opencode-plugin.ts";
import { hasOwnFiles, installOwnFiles, uninstallOwnFiles } from "../../hook/install/own-files.ts";
import { installHooks, type SettingsChange, uninstallHooks } from "../../hook/install/settings-file.ts";
import { hookFile, hookObstacles, managedSettingsFiles, type Scope } from "../../hook/install/settings-paths.ts";
import { SettingsError } from "../../hook/install/settings-text.ts";
import { hookGroups, hookUrl, type Wiring } from "../../hook/install/toolmend-hooks.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { openSqliteReader } from "../../store/sqlite/sqlite-store.ts";
import { commandLine } from "../command-line.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl } from "../server-url.ts";
import { packageRoot } from "../version.ts";

export interface HookFlags extends Omit<Flags, "guard"> {
  readonly scope?: Scope;
  readonly spool?: boolean;
  readonly preToolUse?: boolean;
  /** Also install the hook that may block calls. */
  readonly guard?: boolean;
  readonly url?: string;
  readonly json?: boolean;
}

export const HOOK_ACTIONS = ["install", "uninstall", "status"] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

/** Installs Toolmend's hooks in an agent's settings, removes them, or shows their status. */
export async function hookCommand(
  action: HookAction,
  agent: string | undefined,
  flags: HookFlags,
  io: Io,
  folder: string = process.cwd(),
): Promise<number> {
  if (agent !== undefined && !isHookAgent(agent)) {
    throw new CliError(`No hooks available for "${agent}". Supported: ${HOOK_AGENTS.join(", ")}.`, { exitCode: 2 });
  }
  const { guard: _guard, ...settings } = flags;
  const config = await readConfig(settings, io.environment);
  if (action === "status") return await showStatus(agent, config, flags, io, folder);
  const chosen = agent ?? "claude-code";
  const file = hookFile(chosen, flags.scope ?? "user", { environment: io.environment, folder });
  const wiring = wiringOf(chosen, config, flags);
  const change = orCliError(file, () =>
    action === "install" ? install(chosen, file, wiring) : uninstall(chosen, file),
  );
  if (flags.json === true) io.out(`${JSON.stringify({ agent: chosen, action, ...change }, null, 2)}\n`);
  else io.out(changeText(action, chosen, change, wiring, flags.scope));
  if (action === "install" && chosen === "codex") {
    const [status] = hookStatus("codex", { environment: io.environment, folder }).filter((one) => one.file === file);
    for (const problem of status?.problems ?? []) io.err(`Note: ${problem}\n`);
  }
  if (action === "install" && chosen === "claude-code") {
    const url = wiring.spooled ? undefined : hookUrl(wiring.url, chosen);
    for (const obstacle of hookObstacles([...managedSettingsFiles(), file], url)) io.err(`Warning: ${obstacle}\n`);
  }
  return 0;
}

function wiringOf(agent: HookAgent, config: Config, flags: HookFlags): Wiring {
  if (flags.spool === true && agent === "opencode") {
    throw new CliError("--spool is not available for opencode: its plugin always sends events.", { exitCode: 2 });
  }
  if (flags.guard === true && (flags.spool === true || agent !== "claude-code")) {
    throw new CliError("--guard is available for claude-code only, and not with --spool: the server must respond.", {
      exitCode: 2,
    });
  }
  if (flags.url !== undefined && !isHttpUrl(flags.url)) {
    throw new CliError(`--url must be an http or https address such as http://127.0.0.1:4100, not "${flags.url}".`, {
      exitCode: 2,
    });
  }
  // A server that listens on all interfaces is reachable at loopback from this machine.
  const url = flags.url ?? serverUrl(config).replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, "//127.0.0.1");
  return {
    url,
    spool: dataFolder(config.data).spool,
    spooled: flags.spool === true || (agent !== "claude-code" && agent !== "opencode"),
    preToolUse: flags.preToolUse === true,
    guard: flags.guard === true,
    token: config.token !== undefined,
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function install(agent: HookAgent, file: string, wiring: Wiring): SettingsChange {
  if (agent === "opencode") {
    const source = readFileSync(join(packageRoot, "integrations", "opencode", "toolmend.js"), "utf8");
    return installPlugin(file, pluginText(source, wiring.url));
  }
  mkdirSync(join(wiring.spool, agent), { recursive: true, mode: 0o700 });
  if (hasOwnFiles(agent)) return installOwnFiles(agent, file, wiring.spool);
  return installHooks(file, hookGroups(agent, wiring));
}

function uninstall(agent: HookAgent, file: string): SettingsChange {
  if (hasOwnFiles(agent)) return uninstallOwnFiles(agent, file);
  return agent === "opencode" ? uninstallPlugin(file) : uninstallHooks(file);
}

/** Never rewrites a file that cannot be parsed; the user has to fix it. */
function orCliError(file: string, change: () => SettingsChange): SettingsChange {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof SettingsError) && codeOf(error) === undefined) throw error;
    throw new CliError(
      `Cannot update ${file}: ${messageOf(error)}. Fix the file and run the command again. Nothing was changed.`,
      { cause: error },
    );
  }
}

function changeText(
  action: HookAction,
  agent: HookAgent,
  { path, done, backup }: SettingsChange,
  wiring: Wiring,
  scope?: Scope,
): string {
  if (action === "uninstall") {
    if (done === "unchanged") return `No Toolmend hooks found in ${path}.\n`;
    return done === "removed"
      ? `Removed ${path}: it contained only Toolmend hooks.\n`
      : `Removed the hooks from ${path}.\n`;
  }
  if (done === "unchanged") return `Already installed in ${path}.\n`;
  const way =
    wiring.spooled && agent !== "opencode" ? `written to ${join(wiring.spool, agent)}` : `sent to ${wiring.url}`;
  const backupLine = backup === undefined ? "" : `Backup of the original file: ${backup}\n`;
  const undo = commandLine(`hook uninstall ${agent}${scope === "project" ? " --scope project" : ""}`);
  return `Installed in ${path}: events are ${way}.\n${backupLine}Undo with: ${undo}\n`;
}

async function showStatus(
  agent: HookAgent | undefined,
  config: Config,
  flags: HookFlags,
  io: Io,
  folder: string,
): Promise<number> {
  const agents = agent === undefined ? HOOK_AGENTS : [agent];
  const lastEvents = await lastHookEvents(config);
  const rows = agents
    .flatMap((one) => hookStatus(one, { environment: io.environment, folder }))
    .map((row) => (row.installed ? { ...row, ...lastEvents(row.agent) } : row));
  const server = serverUrl(config);
  const answers = await isRunning(server);
  if (flags.json === true) {
    io.out(`${JSON.stringify({ hooks: rows, server: { url: server, answers } }, null, 2)}\n`);
    return 0;
  }
  for (const row of rows.filter(({ scope }) => flags.scope === undefined || scope === flags.scope)) {
    io.out(statusText(row));
  }
  const spoolHint = "When it starts, it reads missed events from the transcripts.";
  io.out(answers ? `The server is running at ${server}.\n` : `The server at ${server} is not running. ${spoolHint}\n`);
  return 0;
}

export function statusText({
  agent,
  scope,
  file,
  installed,
  transport: way,
  url,
  events,
  problems: obstacles,
  problem,
  last_event_at: last,
}: HookStatus): string {
  const head = `${agent.padEnd(12)} ${scope.padEnd(8)}`;
  if (problem !== undefined) return `${head} cannot read ${file}: ${problem}\n`;
  if (!installed) return `${head} not installed\n`;
  const where = way === "http" ? ` → ${url}` : "";
  const what = events === undefined ? "" : `, ${events.length} events`;
  return [
    `${head} installed (${way}${where}${what}) in ${file}\n`,
    ...(last === undefined ? [] : [`${"".padEnd(22)}${lastText(last)}\n`]),
    ...obstacles.map((one) => `${"".padEnd(22)}! ${one}\n`),
  ].join("");
}

function lastText(last: string | null): string {
  return last === null ? "No event has arrived yet." : `The newest event arrived at ${last}.`;
}

type LastEvent = (agent: HookAgent) => Pick<HookStatus, "last_event_at">;

/** Reads the records of this machine. Without any, it is unknown whether an event arrived. */
async function lastHookEvents(config: Config): Promise<LastEvent> {
  const { database } = dataFolder(config.data);
  if (config.store !== undefined || !existsSync(database)) return () => ({});
  const reader = openSqliteReader(database);
  try {
    const sessions = await reader.sessions({ limit: MAX_SESSIONS });
    const hooked = sessions.filter(({ source }) => source.split(/\W+/).includes("hook"));
    return (agent) => {
      const own = hooked.filter(({ client }) => client === clientOf(agent));
      const last = own.map(({ last_at }) => last_at).sort();
      return { last_event_at: last.at(-1) ?? null };
    };
  } finally {
    await reader.close();
  }
}

/** The largest page of the session list. */
const MAX_SESSIONS = 1000;

async function isRunning(url: string): Promise<boolean> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return response?.ok === true;
}
