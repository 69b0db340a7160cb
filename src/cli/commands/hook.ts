import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_AGENTS, type HookAgent, isHookAgent } from "../../hook/agents.ts";
import { type HookStatus, hookStatus } from "../../hook/install/hook-status.ts";
import { hookObstacles } from "../../hook/install/managed-settings.ts";
import { installPlugin, pluginText, uninstallPlugin } from "../../hook/install/opencode-plugin.ts";
import { installHooks, type SettingsChange, uninstallHooks } from "../../hook/install/settings-file.ts";
import { hookFile, managedSettingsFiles, type Scope } from "../../hook/install/settings-paths.ts";
import { SettingsError } from "../../hook/install/settings-text.ts";
import { hookGroups, hookUrl, type Wiring } from "../../hook/install/toolmend-hooks.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { type Config, type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { serverUrl } from "../server-url.ts";
import { packageRoot } from "../version.ts";

export interface HookFlags extends Flags {
  readonly scope?: Scope;
  readonly spool?: boolean;
  readonly preToolUse?: boolean;
  readonly url?: string;
  readonly json?: boolean;
}

export const HOOK_ACTIONS = ["install", "uninstall", "status"] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

/** Puts our hooks into an agent's settings, takes them out, or says what is there. */
export async function hookCommand(
  action: HookAction,
  agent: string | undefined,
  flags: HookFlags,
  io: Io,
  folder: string = process.cwd(),
): Promise<number> {
  if (agent !== undefined && !isHookAgent(agent)) {
    throw new CliError(`There are no hooks for "${agent}". Known: ${HOOK_AGENTS.join(", ")}.`, 2);
  }
  const config = readConfig(flags, io.environment);
  if (action === "status") return await showStatus(agent, config, flags, io, folder);
  const chosen = agent ?? "claude-code";
  const file = hookFile(chosen, flags.scope ?? "user", { environment: io.environment, folder });
  const wiring = wiringOf(chosen, config, flags);
  const change = safely(file, () => (action === "install" ? install(chosen, file, wiring) : uninstall(chosen, file)));
  if (flags.json === true) io.out(`${JSON.stringify({ agent: chosen, action, ...change }, null, 2)}\n`);
  else io.out(told(action, chosen, change, wiring));
  if (action === "install" && chosen === "claude-code") {
    const url = wiring.spooled ? undefined : hookUrl(wiring.url, chosen);
    for (const obstacle of hookObstacles([...managedSettingsFiles(), file], url)) io.err(`Warning: ${obstacle}\n`);
  }
  return 0;
}

function wiringOf(agent: HookAgent, config: Config, flags: HookFlags): Wiring {
  if (flags.spool === true && agent === "opencode") {
    throw new CliError("opencode's plugin sends its events: there is no --spool for it.", 2);
  }
  if (flags.url !== undefined && !isHttpUrl(flags.url)) {
    throw new CliError(`--url must be an http or https address such as http://127.0.0.1:4100, not "${flags.url}".`, 2);
  }
  // What listens everywhere is reached from here by the name of here.
  const url = flags.url ?? serverUrl(config).replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, "//127.0.0.1");
  return {
    url,
    spool: dataFolder(config.data).spool,
    spooled: flags.spool === true || agent === "codex" || agent === "gemini",
    preToolUse: flags.preToolUse === true,
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
  return installHooks(file, hookGroups(agent, wiring));
}

function uninstall(agent: HookAgent, file: string): SettingsChange {
  return agent === "opencode" ? uninstallPlugin(file) : uninstallHooks(file);
}

/** A file we do not understand is the user's to mend: it stays as it is. */
function safely(file: string, change: () => SettingsChange): SettingsChange {
  try {
    return change();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof SettingsError) && code === undefined) throw error;
    throw new CliError(`${file} was left as it is: ${message}. Mend it and run this again.`);
  }
}

function told(action: HookAction, agent: HookAgent, { path, done, backup }: SettingsChange, wiring: Wiring): string {
  if (action === "uninstall") {
    if (done === "unchanged") return `There were no hooks of Toolmend in ${path}.\n`;
    return done === "removed" ? `Removed ${path}: it held nothing else.\n` : `Removed from ${path}.\n`;
  }
  if (done === "unchanged") return `Installed already in ${path}.\n`;
  const way =
    wiring.spooled && agent !== "opencode" ? `written to ${join(wiring.spool, agent)}` : `sent to ${wiring.url}`;
  const kept = backup === undefined ? "" : `The file as it was: ${backup}\n`;
  return `Installed in ${path}: events are ${way}.\n${kept}Undo with: toolmend hook uninstall ${agent}\n`;
}

async function showStatus(
  agent: HookAgent | undefined,
  config: Config,
  flags: HookFlags,
  io: Io,
  folder: string,
): Promise<number> {
  const asked = agent === undefined ? HOOK_AGENTS : [agent];
  const rows = asked.flatMap((one) => hookStatus(one, { environment: io.environment, folder }));
  const server = serverUrl(config);
  const answers = await isAnswering(server);
  if (flags.json === true) {
    io.out(`${JSON.stringify({ hooks: rows, server: { url: server, answers } }, null, 2)}\n`);
    return 0;
  }
  for (const row of rows.filter(({ scope }) => flags.scope === undefined || scope === flags.scope)) {
    io.out(statusText(row));
  }
  const spoolHint = "Events sent while it is off are read from the transcripts when it starts.";
  io.out(answers ? `The server answers at ${server}.\n` : `The server at ${server} does not answer. ${spoolHint}\n`);
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
}: HookStatus): string {
  const head = `${agent.padEnd(12)} ${scope.padEnd(8)}`;
  if (problem !== undefined) return `${head} cannot be read: ${file}: ${problem}\n`;
  if (!installed) return `${head} not installed\n`;
  const where = way === "http" ? ` → ${url}` : "";
  const what = events === undefined ? "" : `, ${events.length} events`;
  return [
    `${head} installed (${way}${where}${what}) in ${file}\n`,
    ...obstacles.map((one) => `${"".padEnd(22)}! ${one}\n`),
  ].join("");
}

async function isAnswering(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return answer?.ok === true;
}
