/** Calls of one session in one answer. */
export const DEFAULT_CALLS = 1000;
export const MOST_CALLS = 5000;

/** A breakdown by session is about the newest: a question must not read everything there is. */
export const NEWEST_SESSIONS = 200;

/** A search for text finds ids that begin with it, whatever their age, and looks through so many of the newest sessions for the rest. */
export const NEWEST_FOR_TEXT = 300;
