import { WHOLE_LIMIT } from "../text/text-window.ts";
import type { ClientProfile } from "./client-profile.ts";

/** The tool's own text inside what a client wrote around it. */
export interface ClientText {
  readonly text: string;
  /** Whether the client says that the call failed, if it does. */
  readonly isError?: boolean;
}

const REMINDER_START = "\n\n<system-reminder>";
const REMINDER_END = "</system-reminder>";

/** Removes what a client wrote around a tool's output. */
export function openClientText(whole: string, profile: ClientProfile): ClientText {
  const text = withoutReminder(withoutAppendix(whole, profile.appendix), profile);
  return profile.unwrap?.(text) ?? { text };
}

/** Removes the text that the client appends to a tool's output. */
function withoutAppendix(text: string, appendix: string | undefined): string {
  const at = appendix === undefined || text.length > WHOLE_LIMIT ? -1 : text.indexOf(appendix);
  return at === -1 ? text : text.slice(0, at);
}

/** Removes the last block only: the same tags before it may be part of a file. */
function withoutReminder(text: string, { appendsReminders }: ClientProfile): string {
  if (appendsReminders !== true || !text.endsWith(REMINDER_END)) return text;
  const at = text.lastIndexOf(REMINDER_START);
  return at === -1 ? text : text.slice(0, at);
}
