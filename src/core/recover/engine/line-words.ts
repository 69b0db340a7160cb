/** Muse Glimmer's message to itself, without the opening token, which the template already wrote. */
export const SELF = "to=self<|message|>";
/** Stray words that Claude Code leaks have on the line before the call. */
export const STRAY_WORDS: readonly string[] = ["court", "call", "count"];
/** Words that are significant at the start of a line for every set of formats. */
export const LINE_WORDS: readonly string[] = [SELF, ...STRAY_WORDS];
