import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { HookAgent } from "../agent-names.ts";
import { type Fields, isFields } from "../hook-event.ts";

export const SCOPES = ["user", "project"] as const;
export type Scope = (typeof SCOPES)[number];

/** Variables and working folder that determine where settings files are. */
export interface InstallEnvironment {
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

/** Returns the file in which an agent's hooks are configured. */
export function hookFile(agent: HookAgent, scope: Scope, { environment, folder }: InstallEnvironment): string {
  const home = environment.HOME ?? homedir();
  const of = (moved: string | undefined, inHome: string, inProject: string): string =>
    scope === "project" ? resolve(folder, inProject) : moved === undefined || moved === "" ? join(home, inHome) : moved;
  switch (agent) {
    case "claude-code":
      return join(of(environment.CLAUDE_CONFIG_DIR, ".claude", ".claude"), "settings.json");
    case "codex":
      return join(of(environment.CODEX_HOME, ".codex", ".codex"), "hooks.json");
    case "gemini":
      return join(of(undefined, ".gemini", ".gemini"), "settings.json");
    case "qwen":
      return join(of(undefined, ".qwen", ".qwen"), "settings.json");
    case "copilot":
      return join(of(environment.COPILOT_HOME, ".copilot", ".github"), "hooks", "toolmend.json");
    case "cline":
      return join(of(undefined, ".cline", ".clinerules"), "hooks", "PostToolUse");
    case "opencode": {
      const config = environment.XDG_CONFIG_HOME ?? join(home, ".config");
      return join(of(join(config, "opencode"), "", ".opencode"), "plugins", "toolmend.js");
    }
  }
}

/** Settings deployed by an administrator; they override all others. */
export function managedSettingsFiles(platform: NodeJS.Platform = process.platform): readonly string[] {
  if (platform === "darwin") return ["/Library/Application Support/ClaudeCode/managed-settings.json"];
  if (platform === "win32") return ["C:\\Program Files\\ClaudeCode\\managed-settings.json"];
  return ["/etc/claude-code/managed-settings.json"];
}

/** Finds settings of Claude Code that prevent hooks from running. Returns one sentence each, with the file name. */
export function hookObstacles(files: readonly string[], url: string | undefined): readonly string[] {
  return files.flatMap((file) => {
    const settings = readSettings(file);
    return settings === undefined ? [] : obstaclesIn(settings, file, url);
  });
}

function obstaclesIn(settings: Fields, file: string, url: string | undefined): readonly string[] {
  const found: string[] = [];
  if (settings.disableAllHooks === true) found.push(`${file} disables all hooks (disableAllHooks).`);
  if (settings.allowManagedHooksOnly === true) {
    found.push(`${file} allows managed hooks only (allowManagedHooksOnly). Ask your administrator to add Toolmend.`);
  }
  const allowed = settings.allowedHttpHookUrls;
  if (url !== undefined && Array.isArray(allowed) && !allowed.some((pattern) => matches(pattern, url))) {
    found.push(`${file} does not allow ${url} (allowedHttpHookUrls). Add it, or install with --spool.`);
  }
  return found;
}

/** `*` matches any text. */
function matches(pattern: unknown, url: string): boolean {
  if (typeof pattern !== "string") return false;
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === url;
  if (!url.startsWith(first)) return false;
  let from = first.length;
  for (const [at, part] of rest.entries()) {
    if (at === rest.length - 1) return url.length - part.length >= from && url.endsWith(part);
    const next = url.indexOf(part, from);
    if (next === -1) return false;
    from = next + part.length;
  }
  return true;
}

function readSettings(file: string): Fields | undefined {
  try {
    const value: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
