import type { ClientProfile } from "./client-profile.ts";
import { type Finding, finding } from "./finding.ts";
import { lineAt } from "./lead-rules.ts";
import type { TextWindow } from "./text-window.ts";

/** Characters from the end in which a client's closing words stand. */
const CLOSING = 600;

/** The client's own fixed words, at the places where it writes them. */
export function findPhrase(window: TextWindow, profile: ClientProfile): Finding | undefined {
  const { text, start, end } = window;
  for (const phrase of profile.phrases) {
    const at = phrase.at === "start" ? startPlace(text, start, phrase.text) : closingPlace(text, start, end, phrase.text);
    if (at !== -1) {
      return finding(phrase.says, `client-${profile.name}-${phrase.id}`, at, lineAt(text, at, end), 0.95, phrase);
    }
  }
  return undefined;
}

function startPlace(text: string, start: number, words: string): number {
  return text.startsWith(words, start) ? start : -1;
}

function closingPlace(text: string, start: number, end: number, words: string): number {
  const at = text.lastIndexOf(words, end);
  return at >= start && at >= end - CLOSING && (at === start || text.charCodeAt(at - 1) === 10) ? at : -1;
}
