/** Calls of one session in one answer. */
export const DEFAULT_CALLS = 1000;
export const MOST_CALLS = 5000;

/** A search for text looks through so many sessions, the newest: a question must not read everything there is. */
export const NEWEST_FOR_TEXT = 2000;
