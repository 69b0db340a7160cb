import type { ClientProfileName } from "../types.ts";
import { aiSdk } from "./ai-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import type { ClientProfile } from "./client-profile.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";
import { plain } from "./plain.ts";
import { geminiCli, qwenCode } from "./qwen-code.ts";

/**
 * All profiles in the order they are tried, `plain` last.
 *
 * @example
 * CLIENT_PROFILES.map((profile) => profile.name);
 */
export const CLIENT_PROFILES: readonly ClientProfile[] = [
  claudeCode,
  codex,
  opencode,
  qwenCode,
  geminiCli,
  aiSdk,
  plain,
];

/** Clues for choosing a profile. All are optional. */
export interface ProfileClues {
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A result's text, used if a gateway rewrote the headers. */
  readonly text?: string;
}

/** Longer text is not searched for a client's fixed phrases. */
const TEXT_LIMIT = 4096;

/**
 * Detects the client of a request by its `user-agent`, then by a header only it sends, then by its fixed phrases.
 *
 * @example
 * chooseClientProfile({ userAgent: "codex_exec/0.166.0" }); // "codex"
 */
export function chooseClientProfile(clues: ProfileClues): ClientProfileName {
  const agent = (clues.userAgent ?? headerText(clues, "user-agent") ?? "").toLowerCase();
  const byAgent = CLIENT_PROFILES.find((profile) => profile.userAgents.some((prefix) => agent.startsWith(prefix)));
  if (byAgent !== undefined) {
    return byAgent.name;
  }
  const byHeader = CLIENT_PROFILES.find((profile) =>
    profile.headers.some((name) => headerText(clues, name) !== undefined),
  );
  if (byHeader !== undefined) {
    return byHeader.name;
  }
  const text = clues.text?.slice(0, TEXT_LIMIT) ?? "";
  const byText =
    text === "" ? undefined : CLIENT_PROFILES.find((profile) => profile.texts.some((words) => text.includes(words)));
  return byText?.name ?? "plain";
}

/** Looks up lower-case header names, as in Node and fetch. */
function headerText({ headers }: ProfileClues, name: string): string | undefined {
  const value = headers?.[name];
  return typeof value === "string" ? value : value?.[0];
}

/**
 * Returns the profile named by a text: its name with any suffix, or a `user-agent`.
 *
 * @example
 * clientProfileNamed("opencode-1.18"); // "opencode"
 */
export function clientProfileNamed(text: string): ClientProfileName {
  const lower = text.trim().toLowerCase().replaceAll("_", "-").replaceAll(" ", "-");
  const byName = CLIENT_PROFILES.find(
    ({ name }) => lower === name || lower.startsWith(`${name}-`) || lower.startsWith(`${name}/`),
  );
  return byName?.name ?? chooseClientProfile({ userAgent: text });
}

/** Returns the profile of that name; `plain` if unknown. */
export function profileOf(name: string | undefined): ClientProfile {
  return name === undefined ? plain : (CLIENT_PROFILES.find((profile) => profile.name === name) ?? plain);
}
