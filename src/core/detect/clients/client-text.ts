import { withoutReminders } from "../../text/reminders.ts";
import { WHOLE_LIMIT } from "../text/text-window.ts";
import type { ClientProfile } from "./client-profile.ts";

/** The tool's own text inside what a client wrote around it. */
export interface ClientText {
  readonly text: string;
  /** Whether the client says that the call failed, if it does. */
  readonly isError?: boolean;
}

/** Removes what a client wrote around a tool's output. */
export function openClientText(whole: string, profile: ClientProfile): ClientText {
  const cut = withoutAppendix(whole, profile.appendix);
  const text = profile.appendsReminders === true ? withoutReminders(cut) : cut;
  return profile.unwrap?.(text) ?? { text };
}

/** Removes the text that the client appends to a tool's output. */
function withoutAppendix(text: string, appendix: string | undefined): string {
  const at = appendix === undefined || text.length > WHOLE_LIMIT ? -1 : text.indexOf(appendix);
  return at === -1 ? text : text.slice(0, at);
}
