/** What the guard may do about a loop. `stop` includes `note`. */
export const GUARD_MODES = ["off", "observe", "note", "stop"] as const;
export type GuardMode = (typeof GUARD_MODES)[number];
