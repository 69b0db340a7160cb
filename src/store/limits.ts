/** Calls of one session in one response. */
export const DEFAULT_CALLS = 1000;
export const MAX_CALLS_PER_SESSION = 5000;

/** A breakdown by session covers the newest ones only, so that its cost is bounded. */
export const NEWEST_SESSIONS = 200;

/** A text search matches id prefixes of all sessions, and other fields of this many of the newest ones. */
export const NEWEST_FOR_TEXT = 300;

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
