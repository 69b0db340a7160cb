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

/** Finds the exit code that the client wrote in a form of its own. */
export function findClientStatus(window: TextWindow, profile: ClientProfile): Signal | undefined {
  return findScriptStatus(window, profile) ?? findExitLine(window, profile);
}

const EXIT_LINE_LENGTH = 120;

/** Finds the exit code on the last line; the same line further up belongs to the output. */
function findExitLine({ text, start, end }: TextWindow, { exitLine }: ClientProfile): Signal | undefined {
  if (exitLine === undefined) return undefined;
  const at = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  if (end - at > EXIT_LINE_LENGTH || !text.startsWith(exitLine.start, at)) return undefined;
  const line = text.slice(at, end);
  const label = line.indexOf(exitLine.label, exitLine.start.length);
  const number = label === -1 ? null : /^-?\d{1,10}/.exec(line.slice(label + exitLine.label.length));
  if (number === null) return undefined;
  const exitCode = Number(number[0]);
  const stated = { stated: true, exitCode, footer: true } as const;
  return exitCode === 0
    ? createSignal("success", "exit-status", at, line, 0.95, stated)
    : createSignal("failure", "exit-status", at, line, 0.95, { ...stated, phase: "run" });
}

/** Finds the first non-zero exit code in a script's output: a successful script may have run a failed command. */
function findScriptStatus({ text, start, end }: TextWindow, profile: ClientProfile): Signal | undefined {
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
