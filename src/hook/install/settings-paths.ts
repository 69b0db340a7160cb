import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { HookAgent } from "../agents.ts";

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
