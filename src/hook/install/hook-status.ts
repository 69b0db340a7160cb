import { messageOf } from "../../core/model/errors.ts";
import { objects } from "../../core/wire/json.ts";
import type { HookAgent } from "../agent-names.ts";
import { codexTrust, trustProblem } from "./codex-trust.ts";
import { isPluginInstalled } from "./opencode-plugin.ts";
import { hasOwnFiles, ownFileEvents } from "./own-files.ts";
import { installedHooks } from "./settings-file.ts";
import {
  hookFile,
  hookObstacles,
  type InstallEnvironment,
  managedSettingsFiles,
  SCOPES,
  type Scope,
} from "./settings-paths.ts";

/** The hooks installed for one agent in one scope. */
export interface HookStatus {
  readonly agent: HookAgent;
  readonly scope: Scope;
  readonly file: string;
  readonly installed: boolean;
  /** How events are delivered: sent to a server, or written to the spool. */
  readonly transport?: "http" | "spool" | "plugin";
  readonly url?: string;
  readonly events?: readonly string[];
  /** Reasons why installed hooks may not run. */
  readonly problems: readonly string[];
  /** When the newest session ended that the hooks reported, as far as it is recorded; null if there is none. */
  readonly last_event_at?: string | null;
  /** Why the file could not be read. */
  readonly problem?: string;
}

export interface StatusEnvironment extends InstallEnvironment {
  /** Paths of managed settings files. */
  readonly managed?: readonly string[];
}

export function hookStatus(agent: HookAgent, environment: StatusEnvironment): readonly HookStatus[] {
  return SCOPES.map((scope) => statusIn(agent, scope, environment));
}

function statusIn(agent: HookAgent, scope: Scope, environment: StatusEnvironment): HookStatus {
  const file = hookFile(agent, scope, environment);
  const nothing = { agent, scope, file, installed: false, problems: [] };
  if (agent === "opencode")
    return isPluginInstalled(file) ? { ...nothing, installed: true, transport: "plugin" } : nothing;
  if (hasOwnFiles(agent)) {
    const events = ownFileEvents(agent, file);
    return events.length === 0 ? nothing : { ...nothing, installed: true, transport: "spool", events };
  }
  try {
    const groups = installedHooks(file);
    const events = Object.keys(groups);
    if (events.length === 0) return nothing;
    const url = urlIn(groups);
    const files = agent === "claude-code" ? [...(environment.managed ?? managedSettingsFiles()), file] : [];
    return {
      ...{ ...nothing, installed: true, transport: url === undefined ? "spool" : "http", events },
      ...(url !== undefined && { url }),
      problems: [...hookObstacles(files, url), ...trustProblems(agent, file, groups)],
    };
  } catch (error) {
    return { ...nothing, problem: messageOf(error) };
  }
}

function trustProblems(agent: HookAgent, file: string, groups: ReturnType<typeof installedHooks>): readonly string[] {
  const problem = agent === "codex" ? trustProblem(codexTrust(file, groups)) : undefined;
  return problem === undefined ? [] : [problem];
}

function urlIn(groups: ReturnType<typeof installedHooks>): string | undefined {
  for (const list of Object.values(groups)) {
    for (const { hooks } of list) {
      for (const hook of objects(hooks)) if (typeof hook.url === "string") return hook.url;
    }
  }
  return undefined;
}
