/** Calls of one session in one answer. */
export const DEFAULT_CALLS = 1000;
export const MAX_CALLS_PER_SESSION = 5000;

/** A breakdown by session is about the newest: a question must not read everything there is. */
export const NEWEST_SESSIONS = 200;

/** A search for text finds ids that begin with it, whatever their age, and looks through so many of the newest sessions for the rest. */
export const NEWEST_FOR_TEXT = 300;

/** How long an id remembers its name for results that arrive without their call. */
export const NAME_TTL_MS: number = 60 * 60 * 1000;
