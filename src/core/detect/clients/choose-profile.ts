import type { ClientProfileName } from "../types.ts";
import { aiSdk } from "./ai-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import type { ClientProfile } from "./client-profile.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { crush, cursor, goose, zed } from "./editors.ts";
import { anthropicSdk, langchain, openaiAgents, openaiSdk } from "./libraries.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
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
  copilot,
  pi,
  continueCli,
  cline,
  zed,
  cursor,
  crush,
  goose,
  langchain,
  openaiAgents,
  aiSdk,
  openaiSdk,
  anthropicSdk,
  plain,
];

const APPLICATIONS = CLIENT_PROFILES.filter(({ isLibrary }) => isLibrary !== true);
const LIBRARIES = CLIENT_PROFILES.filter(({ isLibrary }) => isLibrary === true);

/** Clues for choosing a profile. All are optional. */
export interface ProfileClues {
  readonly userAgent?: string;
  /** By lower-case name. */
  readonly headers?:
    | Readonly<Record<string, string | readonly string[] | undefined>>
    | ((name: string) => string | undefined);
  /** The start of the system prompt. */
  readonly systemText?: string;
  /** A result's text, used if a gateway rewrote the headers. */
  readonly text?: string;
}

/** Longer text is not searched for a client's fixed phrases. */
const TEXT_LIMIT = 4096;

/** Clients introduce themselves at the start of the system prompt; further down it may quote anything. */
export const SYSTEM_TEXT_LIMIT = 240;

/**
 * Detects the client of a request by its `user-agent`, then by a header only it sends, by the start of its system
 * prompt, by the library it uses, and at last by its fixed phrases in results.
 *
 * @example
 * chooseClientProfile({ userAgent: "codex_exec/0.166.0" }); // "codex"
 */
export function chooseClientProfile(clues: ProfileClues): ClientProfileName {
  const agent = (clues.userAgent ?? headerText(clues, "user-agent") ?? "").toLowerCase();
  const found =
    byUserAgent(APPLICATIONS, agent) ??
    APPLICATIONS.find((profile) => profile.headers.some((name) => headerText(clues, name) !== undefined)) ??
    bySystemText(clues.systemText) ??
    byUserAgent(LIBRARIES, agent) ??
    byResult(clues.text);
  return found?.name ?? "plain";
}

function byUserAgent(profiles: readonly ClientProfile[], agent: string): ClientProfile | undefined {
  return profiles.find(({ userAgents }) => userAgents.some((prefix) => agent.startsWith(prefix)));
}

function bySystemText(text = ""): ClientProfile | undefined {
  const start = text.slice(0, SYSTEM_TEXT_LIMIT);
  return start === ""
    ? undefined
    : APPLICATIONS.find(({ systemTexts = [] }) => systemTexts.some((words) => start.includes(words)));
}

function byResult(whole = ""): ClientProfile | undefined {
  const text = whole.slice(0, TEXT_LIMIT);
  return text === "" ? undefined : CLIENT_PROFILES.find(({ texts }) => texts.some((words) => text.includes(words)));
}

/** Looks up lower-case header names, as in Node and fetch. */
function headerText({ headers }: ProfileClues, name: string): string | undefined {
  if (typeof headers === "function") return headers(name);
  const value = headers?.[name];
  return typeof value === "string" ? value : value?.[0];
}

/** Whether the profile is that of a program, and not of a library or of an unknown client. */
export function isApplication(name: string | undefined): boolean {
  return name !== "plain" && APPLICATIONS.some((profile) => profile.name === name);
}

/** Whether the `user-agent` alone selects this profile. Only then it contains the version of the client. */
export function isNamedBy(name: ClientProfileName, userAgent: string): boolean {
  const agent = userAgent.toLowerCase();
  return profileOf(name).userAgents.some((prefix) => agent.startsWith(prefix));
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

const BY_NAME: ReadonlyMap<string, ClientProfile> = new Map(CLIENT_PROFILES.map((profile) => [profile.name, profile]));

/** Returns the profile of that name; `plain` if unknown. */
export function profileOf(name: string | undefined): ClientProfile {
  return name === undefined ? plain : (BY_NAME.get(name) ?? plain);
}
