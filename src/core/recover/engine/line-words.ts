/** Muse Glimmer talks to itself; the template has already opened the message. */
export const SELF = "to=self<|message|>";
/** Words a Claude Code leak drops on the line before the call. */
export const STRAY_WORDS: readonly string[] = ["court", "call", "count"];
/** Words that mean something at the start of a line, whatever the formats are. */
export const LINE_WORDS: readonly string[] = [SELF, ...STRAY_WORDS];
