import type { HookAgent } from "../agent-names.ts";
import type { Fields } from "../hook-event.ts";
import { SPOOL_MARKER, spoolLine } from "../spool-line.ts";
import type { OwnFileAgent } from "./own-files.ts";
import type { HookGroups } from "./settings-text.ts";

/** How the agent's hooks deliver events to Toolmend. */
export interface Wiring {
  /** Base URL of the server. */
  readonly url: string;
  /** Folder of the spool. */
  readonly spool: string;
  /** Write events to the spool instead of sending them. */
  readonly spooled: boolean;
  /** Also install the event before each call. */
  readonly preToolUse: boolean;
  /** Also ask the server before each call, which may block it. Only for Claude Code over HTTP. */
  readonly guard?: boolean;
  /** The server requires a token; the agent reads it from its environment. */
  readonly token: boolean;
}

/** Agents whose hooks are configured in a settings file. The others have separate files. */
export type SettingsAgent = Exclude<HookAgent, "opencode" | OwnFileAgent>;

const EVENTS: Readonly<Record<SettingsAgent, { readonly always: readonly string[]; readonly before: string }>> = {
  "claude-code": {
    always: [
      "PostToolUse",
      "PostToolUseFailure",
      "PostToolBatch",
      "UserPromptSubmit",
      "Stop",
      "SubagentStop",
      "SessionStart",
      "SessionEnd",
    ],
    before: "PreToolUse",
  },
  codex: { always: ["PostToolUse", "UserPromptSubmit", "Stop", "SessionStart"], before: "PreToolUse" },
  // Calls come from the transcript, which is read when a turn or the session ends.
  gemini: { always: ["AfterAgent", "SessionStart", "SessionEnd"], before: "BeforeTool" },
  qwen: { always: ["PostToolBatch", "Stop", "SessionStart", "SessionEnd"], before: "PreToolUse" },
};

/** Agents whose event before a call has the id of the call. */
const RECORDS_BEFORE: ReadonlySet<HookAgent> = new Set(["claude-code", "codex"]);

/** Claude Code does not deliver these events over HTTP. */
const NOT_OVER_HTTP = new Set(["SessionStart"]);
const HOOK_TIMEOUT_SECONDS = 5;
const GUARD_TIMEOUT_SECONDS = 1;

/** Builds the hook groups for an agent's settings. All but Claude Code get commands. */
export function hookGroups(agent: SettingsAgent, wiring: Wiring): HookGroups {
  const { always, before } = EVENTS[agent];
  const events = wiring.preToolUse && RECORDS_BEFORE.has(agent) ? [before, ...always] : always;
  const groups = Object.fromEntries(events.map((event) => [event, [{ hooks: [hookFor(agent, event, wiring)] }]]));
  if (wiring.guard !== true || agent !== "claude-code") return groups;
  return { ...groups, [before]: [...(groups[before] ?? []), { hooks: [guardHook(wiring)] }] };
}

/** If the server does not respond in time, the call passes. */
function guardHook(wiring: Wiring): Fields {
  return { ...httpHook(`${hookUrl(wiring.url, "claude-code")}/guard`, wiring), timeout: GUARD_TIMEOUT_SECONDS };
}

function hookFor(agent: SettingsAgent, event: string, wiring: Wiring): Fields {
  if (agent !== "claude-code" || wiring.spooled || NOT_OVER_HTTP.has(event)) {
    const timeout = agent === "gemini" ? HOOK_TIMEOUT_SECONDS * 1000 : HOOK_TIMEOUT_SECONDS;
    return { type: "command", command: spoolLine(wiring.spool, agent), timeout };
  }
  return httpHook(hookUrl(wiring.url, agent), wiring);
}

function httpHook(url: string, wiring: Wiring): Fields {
  return {
    type: "http",
    url,
    timeout: HOOK_TIMEOUT_SECONDS,
    ...(wiring.token && {
      headers: { "x-toolmend-token": "$TOOLMEND_TOKEN" },
      allowedEnvVars: ["TOOLMEND_TOKEN"],
    }),
  };
}

export function hookUrl(server: string, agent: HookAgent): string {
  return `${server.replace(/\/+$/, "")}/hooks/${agent}`;
}

/** Recognizes Toolmend hooks by URL or marker, so that uninstall needs no separate record. */
export function isToolmendHook(hook: Fields): boolean {
  const { type, url, command } = hook;
  if (type === "http") return typeof url === "string" && /\/hooks\/claude-code(?:\/guard)?\/?$/.test(url);
  return typeof command === "string" && command.trimEnd().endsWith(SPOOL_MARKER);
}
