import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "../text/text-window.ts";
import type { ClientProfile } from "./client-profile.ts";

/** Number of last characters that are searched for a client's closing phrases. */
const CLOSING = 600;

/** Finds the client's fixed phrases at their positions. */
export function findPhrase(window: TextWindow, profile: ClientProfile): Signal | undefined {
  const { text, start, end } = window;
  for (const phrase of profile.phrases) {
    const at =
      phrase.at === "start" ? startPlace(text, start, phrase.text) : closingPlace(text, start, end, phrase.text);
    if (at !== -1) {
      return createSignal(phrase.says, `client-${profile.name}-${phrase.id}`, at, lineAt(text, at, end), 0.95, phrase);
    }
  }
  return undefined;
}

/** Maximum length of script output that is searched for exit codes. */
const SCRIPT_LENGTH = 8192;

/** Finds the first non-zero exit code in a script's output: a successful script may have run a failed command. */
export function findScriptStatus({ text, start, end }: TextWindow, profile: ClientProfile): Signal | undefined {
  const script = profile.scriptStatus;
  if (script === undefined || !text.startsWith(script.start, start)) {
    return undefined;
  }
  const printed = text.slice(start, Math.min(end, start + SCRIPT_LENGTH));
  for (let at = printed.indexOf(`"${script.key}"`); at !== -1; at = printed.indexOf(`"${script.key}"`, at + 1)) {
    const match = /^"\w+"\s{0,4}:\s{0,4}(-?\d{1,10})\b/.exec(printed.slice(at, at + 60));
    const code = Number(match?.[1] ?? 0);
    if (match !== null && code !== 0) {
      return createSignal("failure", "script-status", start + at, match[0], 0.9, {
        stated: true,
        exitCode: code,
        phase: "run",
      });
    }
  }
  return createSignal("success", "script-status", start, script.start, 0.9, { stated: true, exitCode: 0 });
}

function startPlace(text: string, start: number, words: string): number {
  return text.startsWith(words, start) ? start : -1;
}

function closingPlace(text: string, start: number, end: number, words: string): number {
  const at = text.lastIndexOf(words, end);
  return at >= start && at >= end - CLOSING && (at === start || text.charCodeAt(at - 1) === 10) ? at : -1;
}
