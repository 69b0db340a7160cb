import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookAgent } from "../agent-names.ts";
import { SPOOL_MARKER, spoolLine } from "../spool-line.ts";
import type { SettingsChange } from "./settings-file.ts";
import { SettingsError } from "./settings-text.ts";

/** Agents whose hook files contain nothing else. */
const OWN_FILE_AGENTS = ["copilot", "cline"] as const satisfies readonly HookAgent[];
export type OwnFileAgent = (typeof OWN_FILE_AGENTS)[number];

export function hasOwnFiles(agent: HookAgent): agent is OwnFileAgent {
  return (OWN_FILE_AGENTS as readonly HookAgent[]).includes(agent);
}

interface OwnFile {
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

const TIMEOUT_SECONDS = 5;
const COPILOT_EVENTS = ["sessionStart", "agentStop", "sessionEnd"] as const;
/** Cline runs the file that is named after the event. */
const CLINE_EVENTS = ["PostToolUse", "TaskComplete"] as const;

/**
 * Installs the files of an agent. If another program owns one of them, nothing is changed.
 *
 * @param file the first of them; the others are beside it
 */
export function installOwnFiles(agent: OwnFileAgent, file: string, spool: string): SettingsChange {
  const files = ownFiles(agent, file, spool);
  for (const { path } of files) assertOwn(path);
  if (files.every(({ path, text }) => existsSync(path) && readFileSync(path, "utf8") === text))
    return { path: file, done: "unchanged" };
  for (const { path, text, mode } of files) {
    mkdirSync(dirname(path), { recursive: true });
    // An existing file keeps its mode unless it is replaced.
    rmSync(path, { force: true });
    writeFileSync(path, text, mode === undefined ? {} : { mode });
  }
  return { path: file, done: "written" };
}

export function uninstallOwnFiles(agent: OwnFileAgent, file: string): SettingsChange {
  const installed = ownFiles(agent, file, "").filter(({ path }) => isOwn(path));
  for (const { path } of installed) rmSync(path);
  const folder = dirname(file);
  if (installed.length > 0 && readdirSync(folder).length === 0) rmdirSync(folder);
  return { path: file, done: installed.length === 0 ? "unchanged" : "removed" };
}

/** The events whose hooks are installed. */
export function ownFileEvents(agent: OwnFileAgent, file: string): readonly string[] {
  if (agent === "copilot") return isOwn(file) ? COPILOT_EVENTS : [];
  return CLINE_EVENTS.filter((event) => isOwn(join(dirname(file), event)));
}

function ownFiles(agent: OwnFileAgent, file: string, spool: string): readonly OwnFile[] {
  const line = spoolLine(spool, agent);
  if (agent === "copilot") {
    const hook = { type: "command", bash: line, timeoutSec: TIMEOUT_SECONDS };
    const hooks = Object.fromEntries(COPILOT_EVENTS.map((event) => [event, [hook]]));
    return [{ path: file, text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n` }];
  }
  // The client waits for output, even if the event cannot be written, so the line runs in a subshell.
  const text = `#!/bin/sh\n(\n${line}\n)\necho '{}'\n`;
  return CLINE_EVENTS.map((event) => ({ path: join(dirname(file), event), text, mode: 0o755 }));
}

function isOwn(path: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8").includes(SPOOL_MARKER);
}

function assertOwn(path: string): void {
  if (existsSync(path) && !isOwn(path)) throw new SettingsError(`${path} belongs to another program`);
}
