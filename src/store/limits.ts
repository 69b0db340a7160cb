/** Calls of one session in one response. */
export const DEFAULT_CALLS = 1000;
export const MAX_CALLS_PER_SESSION = 5000;

/** A breakdown by session covers the newest ones only, so that its cost is bounded. */
export const NEWEST_SESSIONS = 200;

/** A text is found at the beginning of words of all sessions, and anywhere in this many of the newest ones. */
export const NEWEST_FOR_TEXT = 300;
/** Sessions that one field finds. */
export const MAX_FOUND_SESSIONS = 500;
/** The newest failures whose messages are searched. */
export const MAX_SEARCHED_FAILURES = 2000;

/** Calls on one page of the list of calls. */
export const DEFAULT_LISTED_CALLS = 200;
export const MAX_LISTED_CALLS = 1000;
/** The newest matching calls, among which the list sorts by duration or severity. */
export const MAX_SORTED_CALLS = 5000;
/** Calls that one page searches for a text; the next page continues behind them. */
export const MAX_SEARCHED_CALLS = 5000;
/** Up to this many, matching calls are counted one by one. */
export const MAX_COUNTED_CALLS = 5000;

/** Default of `Batch.nameTtlMs`. */
export const NAME_TTL_MS: number = 60 * 60 * 1000;
