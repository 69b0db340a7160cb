import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookGroups } from "./settings-text.ts";

/**
 * Whether Codex will run installed hooks. It skips hooks that the user has not reviewed, and `codex exec` prints
 * nothing.
 */
export type CodexTrust = "reviewed" | "unreviewed" | "disabled";

const STATE = /^\[hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\]\s*(?:#.*)?$/;

/**
 * Reads which hooks the user has reviewed from Codex's own configuration. An entry may be older than the hook: Codex
 * then asks again. Never written here: reviewing is the user's decision.
 */
export function codexTrust(hooksFile: string, groups: HookGroups): CodexTrust {
  // Reviews of project hooks are stored per user, too; the project folder has no such file.
  const config = join(dirname(hooksFile), "config.toml");
  const states = existsSync(config) ? hookStates(readFileSync(config, "utf8")) : new Map<string, HookState>();
  const found = Object.keys(groups).map((event) => {
    const prefix = `${hooksFile}:${snakeCase(event)}:`;
    return [...states].find(([key]) => key.startsWith(prefix))?.[1];
  });
  if (found.some((state) => state?.enabled === false)) return "disabled";
  return found.every((state) => state?.reviewed === true) ? "reviewed" : "unreviewed";
}

interface HookState {
  readonly reviewed: boolean;
  readonly enabled: boolean;
}

/** The tables `[hooks.state."<file>:<event>:<group>:<hook>"]`, as Codex writes them. */
function hookStates(toml: string): ReadonlyMap<string, HookState> {
  const states = new Map<string, HookState>();
  let key: string | undefined;
  for (const line of toml.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) {
      const [, basic, literal] = STATE.exec(trimmed) ?? [];
      key = basic === undefined ? literal : basic.replaceAll(/\\(["\\])/g, "$1");
      if (key !== undefined) states.set(key, { reviewed: false, enabled: true });
      continue;
    }
    const state = key === undefined ? undefined : states.get(key);
    if (key === undefined || state === undefined) continue;
    if (/^trusted_hash\s*=\s*["']sha256:/.test(trimmed)) states.set(key, { ...state, reviewed: true });
    if (/^enabled\s*=\s*false\b/.test(trimmed)) states.set(key, { ...state, enabled: false });
  }
  return states;
}

/** `PostToolUse` → `post_tool_use`. */
function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** What the user should do, as one sentence; undefined if nothing. */
export function trustProblem(trust: CodexTrust): string | undefined {
  switch (trust) {
    case "reviewed":
      return undefined;
    case "disabled":
      return "Codex does not run these hooks, because they are switched off in its config.toml. Start `codex` and enter /hooks to switch them on.";
    case "unreviewed":
      return "Codex runs these hooks only after you have reviewed them, and `codex exec` does not report this. Start `codex` and approve them, or add --dangerously-bypass-hook-trust to `codex exec`.";
  }
}
